//! Schedules of productions: an order that a server at work gives to a production by itself, again and again.

#[cfg(test)]
mod tests;

use std::time::Duration;

use jiff::Timestamp;
use qingyu_agents::production::Order;
use qingyu_store::{ProductionSchedule, Projects, ScheduledProject, ScheduledTurn};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Table;

use crate::access::scope::Right;
use crate::error::Error;
use crate::error::record::FailureRecord;
use crate::productions::start::TellRequest;
use crate::runs::handle::RunHandle;
use crate::runs::status::RunStatus;
use crate::settings::backups::interval;
use crate::storage::schedule::later;
use crate::studio::Studio;

/// The number of tries to note what came of a turn while the schedule is changed.
const NOTES: usize = 3;

/// The time until another try of a turn that met a busy server or production.
const RETRY: Duration = Duration::from_secs(600);

/// The schedule of a production; empty without one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ScheduleStatus {
    /// The time between two turns, such as `1w`; `None` without a schedule.
    pub every: Option<String>,
    /// The order that the production gets; `None` for its next phase.
    pub order: Option<Order>,
    /// The time of the next turn, by a server at work; the present if it is due. None is started in the archive and the bin.
    pub next: Option<Timestamp>,
    /// The last turn; `None` before the first.
    pub last: Option<ScheduledRun>,
    /// What the caller lacks to set the schedule: the right `approve`, or a key for `all_projects` of the owner; `None` if
    /// the caller may set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<String>,
}

/// A turn of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScheduledRun {
    /// The time.
    pub at: Timestamp,
    /// The run that got the order; `None` if none did.
    pub run: Option<String>,
    /// The present status of the run; `None` if there is none any more.
    pub status: Option<RunStatus>,
    /// The error if no run got the order.
    pub failure: Option<FailureRecord>,
}

impl Studio {
    /// Returns the schedule of a production.
    pub async fn schedule(&self, project: &str) -> Result<ScheduleStatus, Error> {
        let id = self.find_project(project).await?.id;
        let needed = match self.may_schedule() {
            Err(Error::Forbidden { needed }) => Some(needed),
            _ => None,
        };
        let Some(kept) = self.kept_schedule(&id).await? else {
            return Ok(ScheduleStatus { needed, ..ScheduleStatus::default() });
        };
        let ProductionSchedule { every, order, next, last, .. } = kept;
        let last = match last {
            Some(turn) => Some(self.scheduled_run(turn).await?),
            None => None,
        };
        let next = Some(next.max(Timestamp::now()));
        Ok(ScheduleStatus { every: Some(every), order: read(order)?, next, last, needed })
    }

    /// Returns [`Error::Forbidden`] unless the caller may set the schedules of productions.
    fn may_schedule(&self) -> Result<(), Error> {
        self.scope().demand(Right::Approve)?;
        self.scope().demand_all()
    }

    /// Sets the schedule of a production; no schedule without `every`, a number with `m`, `h`, `d` or `w`. The first turn
    /// is after one interval, or stays if the interval stays. Requires [`Right::Approve`] on all projects of the owner. The
    /// limits of the caller's key count for the runs, and no run is started when the key is no longer valid. The change is
    /// committed together with its entry in the audit log.
    ///
    /// Returns [`Error::BadRequest`] for a text that is no interval and for an order without one, and [`Error::Conflict`]
    /// after a concurrent change.
    pub async fn set_schedule(
        &self,
        project: &str,
        every: Option<&str>,
        order: Option<Order>,
    ) -> Result<ScheduleStatus, Error> {
        self.may_schedule()?;
        let id = self.find_project(project).await?.id;
        let known = self.kept_schedule(&id).await?;
        let schedule = match every.map(str::trim) {
            Some(every) => {
                let bad = |message: String| Error::BadRequest { path: "every".into(), message };
                let first = later(Timestamp::now(), interval(every).map_err(bad)?);
                let same = known.as_ref().filter(|known| known.every == every);
                let next = same.map_or(first, |known| known.next);
                let last = known.as_ref().and_then(|known| known.last.clone());
                let (every, key) = (every.to_owned(), self.scope().key().map(str::to_owned));
                Some(ProductionSchedule { every, key, order: serde_json::json!(order), next, last })
            }
            None if order.is_some() => {
                let message = "an order needs an interval, such as 1w".into();
                return Err(Error::BadRequest { path: "every".into(), message });
            }
            None => None,
        };
        let act = self.access().act("production.schedule", &id);
        let set = self.projects_table().set_schedule(&id, known.as_ref(), schedule.as_ref(), Some(act)).await;
        if !set.map_err(|error| self.place("").store(error))? {
            return Err(Error::Conflict { project: id });
        }
        self.schedule(&id).await
    }

