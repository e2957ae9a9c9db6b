//! What has been spent: for the budgets of runs and days, and for people who ask.

use std::sync::{Arc, OnceLock};

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use qingyu_llm::Prices;
use qingyu_llm::stack::{Day, Elsewhere, Ledger, Scope as Whose, Spent};
use qingyu_store::{Runs, Spending, SpendingQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;

use crate::access::{KeySpending, Wanted};
use crate::calls::{Charges, Pricing, TokenCount};
use crate::roster::Roster;
use crate::{Cost, Error, Studio, calls};

/// What others than one run have spent today.
#[derive(Debug)]
pub(crate) struct OtherSpending {
    runs: Runs,
    count: TokenCount,
    /// The run, once it is known: it has no id before it begins.
    run: OnceLock<String>,
}

impl OtherSpending {
    /// Whose ledger it is, once that is known.
    pub(crate) fn run(&self) -> Option<&str> {
        self.run.get().map(String::as_str)
    }

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
            let rows = self.runs.spent(query).await;
            let failed =
                |error: qingyu_store::Error| qingyu_llm::Error::Settings(format!("what was spent today: {error}"));
            Ok(calls::spent(&rows.map_err(failed)?, &self.count))
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
fn midnight(now: &Zoned) -> Timestamp {
    now.start_of_day().map_or_else(|_| now.timestamp(), |midnight| midnight.timestamp())
}

/// The day of a moment, by the clock of this machine.
fn day_of(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d").to_string()
}

/// By what spending is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpendingBy {
    /// By run; what was asked outside of runs together.
    #[default]
    Run,
    /// By project.
    Project,
    /// By chapter; what was for none together.
    Chapter,
    /// By agent.
    Agent,
    /// By purpose.
    Purpose,
    /// By model.
    Model,
    /// By day, by the clock of this machine.
    Day,
}

/// What was spent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpendingReport {
    /// The project or run it is about; none for everything.
    pub of: Option<String>,
    /// By what it is told apart.
    pub by: SpendingBy,
    /// A row for each, in their order: chapters by number, days and runs by time, others by name.
    pub rows: Vec<SpendingRow>,
    /// All of it.
    pub total: SpendingRow,
    /// What has been spent today, by everything, against the budget of the day.
    pub today: SpendingRow,
}

/// What was spent for one thing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SpendingRow {
    /// What for: a run's id, a chapter's number, an agent, a model, a day; empty for what belongs to none.
    pub key: String,
    /// Paid calls.
    pub calls: u64,
    /// How often models were asked for them.
    pub attempts: u64,
    /// Tokens of the requests, cached ones included.
    pub input: u64,
    /// Of these, read from the providers' caches.
    pub cached: u64,
    /// Tokens of the answers.
    pub output: u64,
    /// Whether some of it was estimated because a provider did not say.
    pub estimated: bool,
    /// The money, by currency.
    pub costs: Vec<Cost>,
    /// Calls whose price is not known.
    pub unpriced: u64,
    /// Calls that were played from a recording and cost nothing.
    pub replayed: u64,
}

impl SpendingRow {
    fn add(&mut self, row: &Spending) {
        if row.replayed {
            self.replayed += row.calls;
            return;
        }
        self.calls += row.calls;
        self.attempts += row.attempts;
        self.input += row.input;
        self.cached += row.cached;
        self.output += row.output;
        self.estimated |= row.estimated;
        match (row.cost_micros, &row.currency) {
            (Some(micros), Some(currency)) => self.pay(micros, currency),
            _ => self.unpriced += row.calls,
        }
    }

    /// What is free is of any currency.
    fn pay(&mut self, micros: u64, currency: &str) {
        match self.costs.iter_mut().find(|cost| cost.currency == currency) {
            Some(cost) => cost.micros += micros,
            None if micros == 0 => {}
            None => self.costs.push(Cost { micros, currency: currency.into() }),
        }
    }
}

