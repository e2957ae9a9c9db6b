//! Limits of keys and the errors of reaching a limit. The keys of one member of a project share what is counted.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use jiff::{ToSpan, Zoned};
use qingyu_llm::Cost;
use qingyu_llm::stack::Overdraft;
use qingyu_store::{KeyLimits, KeyUse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of seconds until a retry while runs are working; the end of a run is unpredictable.
const WHILE_AT_WORK: u64 = 10;

/// The limits of a key; unlimited by default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KeyUsageLimits {
    /// Requests per minute and server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<NonZeroU32>,
    /// Concurrent runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_runs: Option<u32>,
    /// Request and answer tokens per day of the server's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_day: Option<u64>,
    /// Money per day. Calls not countable in the currency exhaust the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money_per_day: Option<Cost>,
}

/// The name of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LimitName {
    /// Requests per minute.
    RequestsPerMinute,
    /// Concurrent runs.
    ParallelRuns,
    /// Tokens per day.
    TokensPerDay,
    /// Money per day.
    MoneyPerDay,
}

/// An exceeded limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExceededLimit {
    /// The limit.
    pub(crate) limit: LimitName,
    /// The maximum; money in millionths.
    pub most: u64,
    /// The currency, for money.
    pub currency: Option<String>,
    /// The number of paid calls not countable in the currency.
    pub uncounted: u64,
    /// The number of seconds until a retry.
    pub retry_after: u64,
}

impl fmt::Display for ExceededLimit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.most;
        match (self.limit, &self.currency) {
            (LimitName::RequestsPerMinute, _) => write!(formatter, "this key allows {most} requests in a minute"),
            (LimitName::ParallelRuns, _) => write!(formatter, "this key allows {most} runs at once"),
            (LimitName::TokensPerDay, _) => write!(formatter, "this key allows {most} tokens in a day"),
            (LimitName::MoneyPerDay, currency) => {
                let currency = currency.as_deref().unwrap_or_default();
                write!(formatter, "this key allows {} {currency} in a day", most as f64 / 1e6)?;
                match self.uncounted {
                    0 => Ok(()),
                    calls => write!(formatter, ", and the price of {calls} calls is not known in {currency}"),
                }
            }
        }
    }
}

impl ExceededLimit {
    /// Returns the error for the maximum number of concurrent runs.
    pub(crate) fn parallel_runs(most: u32) -> Self {
        let limit = LimitName::ParallelRuns;
        Self { limit, most: most.into(), currency: None, uncounted: 0, retry_after: WHILE_AT_WORK }
    }
}

impl ExceededLimit {
    /// Returns the exceeded limit for the next call of a run.
    pub(crate) fn by_call(over: Overdraft) -> Self {
        let limit = if over.currency.is_some() { LimitName::MoneyPerDay } else { LimitName::TokensPerDay };
        let retry_after = until_tomorrow(&Zoned::now());
        Self { limit, most: over.limit, currency: over.currency, uncounted: 0, retry_after }
    }
}

impl KeyUsageLimits {
    pub(crate) fn of(kept: KeyLimits) -> Self {
        let KeyLimits { requests_per_minute, parallel_runs, tokens_per_day, money_per_day, currency } = kept;
        let money_per_day = money_per_day.zip(currency).map(|(micros, currency)| Cost { micros, currency });
        let requests_per_minute = requests_per_minute.and_then(NonZeroU32::new);
        Self { requests_per_minute, parallel_runs, tokens_per_day, money_per_day }
    }

    pub(crate) fn kept(self) -> KeyLimits {
        let (money_per_day, currency) = self.money_per_day.map(|cost| (cost.micros, cost.currency)).unzip();
        KeyLimits {
            requests_per_minute: self.requests_per_minute.map(NonZeroU32::get),
            parallel_runs: self.parallel_runs,
            tokens_per_day: self.tokens_per_day,
            money_per_day,
            currency,
        }
    }

    /// Returns whether there is any limit besides requests per minute, so that the usage must be fetched.
    pub(crate) fn need_counts(&self) -> bool {
        self.parallel_runs.is_some() || self.tokens_per_day.is_some() || self.money_per_day.is_some()
    }

