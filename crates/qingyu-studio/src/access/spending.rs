//! What has been paid for with a key, before something is begun and before every call.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::{Timestamp, Zoned};
use qingyu_llm::Usage;
use qingyu_llm::stack::{Budget, Elsewhere, Overdraft, Spent};
use qingyu_store::{KeyUse, Keys};

use super::limits::until_tomorrow;
use super::{Exceeded, LimitName, Scope};
use crate::spending::OtherSpending;
use crate::{Error, Studio};

/// What is to be begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A run, which is at work for a while.
    Run,
    /// Calls by themselves, or those of a run that has begun.
    Call,
}

impl Studio {
    /// Fails with [`Error::Limit`] if the key of whoever asks does not allow it now.
    pub(crate) async fn refuse_over_limits(&self, wanted: Wanted) -> Result<(), Error> {
        let scope = self.scope();
        let Some(key) = scope.key().filter(|_| scope.limits.need_counts()) else { return Ok(()) };
        let now = Zoned::now();
        let used = Keys::new(self.database()).usage(scope.user(), key, None, midnight(&now)).await;
        let used: KeyUse = used.map_err(|error| self.place("").store(error))?;
        scope.limits.allow(&used, wanted == Wanted::Run, &now).map_err(Error::Limit)
    }
}

impl Scope {
    /// What may be spent in a day with the key, if that is limited.
    pub(crate) fn day_budget(&self) -> Option<Budget> {
        let budget = Budget { tokens: self.limits.tokens_per_day, money: self.limits.money_per_day.clone() };
        (budget != Budget::default()).then_some(budget)
    }
}

/// What others than one run have spent today with the key of whoever asks.
#[derive(Debug)]
pub(crate) struct KeySpending {
    keys: Keys,
    user: String,
    key: String,
    account: Arc<OtherSpending>,
}

impl KeySpending {
    /// Beside the run that has this account.
    pub(crate) fn new(studio: &Studio, account: Arc<OtherSpending>) -> Self {
        let (user, key) = (studio.scope().user().to_owned(), studio.scope().key().unwrap_or_default().to_owned());
        Self { keys: Keys::new(studio.database()), user, key, account }
    }
}

impl Elsewhere for KeySpending {
    fn spent(&self) -> BoxFuture<'_, Result<Spent, qingyu_llm::Error>> {
        async move {
            let used = self.keys.usage(&self.user, &self.key, self.account.run(), midnight(&Zoned::now())).await;
            let failed =
                |error: qingyu_store::Error| qingyu_llm::Error::Settings(format!("what the key has spent: {error}"));
            let KeyUse { tokens, micros, unpriced, .. } = used.map_err(failed)?;
            let usage = Usage { input: tokens, ..Usage::default() };
            Ok(Spent { usage, micros, unpriced: u32::try_from(unpriced).unwrap_or(u32::MAX), ..Spent::default() })
        }
        .boxed()
    }
}

impl Exceeded {
    /// The limit of a key that the next call of a run would have gone over.
    pub(crate) fn by_call(over: Overdraft) -> Self {
        let limit = if over.currency.is_some() { LimitName::MoneyPerDay } else { LimitName::TokensPerDay };
        let retry_after = until_tomorrow(&Zoned::now());
        Self { limit, most: over.limit, currency: over.currency, uncounted: 0, retry_after }
    }
}

fn midnight(now: &Zoned) -> Timestamp {
    now.start_of_day().map_or_else(|_| now.timestamp(), |midnight| midnight.timestamp())
}
