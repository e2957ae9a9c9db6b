//! The paid calls of runs, and their cost.

use jiff::Timestamp;
use qingyu_db::sql::Connection;

use super::calls::{self, AgentUsage, Call, ChargeKey};
use super::repository::Runs;
use super::row::project_of;
use crate::error::Error;
use crate::spending::{self, Spending, SpendingQuery};

impl Runs {
    /// Records paid calls in a transaction. Duplicates are ignored; a new call replaces its booked charges. Returns the
    /// number of new calls.
    pub async fn record_calls(&self, run: &str, calls: Vec<Call>, at: Timestamp) -> Result<usize, Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        let job = move |connection: &Connection| {
            let project = project_of(connection, &user, &run)?;
            let mut fresh = 0;
            for call in &calls {
                fresh += calls::insert(connection, &user, &project, &run, call, at)?;
            }
            Ok(fresh)
        };
        self.database.write(job).await
    }

    /// Books charges of unfinished calls in a transaction. A charge counts until the call is recorded; the charge of a
    /// call that never succeeds stays.
    pub async fn record_charges(&self, run: &str, charges: Vec<(ChargeKey, Call)>, at: Timestamp) -> Result<(), Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        let job = move |connection: &Connection| {
            let project = project_of(connection, &user, &run)?;
            for (key, charge) in &charges {
                calls::insert_charge(connection, &user, &project, &run, (key, charge), at)?;
            }
            Ok(())
        };
        self.database.write(job).await
    }

    /// Returns the usage of a run, by agent.
    pub async fn usage(&self, run: &str) -> Result<Vec<AgentUsage>, Error> {
        self.usage_where("run_id = ?2", run).await
    }

    /// Returns the usage of all runs of a project, by agent.
    pub async fn usage_of_project(&self, project: &str) -> Result<Vec<AgentUsage>, Error> {
        self.usage_where("project_id = ?2", project).await
    }

    /// Records a paid call outside runs, such as a question, with its `project` if any.
    pub async fn record_outside(&self, project: Option<&str>, call: Call, at: Timestamp) -> Result<(), Error> {
        let (user, key, project) = (self.user.clone(), self.key.clone(), project.map(str::to_owned));
        let job = move |connection: &Connection| {
            spending::insert(connection, &user, key.as_deref(), project.as_deref(), &call, at)
        };
        self.database.write(job).await
    }

    /// Returns the cost of the calls of `query`, with a row for each combination of attributes; oldest first.
    pub async fn spending(&self, query: SpendingQuery) -> Result<Vec<Spending>, Error> {
        let user = self.user.clone();
        self.database.read(move |connection| spending::rows(connection, &user, &query)).await
    }

    /// Returns the total cost of the calls of `query`, with a row for each model and currency, and for unpriced calls.
    pub async fn spent(&self, query: SpendingQuery) -> Result<Vec<Spending>, Error> {
        let user = self.user.clone();
        self.database.read(move |connection| spending::totals(connection, &user, &query)).await
    }

    async fn usage_where(&self, condition: &'static str, value: &str) -> Result<Vec<AgentUsage>, Error> {
        let (user, value) = (self.user.clone(), value.to_owned());
        let job = move |connection: &Connection| calls::usage(connection, "user_id", condition, (&user, &value));
        Ok(self.database.read(job).await?.into_iter().map(|(_, usage)| usage).collect())
    }
}