    /// Validates the usage of a key against the limits before `another_run` or a single call.
    pub(crate) fn allow(&self, used: &KeyUse, another_run: bool, now: &Zoned) -> Result<(), ExceededLimit> {
        let reached =
            |limit, most, retry_after| ExceededLimit { limit, most, currency: None, uncounted: 0, retry_after };
        if let Some(most) = self.parallel_runs.map(u64::from).filter(|most| another_run && used.runs_at_work >= *most) {
            return Err(reached(LimitName::ParallelRuns, most, WHILE_AT_WORK));
        }
        if let Some(most) = self.tokens_per_day.filter(|most| used.tokens >= *most) {
            return Err(reached(LimitName::TokensPerDay, most, until_tomorrow(now)));
        }
        let Some(Cost { micros: most, currency }) = &self.money_per_day else { return Ok(()) };
        let others = used.micros.keys().filter(|other| *other != currency).count() as u64;
        let uncounted = used.unpriced + others;
        if uncounted > 0 || used.micros.get(currency).is_some_and(|spent| spent >= most) || *most == 0 {
            let reached = reached(LimitName::MoneyPerDay, *most, until_tomorrow(now));
            return Err(ExceededLimit { currency: Some(currency.clone()), uncounted, ..reached });
        }
        Ok(())
    }
}

/// Returns the seconds until the end of the day of `now`, at least 1.
fn until_tomorrow(now: &Zoned) -> u64 {
    let tomorrow = now.checked_add(1.day()).and_then(|same_time| same_time.start_of_day());
    let wait = tomorrow.map_or(0, |tomorrow| tomorrow.timestamp().as_second() - now.timestamp().as_second());
    u64::try_from(wait).unwrap_or(0).max(1)
}

/// A rate limiter by holder of keys. Each server has its own.
#[derive(Debug)]
pub(crate) struct RequestRateLimiter<C: Clock = DefaultClock> {
    clock: C,
    /// A bucket for each limit of the holder's keys.
    holders: Mutex<HashMap<String, Vec<Bucket<C>>>>,
}

#[derive(Debug)]
struct Bucket<C: Clock> {
    per_minute: NonZeroU32,
    limiter: RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<C::Instant>>,
}

impl Default for RequestRateLimiter {
    fn default() -> Self {
        Self::new(DefaultClock::default())
    }
}

impl<C: Clock + Clone> RequestRateLimiter<C> {
    fn new(clock: C) -> Self {
        Self { clock, holders: Mutex::default() }
    }

