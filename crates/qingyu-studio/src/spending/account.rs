//! Today's spending outside a run.

use std::sync::OnceLock;

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::{Timestamp, Zoned};
use qingyu_llm::stack::{ModelSpending, SpendingSource};
use qingyu_store::{Runs, SpendingQuery};

use crate::spending::calls;
use crate::spending::calls::TokenCount;

/// Today's spending of all runs except one.
#[derive(Debug)]
pub(crate) struct OtherSpending {
    pub(super) runs: Runs,
    pub(super) count: TokenCount,
    /// The excluded run; unset until the run has an ID.
    pub(super) run: OnceLock<String>,
}

impl OtherSpending {
    /// Returns the excluded run, once known.
    pub(crate) fn run(&self) -> Option<&str> {
        self.run.get().map(String::as_str)
    }

    /// Sets the excluded run, to avoid counting its calls in duplicate.
    pub(crate) fn belongs_to(&self, run: &str) {
        // Already set for a resumed run.
        let _ = self.run.set(run.to_owned());
    }
}

impl SpendingSource for OtherSpending {
    fn spent(&self) -> BoxFuture<'_, Result<ModelSpending, qingyu_llm::Error>> {
        async move {
            let query = SpendingQuery { but_run: self.run.get().cloned(), ..today() };
            let rows = self.runs.spent(query).await;
            let failed =
                |error: qingyu_store::Error| qingyu_llm::Error::Settings(format!("what was spent today: {error}"));
            Ok(calls::spent(&rows.map_err(failed)?, &self.count))
        }
        .boxed()
    }
}

/// Returns a query for today's spending, by the local clock.
pub(crate) fn today() -> SpendingQuery {
    let since = midnight(&Zoned::now());
    SpendingQuery { since: Some(since), paid: true, ..SpendingQuery::default() }
}

/// Returns the start of the day of `now`.
pub(super) fn midnight(now: &Zoned) -> Timestamp {
    now.start_of_day().map_or_else(|_| now.timestamp(), |midnight| midnight.timestamp())
}
