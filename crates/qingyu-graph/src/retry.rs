//! Retry policies for nodes.

use std::time::Duration;

/// The retry policy for a node that failed with [`crate::NodeError::retryable`].
///
/// Finished steps of a failed attempt are not run again; the writes of the attempt are discarded.
#[derive(Debug, Clone, PartialEq)]
pub struct RetryPolicy {
    /// The maximum number of attempts; 1 means no retry.
    pub max_attempts: u32,
    /// The delay before the second attempt.
    pub initial_interval: Duration,
    /// The factor by which the delay grows with each attempt.
    pub backoff: f64,
    /// The maximum delay.
    pub max_interval: Duration,
    /// Whether to add up to half of the delay at random, so that concurrent failures are not retried at the same
    /// moment.
    pub jitter: bool,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_attempts: 3,
            initial_interval: Duration::from_millis(500),
            backoff: 2.0,
            max_interval: Duration::from_secs(60),
            jitter: true,
        }
    }
}

impl RetryPolicy {
    /// The default policy of a node.
    pub(crate) const ONCE: Self = Self {
        max_attempts: 1,
        initial_interval: Duration::ZERO,
        backoff: 1.0,
        max_interval: Duration::ZERO,
        jitter: false,
    };

    /// Returns the delay after `attempt`, counted from 1; `random` is any number.
    pub(crate) fn pause(&self, attempt: u32, random: u32) -> Duration {
        let growth = self.backoff.max(1.0).powf(f64::from(attempt.saturating_sub(1)));
        let seconds = (self.initial_interval.as_secs_f64() * growth).min(self.max_interval.as_secs_f64());
        let spread = if self.jitter { 1.0 + f64::from(random) / f64::from(u32::MAX) / 2.0 } else { 1.0 };
        Duration::from_secs_f64(seconds * spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let policy = RetryPolicy {
            initial_interval: Duration::from_secs(1),
            max_interval: Duration::from_secs(5),
            jitter: false,
            ..RetryPolicy::default()
        };
        let pauses: Vec<_> = (1..=4).map(|attempt| policy.pause(attempt, u32::MAX).as_secs()).collect();
        assert_eq!(pauses, [1, 2, 4, 5]);
        let jitter = RetryPolicy { jitter: true, ..policy };
        let pauses: Vec<_> = [0, u32::MAX / 2, u32::MAX].map(|random| jitter.pause(1, random).as_secs_f64()).to_vec();
        assert!(pauses.iter().zip([1.0, 1.25, 1.5]).all(|(pause, wanted)| (pause - wanted).abs() < 1e-6), "{pauses:?}");
    }
}
