//! What has been spent: for the budgets of runs and days, and for people who ask.

use std::sync::{Arc, OnceLock};

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use qingyu_llm::Prices;
use qingyu_llm::stack::{Day, Elsewhere, Ledger, Spent};
use qingyu_store::{Runs, SpendingQuery};

use crate::roster::Roster;
use crate::{Error, Studio, calls};

/// What others than one run have spent today.
#[derive(Debug)]
pub(crate) struct OtherSpending {
    runs: Runs,
    /// The run, once it is known: it has no id before it begins.
    run: OnceLock<String>,
}

impl OtherSpending {
    /// Says whose ledger it is, so that nothing is counted twice.
    pub(crate) fn belongs_to(&self, run: &str) {
        // A run that goes on was known from the beginning.
        let _ = self.run.set(run.to_owned());
    }
}

impl Elsewhere for OtherSpending {
    fn spent(&self) -> BoxFuture<'_, Result<Spent, qingyu_llm::Error>> {
        async move {
            let query = SpendingQuery { but_run: self.run.get().cloned(), ..today() };
            let rows = self.runs.spending(query).await;
            let failed =
                |error: qingyu_store::Error| qingyu_llm::Error::Settings(format!("what was spent today: {error}"));
            Ok(calls::spent(&rows.map_err(failed)?))
        }
        .boxed()
    }
}

/// What was paid today, by the clock of this machine.
fn today() -> SpendingQuery {
    let since = midnight(&Zoned::now());
    SpendingQuery { since: Some(since), paid: true, ..SpendingQuery::default() }
}

/// When the day of `now` began.
pub(crate) fn midnight(now: &Zoned) -> Timestamp {
    now.start_of_day().map_or_else(|_| now.timestamp(), |midnight| midnight.timestamp())
}

/// The day of a moment, by the clock of this machine.
pub(crate) fn day_of(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d").to_string()
}

impl Studio {
    /// The ledger of a run, with what it has spent before if it goes on.
    pub(crate) async fn ledger(
        &self,
        roster: &Roster<'_>,
        prices: Prices,
        run: Option<&str>,
    ) -> Result<(Ledger, Arc<OtherSpending>), Error> {
        let bad = |error| self.place(run.unwrap_or_default()).store(error);
        let runs = self.runs_table();
        let account = Arc::new(OtherSpending { runs: runs.clone(), run: OnceLock::new() });
        let (mut before, mut before_today) = (Spent::default(), Spent::default());
        if let Some(run) = run {
            account.belongs_to(run);
            let of_run = SpendingQuery { run: Some(run.to_owned()), paid: true, ..SpendingQuery::default() };
            before = calls::spent(&runs.spending(of_run).await.map_err(bad)?);
            let of_today = SpendingQuery { run: Some(run.to_owned()), ..today() };
            before_today = calls::spent(&runs.spending(of_today).await.map_err(bad)?);
        }
        let ledger = Ledger::resumed(roster.budget(), prices, before);
        let Some(budget) = roster.day_budget() else { return Ok((ledger, account)) };
        let elsewhere: Arc<dyn Elsewhere> = account.clone();
        Ok((ledger.with_day(Day { budget, before: before_today, elsewhere }), account))
    }
}
