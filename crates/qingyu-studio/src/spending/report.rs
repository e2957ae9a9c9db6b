//! Spending reports.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use qingyu_llm::Cost;
use qingyu_store::{Spending, SpendingQuery};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};
use crate::spending::account::today;
use crate::studio::Studio;

/// The grouping of a spending report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpendingBy {
    /// By run; calls outside runs form a single row.
    #[default]
    Run,
    /// By project.
    Project,
    /// By chapter; calls outside chapters form a single row.
    Chapter,
    /// By agent.
    Agent,
    /// By purpose.
    Purpose,
    /// By model.
    Model,
    /// By day of the local clock.
    Day,
}

/// A spending report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpendingReport {
    /// The project or run; `None` for all spending.
    pub of: Option<String>,
    /// The grouping.
    pub by: SpendingBy,
    /// The rows: chapters sorted by number, days and runs by time, others by name.
    pub rows: Vec<SpendingRow>,
    /// The total.
    pub total: SpendingRow,
    /// Today's total spending, as counted by the daily budget.
    pub today: SpendingRow,
}

/// A row of a spending report.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SpendingRow {
    /// The group: a run ID, chapter number, agent, model or day; empty for calls outside any group.
    pub key: String,
    /// The number of paid calls.
    pub calls: u64,
    /// The number of attempts, including retries.
    pub attempts: u64,
    /// Request tokens, including cached tokens.
    pub input: u64,
    /// Request tokens read from the providers' caches.
    pub cached: u64,
    /// Answer tokens.
    pub output: u64,
    /// Whether some numbers are estimates because a provider returned no usage.
    pub estimated: bool,
    /// The costs, by currency.
    pub costs: Vec<Cost>,
    /// The number of calls without a known price.
    pub unpriced: u64,
    /// The number of calls replayed from a recording at no cost.
    pub replayed: u64,
}

impl Studio {
    /// Returns the spending of a project or run, named as for [`resume`](Self::resume), or all spending by default.
    ///
    /// Returns [`Error::Forbidden`] for all spending if the caller sees only some projects.
    pub async fn spending(&self, of: Option<&str>, by: SpendingBy) -> Result<SpendingReport, Error> {
        let mut query = SpendingQuery::default();
        if of.is_none() {
            self.scope().demand_all()?;
        }
        if let Some(given) = of {
            let projects = self.projects_table().find(given).await;
            match projects {
                Ok(project) if !self.scope().sees(&project.id) => return Err(Error::unknown(Noun::Project, given)),
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
}

/// Returns the date of a timestamp, by the local clock.
fn day_of(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%Y-%m-%d").to_string()
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

    /// Free calls fit any currency.
    fn pay(&mut self, micros: u64, currency: &str) {
        match self.costs.iter_mut().find(|cost| cost.currency == currency) {
            Some(cost) => cost.micros += micros,
            None if micros == 0 => {}
            None => self.costs.push(Cost { micros, currency: currency.into() }),
        }
    }
}

/// Returns the rows of a report.
fn told_apart(rows: &[Spending], by: SpendingBy) -> Vec<SpendingRow> {
    let mut found: Vec<((u32, String), SpendingRow)> = Vec::new();
    for row in rows {
        // Sorts numbers numerically, and calls outside any group last.
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
    // Runs and days stay in the order of their calls.
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
