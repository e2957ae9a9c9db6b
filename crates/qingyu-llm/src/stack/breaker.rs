//! Leaving a failing model alone.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use tokio::time::Instant;

use crate::{ChatModel, Error, Event, EventStream, Request};

/// When [`Breaker`] opens and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breaking {
    /// Failures in a row that open it.
    pub failures: u32,
    /// How long it stays open before one call may try.
    pub rest: Duration,
}

impl Default for Breaking {
    fn default() -> Self {
        Self { failures: 5, rest: Duration::from_secs(30) }
    }
}

/// Refuses calls with [`Error::Resting`] after repeated passing failures, until one call that may try succeeds.
///
/// Refusals that are the caller's (a wrong key, a wrong request) and calls that were given up do not count.
#[derive(Debug)]
pub struct Breaker {
    model: Arc<dyn ChatModel>,
    circuit: Arc<Mutex<Circuit>>,
}

impl Breaker {
    /// Watches over `model`.
    pub fn new(model: Arc<dyn ChatModel>, breaking: Breaking) -> Self {
        let circuit = Circuit { breaking, state: State::Closed { failures: 0 } };
        Self { model, circuit: Arc::new(Mutex::new(circuit)) }
    }

    fn admit(&self) -> Result<Permit, Error> {
        let admitted = self.circuit.lock().expect("no transition panics").admit(Instant::now());
        match admitted {
            Ok(pass) => Ok(Permit { circuit: Arc::clone(&self.circuit), pass, outcome: Outcome::GivenUp }),
            Err(retry_after) => Err(Error::Resting { model: self.name().to_owned(), retry_after }),
        }
    }
}

impl ChatModel for Breaker {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let mut permit = self.admit()?;
            let mut stream = self.model.stream(request).await.inspect_err(|error| permit.failed(error))?;
            let events = async_stream::stream! {
                while let Some(event) = stream.next().await {
                    match &event {
                        Ok(Event::Done(_)) => permit.outcome = Outcome::Success,
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

/// A call that was let through; tells the circuit how it went when it is dropped.
struct Permit {
    circuit: Arc<Mutex<Circuit>>,
    pass: Pass,
    outcome: Outcome,
}

impl Permit {
    fn failed(&mut self, error: &Error) {
        // An answer that says no is an answer: the provider is well.
        self.outcome = if error.is_transient() { Outcome::Failure } else { Outcome::Success };
    }

    /// The stream is over; without its last event, that is a failure.
    fn ended(&mut self) {
        if self.outcome == Outcome::GivenUp {
            self.outcome = Outcome::Failure;
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.circuit.lock().expect("no transition panics").record(self.pass, self.outcome, Instant::now());
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Success,
    Failure,
    /// Nobody waited for the end.
    GivenUp,
}

/// Why a call was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    Closed,
    Probe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// A probe is under way.
    HalfOpen,
}

/// The decisions of a breaker as a value; the clock is the caller's.
#[derive(Debug)]
struct Circuit {
    breaking: Breaking,
    state: State,
}

impl Circuit {
    /// Lets a call through, or says how long to wait.
    fn admit(&mut self, now: Instant) -> Result<Pass, Duration> {
        match self.state {
            State::Closed { .. } => Ok(Pass::Closed),
            State::Open { until } if until > now => Err(until - now),
            State::Open { .. } => {
                self.state = State::HalfOpen;
                Ok(Pass::Probe)
            }
            State::HalfOpen => Err(self.breaking.rest),
        }
    }

    fn record(&mut self, pass: Pass, outcome: Outcome, now: Instant) {
        self.state = match (self.state, pass, outcome) {
            (State::HalfOpen, Pass::Probe, Outcome::Success) => State::Closed { failures: 0 },
            (State::HalfOpen, Pass::Probe, Outcome::Failure) => self.open_from(now),
            // The next call may try in its place.
            (State::HalfOpen, Pass::Probe, Outcome::GivenUp) => State::Open { until: now },
            (State::Closed { .. }, _, Outcome::Success) => State::Closed { failures: 0 },
            (State::Closed { failures }, _, Outcome::Failure) if failures + 1 >= self.breaking.failures => {
                self.open_from(now)
            }
            (State::Closed { failures }, _, Outcome::Failure) => State::Closed { failures: failures + 1 },
            // A call that was given up, or one from before it opened.
            (state, ..) => state,
        };
    }

    fn open_from(&self, now: Instant) -> State {
        State::Open { until: now + self.breaking.rest }
    }
}