    /// Gives their orders to all productions of all users that are due at `now`: for servers. A missed time is made up for
    /// once. A turn is taken before its order is given: a server that dies in between loses the turn and repeats none. A
    /// failure of one production delays no other.
    pub(crate) async fn start_due_productions(&self, now: Timestamp) -> Result<(), Error> {
        let scheduled = Projects::scheduled(self.database()).await;
        for ScheduledProject { user, project, schedule } in scheduled.map_err(|error| self.place("").store(error))? {
            if let Err(error) = self.start_if_due(&user, &project, &schedule, now).await {
                tracing::warn!(project, %error, "a scheduled production was not started");
            }
        }
        Ok(())
    }

    async fn start_if_due(
        &self,
        user: &str,
        project: &str,
        schedule: &ProductionSchedule,
        now: Timestamp,
    ) -> Result<(), Error> {
        let every = interval(&schedule.every).map_err(|message| Error::Internal { message })?;
        let owners = self.on_behalf_of(user)?;
        let next = later(now, every);
        if schedule.next > later(next, every) {
            // The clock was ahead when the turn was planned; it would be far away by now.
            let planned = ProductionSchedule { next, ..schedule.clone() };
            return owners.replace_schedule(project, Some(schedule), Some(&planned)).await.map(drop);
        }
        if schedule.next > now {
            return Ok(());
        }
        let turn = ScheduledTurn { at: now, run: None, failure: None };
        let taken = ProductionSchedule { next, last: Some(turn.clone()), ..schedule.clone() };
        if !owners.replace_schedule(project, Some(schedule), Some(&taken)).await? {
            // Another server has taken the turn, or the schedule was changed.
            return Ok(());
        }
        let (turn, retry) = match owners.tell_scheduled(project, schedule).await {
            Ok(handle) => (ScheduledTurn { run: Some(handle.run().to_owned()), ..turn }, None),
            Err(error) => {
                tracing::warn!(project, %error, "a scheduled production refused its order");
                let retry = error.is_passing().then(|| later(now, RETRY));
                (ScheduledTurn { failure: Some(serde_json::json!(error.failure())), ..turn }, retry)
            }
        };
        owners.note_turn(project, &turn, retry).await
    }

    /// Gives a production the order of its schedule, within the limits of the key that has set the schedule.
    async fn tell_scheduled(&self, project: &str, schedule: &ProductionSchedule) -> Result<RunHandle, Error> {
        let user = self.scope().user_id().clone();
        let scope = self.access().scope_of_schedule(user, schedule.key.as_deref()).await?;
        let order = read(schedule.order.clone())?;
        let request = TellRequest { project: project.to_owned(), order, model: None, overrides: Table::new() };
        self.of(&scope).tell(request).await
    }

    /// Notes what came of a turn, in the schedule as it is by now: its interval or order may have been changed meanwhile. The
    /// next turn is at `retry` if that is earlier.
    async fn note_turn(&self, project: &str, turn: &ScheduledTurn, retry: Option<Timestamp>) -> Result<(), Error> {
        for _ in 0..NOTES {
            let kept = self.kept_schedule(project).await?;
            let is_last = |kept: &ProductionSchedule| kept.last.as_ref().is_some_and(|last| last.at == turn.at);
            let Some(kept) = kept.filter(is_last) else { return Ok(()) };
            let next = retry.map_or(kept.next, |retry| retry.min(kept.next));
            let told = ProductionSchedule { next, last: Some(turn.clone()), ..kept.clone() };
            if self.replace_schedule(project, Some(&kept), Some(&told)).await? {
                return Ok(());
            }
        }
        Err(Error::Conflict { project: project.to_owned() })
    }

    async fn scheduled_run(&self, turn: ScheduledTurn) -> Result<ScheduledRun, Error> {
        let ScheduledTurn { at, run, failure } = turn;
        let row = match &run {
            Some(run) => self.run(run).await.ok(),
            None => None,
        };
        let failure = failure.map(read).transpose()?;
        Ok(ScheduledRun { at, run, status: row.map(|row| row.status), failure })
    }

    async fn kept_schedule(&self, project: &str) -> Result<Option<ProductionSchedule>, Error> {
        self.projects_table().schedule(project).await.map_err(|error| self.place("").store(error))
    }

    /// Replaces the schedule of a production for a turn, which its run records.
    async fn replace_schedule(
        &self,
        project: &str,
        known: Option<&ProductionSchedule>,
        schedule: Option<&ProductionSchedule>,
    ) -> Result<bool, Error> {
        let set = self.projects_table().set_schedule(project, known, schedule, None).await;
        set.map_err(|error| self.place("").store(error))
    }
}

/// Reads what a schedule keeps as JSON.
fn read<T: DeserializeOwned>(kept: Value) -> Result<T, Error> {
    serde_json::from_value(kept).map_err(|error| Error::Internal { message: format!("a schedule is damaged: {error}") })
}
