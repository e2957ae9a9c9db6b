//! Spending limits of keys, validated before each start and each call.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Zoned;
use qingyu_llm::Usage;
use qingyu_llm::stack::{ModelSpending, SpendingBudget, SpendingSource};
use qingyu_store::{KeyUse, Keys};

use crate::access::scope::AccessScope;
use crate::error::Error;
use crate::spending::account::{OtherSpending, midnight};
use crate::studio::Studio;

/// Work subject to limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BillableWork {
    /// A run, working for a while.
    Run,
    /// A single call, or a call of an active run.
    Call,
}

impl Studio {
    /// Returns [`Error::Limit`] if the caller's key does not allow the work now.
    pub(crate) async fn refuse_over_limits(&self, wanted: BillableWork) -> Result<(), Error> {
        let scope = self.scope();
        let Some(key) = scope.key().filter(|_| scope.limits().need_counts()) else { return Ok(()) };
        let now = Zoned::now();
        let used = Keys::new(self.database()).usage(scope.user(), key, None, midnight(&now)).await;
        let used: KeyUse = used.map_err(|error| self.place("").store(error))?;
        scope.limits().allow(&used, wanted == BillableWork::Run, &now).map_err(Error::Limit)
    }
}

impl AccessScope {
    /// Returns the daily budget of the key; `None` without a limit.
    pub(crate) fn day_budget(&self) -> Option<SpendingBudget> {
        let budget =
            SpendingBudget { tokens: self.limits().tokens_per_day, money: self.limits().money_per_day.clone() };
        (budget != SpendingBudget::default()).then_some(budget)
    }
}

/// Today's spending of the caller's key, except a single run.
#[derive(Debug)]
pub(crate) struct KeySpending {
    keys: Keys,
    user: String,
    key: String,
    account: Arc<OtherSpending>,
}

impl KeySpending {
    /// Excludes the run with the given account.
    pub(crate) fn new(studio: &Studio, account: Arc<OtherSpending>) -> Self {
        let (user, key) = (studio.scope().user().to_owned(), studio.scope().key().unwrap_or_default().to_owned());
        Self { keys: Keys::new(studio.database()), user, key, account }
    }
}

impl SpendingSource for KeySpending {
    fn spent(&self) -> BoxFuture<'_, Result<ModelSpending, qingyu_llm::Error>> {
        async move {
            let used = self.keys.usage(&self.user, &self.key, self.account.run(), midnight(&Zoned::now())).await;
            let failed =
                |error: qingyu_store::Error| qingyu_llm::Error::Settings(format!("what the key has spent: {error}"));
            let KeyUse { tokens, micros, unpriced, .. } = used.map_err(failed)?;
            let usage = Usage { input: tokens, ..Usage::default() };
            Ok(ModelSpending {
                usage,
                micros,
                unpriced: u32::try_from(unpriced).unwrap_or(u32::MAX),
                ..ModelSpending::default()
            })
        }
        .boxed()
    }
}
