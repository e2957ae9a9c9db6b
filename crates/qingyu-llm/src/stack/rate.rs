//! Rate limits of a provider.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

use crate::estimate::Estimator;
use crate::{ChatEvent, ChatModel, ChatRequest, Error, EventStream};

/// A provider's rate limits for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RateLimit {
    /// Requests per minute.
    pub requests: Option<NonZeroU32>,
    /// Tokens per minute, of requests and answers together.
    pub tokens: Option<NonZeroU32>,
}

/// Delays requests to stay within a [`RateLimit`], first come, first served.
///
/// A request counts with its estimated tokens and its `max_tokens`; excess usage is charged to the next request. A
/// request above a full minute's tokens counts as a minute.
#[derive(Debug)]
pub(super) struct RateLimitedModel {
    model: Arc<dyn ChatModel>,
    requests: Option<Limiter>,
    tokens: Option<Limiter>,
    turn: tokio::sync::Mutex<()>,
    tally: Arc<TokenDebt>,
}

#[derive(Debug, Default)]
struct TokenDebt {
    estimator: Estimator,
    debt: AtomicU64,
}

impl RateLimitedModel {
    /// Limits the rate of requests to `model`.
    pub(super) fn new(model: Arc<dyn ChatModel>, rate: RateLimit) -> Self {
        Self {
            model,
            requests: rate.requests.map(Limiter::new),
            tokens: rate.tokens.map(Limiter::new),
            turn: tokio::sync::Mutex::new(()),
            tally: Arc::default(),
        }
    }

    async fn wait(&self, expected: u64) {
        let _turn = self.turn.lock().await;
        if let Some(requests) = &self.requests {
            requests.take(1).await;
        }
        if let Some(tokens) = &self.tokens {
            tokens.take(expected + self.tally.debt.swap(0, Ordering::Relaxed)).await;
        }
    }
}

impl ChatModel for RateLimitedModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let input = self.tally.estimator.request(self.name(), request);
            let expected = input + u64::from(request.max_tokens.unwrap_or(0));
            self.wait(expected).await;
            let stream = self.model.stream(request).await?;
            let (tally, name, request) = (Arc::clone(&self.tally), self.name().to_owned(), request.clone());
            let events = stream.inspect(move |event| {
                if let Ok(ChatEvent::Done(reply)) = event {
                    tally.estimator.learn(&name, &request, reply.usage.input);
                    let used = reply.usage.input + reply.usage.output;
                    tally.debt.fetch_add(used.saturating_sub(expected), Ordering::Relaxed);
                }
            });
            Ok(events.boxed())
        })
    }
}

/// Units per minute.
#[derive(Debug)]
struct Limiter {
    bucket: RateLimiter<NotKeyed, InMemoryState, RateClock, NoOpMiddleware<Duration>>,
    clock: RateClock,
    per_minute: NonZeroU32,
}

impl Limiter {
    fn new(per_minute: NonZeroU32) -> Self {
        let clock = RateClock(Instant::now());
        let bucket = RateLimiter::direct_with_clock(Quota::per_minute(per_minute), clock.clone());
        Self { bucket, clock, per_minute }
    }

    async fn take(&self, units: u64) {
        let units = u32::try_from(units).unwrap_or(u32::MAX).min(self.per_minute.get());
        let Some(units) = NonZeroU32::new(units) else { return };
        while let Err(early) = self.bucket.check_n(units).expect("at most a minute's units are taken") {
            tokio::time::sleep(early.wait_time_from(self.clock.now())).await;
        }
    }
}

/// The tokio clock, which tests can pause.
#[derive(Debug, Clone)]
struct RateClock(Instant);

impl Clock for RateClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
