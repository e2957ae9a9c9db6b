//! Circuit breaker for a failing model.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use tokio::time::Instant;

use crate::{ChatEvent, ChatModel, ChatRequest, Error, EventStream};

/// Settings of the circuit breaker: when to open and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerSettings {
    /// Consecutive failures that open the breaker.
    pub failures: u32,
    /// Open time before the first probe call.
    pub rest: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self { failures: 5, rest: Duration::from_secs(30) }
    }
}

/// Refuses calls with [`Error::Resting`] after repeated transient failures, until a probe call succeeds.
///
/// Refusals caused by the caller (a wrong key, an invalid request) and cancelled calls do not count.
#[derive(Debug)]
pub(super) struct Breaker {
    model: Arc<dyn ChatModel>,
    circuit: Arc<Mutex<Circuit>>,
}

impl Breaker {
    /// Wraps `model` in a breaker.
    pub(super) fn new(model: Arc<dyn ChatModel>, breaking: BreakerSettings) -> Self {
        let circuit = Circuit { breaking, state: CircuitState::Closed { failures: 0 } };
        Self { model, circuit: Arc::new(Mutex::new(circuit)) }
    }

    fn admit(&self) -> Result<BreakerPermit, Error> {
        let admitted = self.circuit.lock().expect("no transition panics").admit(Instant::now());
        match admitted {
            Ok(pass) => Ok(BreakerPermit { circuit: Arc::clone(&self.circuit), pass, outcome: CallOutcome::GivenUp }),
            Err(retry_after) => Err(Error::Resting { model: self.name().to_owned(), retry_after }),
        }
    }
}

impl ChatModel for Breaker {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let mut permit = self.admit()?;
            let mut stream = self.model.stream(request).await.inspect_err(|error| permit.failed(error))?;
            let events = async_stream::stream! {
                while let Some(event) = stream.next().await {
                    match &event {
                        Ok(ChatEvent::Done(_)) => permit.outcome = CallOutcome::Success,
                        Ok(_) => {}
                        Err(error) => permit.failed(error),
                    }
                    yield event;
                }
                permit.ended();
            };
            Ok(events.boxed())
        })
    }
}

/// An admitted call; reports its outcome to the circuit when dropped.
struct BreakerPermit {
    circuit: Arc<Mutex<Circuit>>,
    pass: CallPass,
    outcome: CallOutcome,
}

impl BreakerPermit {
    fn failed(&mut self, error: &Error) {
        // A refusal is a response: the provider is healthy.
        self.outcome = if error.is_transient() { CallOutcome::Failure } else { CallOutcome::Success };
    }

    /// Registers the end of the stream; a stream without its last event is a failure.
    fn ended(&mut self) {
        if self.outcome == CallOutcome::GivenUp {
            self.outcome = CallOutcome::Failure;
        }
    }
}

impl Drop for BreakerPermit {
    fn drop(&mut self) {
        self.circuit.lock().expect("no transition panics").record(self.pass, self.outcome, Instant::now());
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallOutcome {
    Success,
    Failure,
    /// Cancelled before the end.
    GivenUp,
}

/// The reason a call was admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallPass {
    Closed,
    Probe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CircuitState {
    Closed {
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// A probe is in flight.
    HalfOpen,
}

/// The state machine of a breaker; the caller provides the clock.
#[derive(Debug)]
struct Circuit {
    breaking: BreakerSettings,
    state: CircuitState,
}

impl Circuit {
    /// Admits a call, or returns the time to wait.
    fn admit(&mut self, now: Instant) -> Result<CallPass, Duration> {
        match self.state {
            CircuitState::Closed { .. } => Ok(CallPass::Closed),
            CircuitState::Open { until } if until > now => Err(until - now),
            CircuitState::Open { .. } => {
                self.state = CircuitState::HalfOpen;
                Ok(CallPass::Probe)
            }
            CircuitState::HalfOpen => Err(self.breaking.rest),
        }
    }

    fn record(&mut self, pass: CallPass, outcome: CallOutcome, now: Instant) {
        self.state = match (self.state, pass, outcome) {
            (CircuitState::HalfOpen, CallPass::Probe, CallOutcome::Success) => CircuitState::Closed { failures: 0 },
            (CircuitState::HalfOpen, CallPass::Probe, CallOutcome::Failure) => self.open_from(now),
            // The next call may probe instead.
            (CircuitState::HalfOpen, CallPass::Probe, CallOutcome::GivenUp) => CircuitState::Open { until: now },
            (CircuitState::Closed { .. }, _, CallOutcome::Success) => CircuitState::Closed { failures: 0 },
            (CircuitState::Closed { failures }, _, CallOutcome::Failure) if failures + 1 >= self.breaking.failures => {
                self.open_from(now)
            }
            (CircuitState::Closed { failures }, _, CallOutcome::Failure) => {
                CircuitState::Closed { failures: failures + 1 }
            }
            // A cancelled call, or a call from before the breaker opened.
            (state, ..) => state,
        };
    }

    fn open_from(&self, now: Instant) -> CircuitState {
        CircuitState::Open { until: now + self.breaking.rest }
    }
}