/// The rows of a report.
fn told_apart(rows: &[Spending], by: SpendingBy) -> Vec<SpendingRow> {
    let mut found: Vec<((u32, String), SpendingRow)> = Vec::new();
    for row in rows {
        // Numbers are in their order, and what belongs to nothing comes last.
        let place = match by {
            SpendingBy::Chapter => (row.chapter.unwrap_or(u32::MAX), String::new()),
            SpendingBy::Run => (0, row.run.clone()),
            SpendingBy::Project => (0, row.project.clone()),
            SpendingBy::Agent => (0, row.agent.clone()),
            SpendingBy::Purpose => (0, row.purpose.clone()),
            SpendingBy::Model => (0, row.model.clone()),
            SpendingBy::Day => (0, day_of(row.at)),
        };
        let index = found.iter().position(|(key, _)| *key == place).unwrap_or_else(|| {
            let key = match by {
                SpendingBy::Chapter => row.chapter.map(|chapter| chapter.to_string()).unwrap_or_default(),
                _ => place.1.clone(),
            };
            found.push((place.clone(), SpendingRow { key, ..SpendingRow::default() }));
            found.len() - 1
        });
        found[index].1.add(row);
    }
    // Runs and days come by time, as the calls do.
    if !matches!(by, SpendingBy::Run | SpendingBy::Day) {
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    found.into_iter().map(|(_, row)| row).collect()
}

fn together(rows: &[Spending]) -> SpendingRow {
    let mut all = SpendingRow::default();
    rows.iter().for_each(|row| all.add(row));
    all
}

/// Books what is charged outside of runs, also if nobody waits for the answer any more.
pub(crate) struct Books(JoinHandle<()>);

impl Books {
    /// Books `charges` of a project until nobody can be charged any more.
    pub(crate) fn open(runs: Runs, project: String, pricing: Pricing, mut charges: Charges) -> Self {
        Self(tokio::spawn(async move {
            while let Some(charge) = charges.recv().await {
                let call = pricing.charged(charge);
                // The offline model uses nothing.
                if call.input + call.output == 0 {
                    continue;
                }
                // The answer is there; that its price was not written down must not take it away.
                if let Err(error) = runs.record_outside(Some(&project), call, Timestamp::now()).await {
                    tracing::error!(%error, "a charge could not be booked");
                }
            }
        }))
    }

    /// Waits until everything is booked that `charged` was charged.
    pub(crate) async fn close<T>(self, charged: T) {
        drop(charged);
        if let Err(error) = self.0.await {
            tracing::error!(%error, "charges could not be booked");
        }
    }
}

impl Studio {
    /// What was spent: for a project or a run, named as for [`resume`](Self::resume), or for everything.
    pub async fn spending(&self, of: Option<&str>, by: SpendingBy) -> Result<SpendingReport, Error> {
        let mut query = SpendingQuery::default();
        if let Some(given) = of {
            let projects = self.projects_table().find(given).await;
            match projects {
                Ok(project) => query.project = Some(project.id),
                Err(qingyu_store::Error::UnknownProject { .. }) => query.run = Some(self.find_run(given).await?.id),
                Err(error) => return Err(self.place("").store(error)),
            }
        }
        let bad = |error| self.place("").store(error);
        let of = query.project.clone().or_else(|| query.run.clone());
        let rows = self.runs_table().spending(query).await.map_err(bad)?;
        let today = self.runs_table().spending(today()).await.map_err(bad)?;
        Ok(SpendingReport { of, by, rows: told_apart(&rows, by), total: together(&rows), today: together(&today) })
    }

    /// The ledger of a run, with what it has spent before if it goes on.
    pub(crate) async fn ledger(
        &self,
        roster: &Roster<'_>,
        prices: Prices,
        run: Option<&str>,
    ) -> Result<(Ledger, Arc<OtherSpending>), Error> {
        self.refuse_over_limits(Wanted::Call).await?;
        let bad = |error| self.place(run.unwrap_or_default()).store(error);
        let runs = self.runs_table();
        let count = TokenCount { prices: prices.clone(), free_models: roster.free_models() };
        let account = Arc::new(OtherSpending { runs: runs.clone(), count: count.clone(), run: OnceLock::new() });
        let (mut before, mut before_today) = (Spent::default(), Spent::default());
        if let Some(run) = run {
            account.belongs_to(run);
            let of_run = SpendingQuery { run: Some(run.to_owned()), paid: true, ..SpendingQuery::default() };
            before = calls::spent(&runs.spending(of_run).await.map_err(bad)?, &count);
            let of_today = SpendingQuery { run: Some(run.to_owned()), ..today() };
            before_today = calls::spent(&runs.spending(of_today).await.map_err(bad)?, &count);
        }
        let mut ledger = Ledger::resumed(roster.budget(), prices, before).with_free_models(count.free_models);
        if let Some(budget) = self.scope().day_budget() {
            // A run that goes on counts as its key's, whoever began it.
            let elsewhere: Arc<dyn Elsewhere> = Arc::new(KeySpending::new(self, account.clone()));
            ledger = ledger.with_day(Day { scope: Whose::Key, budget, before: before_today.clone(), elsewhere });
        }
        if let Some(budget) = roster.day_budget() {
            let elsewhere: Arc<dyn Elsewhere> = account.clone();
            ledger = ledger.with_day(Day { scope: Whose::Day, budget, before: before_today, elsewhere });
        }
        Ok((ledger, account))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(run: &str, chapter: Option<u32>, cost: Option<(u64, &str)>) -> Spending {
        Spending {
            run: run.into(),
            chapter,
            model: format!("m-{run}"),
            calls: 2,
            attempts: 3,
            input: 100,
            cached: 40,
            output: 10,
            cost_micros: cost.map(|(micros, _)| micros),
            currency: cost.map(|(_, currency)| currency.into()),
            ..Spending::default()
        }
    }

    #[test]
    fn spending_is_told_apart_and_added_up() {
        let rows = [
            row("r-2", Some(10), Some((5, "CNY"))),
            row("r-2", Some(2), Some((7, "CNY"))),
            row("r-1", None, Some((3, "USD"))),
            row("r-1", Some(2), None),
            Spending { replayed: true, ..row("r-3", Some(2), Some((9, "CNY"))) },
        ];
        let keys = |by| told_apart(&rows, by).into_iter().map(|row| row.key).collect::<Vec<_>>();
        assert_eq!(keys(SpendingBy::Chapter), ["2", "10", ""]);
        assert_eq!(keys(SpendingBy::Run), ["r-2", "r-1", "r-3"], "by time");
        assert_eq!(keys(SpendingBy::Model), ["m-r-1", "m-r-2", "m-r-3"]);
        assert_eq!(keys(SpendingBy::Day).len(), 1);
        let second = told_apart(&rows, SpendingBy::Chapter).remove(0);
        assert_eq!((second.calls, second.attempts, second.unpriced, second.replayed), (4, 6, 2, 2));
        assert_eq!(second.costs, [Cost { micros: 7, currency: "CNY".into() }]);
        let all = together(&rows);
        assert_eq!((all.calls, all.input, all.costs.len()), (8, 400, 2), "a replay costs nothing");
    }
}
