//! Schedules of productions: an order that a server at work gives to a production by itself, again and again.

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use qingyu_agents::production::Order;
use qingyu_store::{ProductionSchedule, Projects, ScheduledProject, ScheduledTurn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::access::scope::Right;
use crate::error::Error;
use crate::productions::start::TellRequest;
use crate::runs::status::RunStatus;
use crate::settings::backups::interval;
use crate::storage::schedule::later;
use crate::studio::Studio;

/// The schedule of a production; empty without one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ScheduleStatus {
    /// The time between two turns, such as `1w`; `None` without a schedule.
    pub every: Option<String>,
    /// The order that the production gets; `None` for its next phase.
    pub order: Option<Order>,
    /// The time of the next turn, by a server at work; the present if it is due.
    pub next: Option<Timestamp>,
    /// The last turn; `None` before the first.
    pub last: Option<ScheduledRun>,
}

/// A turn of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScheduledRun {
    /// The time.
    pub at: Timestamp,
    /// The run that got the order; `None` if none did.
    pub run: Option<String>,
    /// The present status of the run; `None` if there is none any more.
    pub status: Option<RunStatus>,
    /// The reason why no run got the order.
    pub failure: Option<ScheduleFailure>,
}

/// The reason why a run did not get an order of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScheduleFailure {
    /// The stable code of the error.
    pub code: String,
    /// The error.
    pub message: String,
}

impl Studio {
    /// Returns the schedule of a production.
    pub async fn schedule(&self, project: &str) -> Result<ScheduleStatus, Error> {
        let id = self.find_project(project).await?.id;
        let Some(kept) = self.kept_schedule(&id).await? else { return Ok(ScheduleStatus::default()) };
        let ProductionSchedule { every, order, next, last } = kept;
        let last = match last {
            Some(turn) => Some(self.scheduled_run(turn).await),
            None => None,
        };
        let order = serde_json::from_value(order).unwrap_or_default();
        Ok(ScheduleStatus { every: Some(every), order, next: Some(next.max(Timestamp::now())), last })
    }

    /// Sets the schedule of a production; no schedule without `every`, a number with `m`, `h`, `d` or `w`. The first turn
    /// is after one interval, or stays if the interval stays. Requires [`Right::Approve`] on all projects of the owner, since
    /// the runs have the owner's right and no limits of a key.
    ///
    /// Returns [`Error::BadRequest`] for a text that is no interval, and [`Error::Conflict`] after a concurrent change.
    pub async fn set_schedule(
        &self,
        project: &str,
        every: Option<&str>,
        order: Option<Order>,
    ) -> Result<ScheduleStatus, Error> {
        self.scope().demand(Right::Approve)?;
        self.scope().demand_all()?;
        let id = self.find_project(project).await?.id;
        let known = self.kept_schedule(&id).await?;
        let schedule = match every.map(str::trim) {
            Some(every) => {
                let bad = |message: String| Error::BadRequest { path: "every".into(), message };
                let first = later(Timestamp::now(), interval(every).map_err(bad)?);
                let same = known.as_ref().filter(|known| known.every == every);
                let next = same.map_or(first, |known| known.next);
                let last = known.as_ref().and_then(|known| known.last.clone());
                Some(ProductionSchedule { every: every.to_owned(), order: serde_json::json!(order), next, last })
            }
            None => None,
        };
        if !self.replace_schedule(&id, known.as_ref(), schedule.as_ref()).await? {
            return Err(Error::Conflict { project: id });
        }
        self.schedule(&id).await
    }

    /// Gives their orders to all productions of all users that are due at `now`: for servers. A missed time is made up for
    /// once. A turn is taken before its order is given: a server that dies in between loses the turn and repeats none.
    pub(crate) async fn start_due_productions(&self, now: Timestamp) -> Result<(), Error> {
        let scheduled = Projects::scheduled(self.database()).await;
        for ScheduledProject { user, project, schedule } in scheduled.map_err(|error| self.place("").store(error))? {
            if schedule.next > now {
                continue;
            }
            let started = self.on_behalf_of(&user)?.start_scheduled(&project, &schedule, now).await;
            if let Err(error) = started {
                tracing::warn!(project, %error, "a scheduled production was not started");
            }
        }
        Ok(())
    }

    async fn start_scheduled(&self, project: &str, due: &ProductionSchedule, now: Timestamp) -> Result<(), Error> {
        let bad = |message: String| Error::Internal { message };
        let next = later(now, interval(&due.every).map_err(bad)?);
        let turn = ScheduledTurn { at: now, run: None, failure: None };
        let taken = ProductionSchedule { next, last: Some(turn.clone()), ..due.clone() };
        if !self.replace_schedule(project, Some(due), Some(&taken)).await? {
            // Another server has taken the turn, or the schedule was changed.
            return Ok(());
        }
        let order = serde_json::from_value(due.order.clone()).unwrap_or_default();
        let request = TellRequest { project: project.to_owned(), order, model: None, overrides: Table::new() };
        let turn = match self.tell(request).await {
            Ok(handle) => ScheduledTurn { run: Some(handle.run().to_owned()), ..turn },
            Err(error) => {
                tracing::warn!(project, %error, "a scheduled production refused its order");
                ScheduledTurn { failure: Some((error.code().to_owned(), error.to_string())), ..turn }
            }
        };
        let told = ProductionSchedule { last: Some(turn), ..taken.clone() };
        // A schedule that was changed meanwhile stays as it is.
        self.replace_schedule(project, Some(&taken), Some(&told)).await.map(drop)
    }

    async fn scheduled_run(&self, turn: ScheduledTurn) -> ScheduledRun {
        let ScheduledTurn { at, run, failure } = turn;
        let row = match &run {
            Some(run) => self.run(run).await.ok(),
            None => None,
        };
        let failure = failure.map(|(code, message)| ScheduleFailure { code, message });
        ScheduledRun { at, run, status: row.map(|row| row.status), failure }
    }

    async fn kept_schedule(&self, project: &str) -> Result<Option<ProductionSchedule>, Error> {
        self.projects_table().schedule(project).await.map_err(|error| self.place("").store(error))
    }

    async fn replace_schedule(
        &self,
        project: &str,
        known: Option<&ProductionSchedule>,
        schedule: Option<&ProductionSchedule>,
    ) -> Result<bool, Error> {
        let set = self.projects_table().set_schedule(project, known, schedule).await;
        set.map_err(|error| self.place("").store(error))
    }
}