    /// Counts a request of the holder with a key of these limits. Allows the requests of a minute at once, and then
    /// requests at the average rate. Requests with other keys of the holder count as well.
    pub(crate) fn allow(&self, holder: &str, limits: &KeyUsageLimits) -> Result<(), ExceededLimit> {
        let Some(per_minute) = limits.requests_per_minute else { return Ok(()) };
        let mut holders = self.holders.lock().unwrap_or_else(PoisonError::into_inner);
        let buckets = holders.entry(holder.to_owned()).or_default();
        if !buckets.iter().any(|bucket| bucket.per_minute == per_minute) {
            let limiter = RateLimiter::direct_with_clock(Quota::per_minute(per_minute), self.clock.clone());
            buckets.push(Bucket { per_minute, limiter });
        }
        let (own, others): (Vec<_>, Vec<_>) = buckets.iter().partition(|bucket| bucket.per_minute == per_minute);
        for bucket in own {
            bucket.limiter.check().map_err(|early| ExceededLimit {
                limit: LimitName::RequestsPerMinute,
                most: per_minute.get().into(),
                currency: None,
                uncounted: 0,
                retry_after: whole_seconds(early.wait_time_from(self.clock.now())),
            })?;
        }
        // The limits of the other keys do not refuse this one.
        for bucket in others {
            let _ = bucket.limiter.check();
        }
        Ok(())
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn used(runs_at_work: u64, tokens: u64, micros: &[(&str, u64)], unpriced: u64) -> KeyUse {
        let micros = micros.iter().map(|(currency, micros)| ((*currency).to_owned(), *micros)).collect();
        KeyUse { runs_at_work, tokens, micros, unpriced }
    }

    #[test]
    fn a_limit_says_which_it_is_what_it_allows_and_when_to_come_back() {
        let now: Zoned = "2026-03-01T23:59:30+08:00[Asia/Shanghai]".parse().unwrap();
        let money = Cost { micros: 5_000_000, currency: "CNY".into() };
        let all = KeyUsageLimits {
            requests_per_minute: None,
            parallel_runs: Some(2),
            tokens_per_day: Some(1000),
            money_per_day: Some(money),
        };
        let none = KeyUsageLimits {
            parallel_runs: Some(0),
            money_per_day: Some(Cost { micros: 0, currency: "CNY".into() }),
            ..KeyUsageLimits::default()
        };
        for (limits, used, another_run, expected) in [
            (&KeyUsageLimits::default(), used(99, u64::MAX, &[("CNY", u64::MAX)], 9), true, None),
            (&all, used(1, 999, &[("CNY", 4_999_999)], 0), true, None),
            (&all, used(2, 0, &[], 0), true, Some((LimitName::ParallelRuns, 2, 10))),
            (&all, used(9, 0, &[], 0), false, None),
            (&all, used(0, 1000, &[], 0), true, Some((LimitName::TokensPerDay, 1000, 30))),
            (&all, used(0, 1001, &[], 0), false, Some((LimitName::TokensPerDay, 1000, 30))),
            (&all, used(0, 0, &[("CNY", 5_000_000)], 0), true, Some((LimitName::MoneyPerDay, 5_000_000, 30))),
            (&all, used(0, 0, &[("USD", 1)], 0), true, Some((LimitName::MoneyPerDay, 5_000_000, 30))),
            (&all, used(0, 0, &[], 1), true, Some((LimitName::MoneyPerDay, 5_000_000, 30))),
            (&none, used(0, 0, &[], 0), true, Some((LimitName::ParallelRuns, 0, 10))),
            (&none, used(0, 0, &[], 0), false, Some((LimitName::MoneyPerDay, 0, 30))),
        ] {
            let found = limits.allow(&used, another_run, &now).err();
            let found = found.map(|exceeded| (exceeded.limit, exceeded.most, exceeded.retry_after));
            assert_eq!(found, expected, "{used:?}");
        }
        let uncounted = all.allow(&used(0, 0, &[("USD", 1)], 2), true, &now).unwrap_err();
        assert_eq!(
            uncounted.to_string(),
            "this key allows 5 CNY in a day, and the price of 3 calls is not known in CNY"
        );
    }

    #[test]
    fn a_day_ends_with_the_clock_of_its_place() {
        for (now, seconds) in [
            ("2026-03-01T00:00:00+08:00[Asia/Shanghai]", 24 * 3600),
            ("2026-03-29T00:00:00+01:00[Europe/Berlin]", 23 * 3600),
            ("2026-10-25T00:00:00+02:00[Europe/Berlin]", 25 * 3600),
            ("2026-03-01T23:59:59.9+00:00[UTC]", 1),
        ] {
            assert_eq!(until_tomorrow(&now.parse().unwrap()), seconds, "{now}");
        }
    }

    #[test]
    fn requests_are_held_to_the_pace_of_their_key() {
        let clock = FakeRelativeClock::default();
        let pace = RequestRateLimiter::new(clock.clone());
        let limits = |per_minute| KeyUsageLimits {
            requests_per_minute: NonZeroU32::new(per_minute),
            ..KeyUsageLimits::default()
        };
        let count = |key: &str, per_minute, asked: usize| {
            (0..asked).filter(|_| pace.allow(key, &limits(per_minute)).is_ok()).count()
        };
        assert_eq!((count("a", 6, 10), count("b", 6, 3), count("free", 0, 1000)), (6, 3, 1000));
        let refused = pace.allow("a", &limits(6)).unwrap_err();
        assert_eq!((refused.limit, refused.most, refused.retry_after), (LimitName::RequestsPerMinute, 6, 10));
        clock.advance(Duration::from_secs(4));
        assert_eq!(pace.allow("a", &limits(6)).unwrap_err().retry_after, 6);
        clock.advance(Duration::from_secs(6));
        assert_eq!(count("a", 6, 10), 1, "one each ten seconds");
        clock.advance(Duration::from_secs(600));
        assert_eq!(count("a", 6, 10), 6, "no more is saved up than a minute's");
        assert_eq!(count("a", 20, 100), 20, "a new limit counts anew");
        assert_eq!((count("two keys", 6, 2), count("two keys", 20, 3), count("two keys", 6, 6)), (2, 3, 1));
        assert_eq!(count("two keys", 20, 100), 16);
    }
}
