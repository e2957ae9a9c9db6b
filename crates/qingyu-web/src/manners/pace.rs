//! Rate and concurrency limits per host.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::WebSettings;

/// Maximum burst of requests after a pause.
const BURST: u32 = 4;

/// Maximum tracked hosts before idle hosts are removed.
const MOST_HOSTS: usize = 1_000;

/// The rate limiter of all hosts.
#[derive(Debug)]
pub(crate) struct HostPacer {
    per_minute: Option<NonZeroU32>,
    parallel: usize,
    clock: PacerClock,
    hosts: Mutex<HashMap<String, Arc<HostSlots>>>,
}

#[derive(Debug)]
struct HostSlots {
    bucket: Option<RateLimiter<NotKeyed, InMemoryState, PacerClock, NoOpMiddleware<Duration>>>,
    places: Arc<Semaphore>,
}

/// A permit for a request; released on drop.
#[derive(Debug)]
pub(crate) struct HostPermit(#[expect(dead_code, reason = "it is held, not read")] Option<OwnedSemaphorePermit>);

impl HostPacer {
    pub(crate) fn new(settings: &WebSettings) -> Self {
        Self {
            per_minute: NonZeroU32::new(settings.requests_per_minute),
            parallel: settings.parallel_per_host.max(1),
            clock: PacerClock(Instant::now()),
            hosts: Mutex::default(),
        }
    }

    pub(crate) async fn turn(&self, name: &str) -> HostPermit {
        let host = self.host(name);
        let place = host.places.clone().acquire_owned().await;
        while let Some(Err(early)) = host.bucket.as_ref().map(RateLimiter::check) {
            tokio::time::sleep(early.wait_time_from(self.clock.now())).await;
        }
        // The semaphore is never closed; if closed, the rate limit would still apply.
        HostPermit(place.ok())
    }

    fn host(&self, name: &str) -> Arc<HostSlots> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST_HOSTS {
            hosts.retain(|_, host| Arc::strong_count(host) > 1);
        }
        let host = hosts.entry(name.to_owned()).or_insert_with(|| {
            let quota = |rate: NonZeroU32| {
                let burst = rate.min(const { NonZeroU32::new(BURST).expect("it is not zero") });
                RateLimiter::direct_with_clock(Quota::per_minute(rate).allow_burst(burst), self.clock.clone())
            };
            Arc::new(HostSlots { bucket: self.per_minute.map(quota), places: Arc::new(Semaphore::new(self.parallel)) })
        });
        host.clone()
    }
}

/// The tokio clock, which tests can pause.
#[derive(Debug, Clone)]
struct PacerClock(Instant);

impl Clock for PacerClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(requests_per_minute: u32, parallel_per_host: usize) -> HostPacer {
        HostPacer::new(&WebSettings { requests_per_minute, parallel_per_host, ..WebSettings::default() })
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_is_asked_no_faster_than_told_and_another_does_not_wait() {
        let pace = pace(30, 1);
        let began = Instant::now();
        for _ in 0..BURST {
            pace.turn("a.example").await;
        }
        assert!(began.elapsed() < Duration::from_millis(10), "a burst is allowed");
        for _ in 0..10 {
            pace.turn("a.example").await;
        }
        let waited = began.elapsed();
        assert!(waited >= Duration::from_secs(20) && waited < Duration::from_secs(21), "{waited:?}");
        pace.turn("b.example").await;
        assert_eq!(began.elapsed(), waited, "another host is free");
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_are_read_at_the_same_time() {
        let pace = pace(0, 2);
        let first = pace.turn("a.example").await;
        let _second = pace.turn("a.example").await;
        let third = tokio::time::timeout(Duration::from_secs(60), pace.turn("a.example")).await;
        assert!(third.is_err(), "a third waits");
        drop(first);
        tokio::time::timeout(Duration::from_secs(1), pace.turn("a.example")).await.expect("its place is free");
    }
}
