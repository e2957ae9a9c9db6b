//! The schedules of productions.

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::repository::Projects;
use super::row::to_write;
use crate::access::{AuditAct, audit};
use crate::error::Error;
use crate::row::{from_json, to_json};

/// The schedule of a production.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProductionSchedule {
    /// The time between two turns, such as `7d`.
    pub every: String,
    /// The key that has set the schedule, whose limits count; `None` for the local user, who has no key.
    #[serde(default)]
    pub key: Option<String>,
    /// The order that the production gets each time; null for its next phase.
    pub order: Value,
    /// The time of the next turn.
    pub next: Timestamp,
    /// The last turn; `None` before the first.
    pub last: Option<ScheduledTurn>,
}

/// A turn of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledTurn {
    /// The time.
    pub at: Timestamp,
    /// The run that got the order; `None` if none did.
    pub run: Option<String>,
    /// The error if no run got the order.
    pub failure: Option<Value>,
}

/// A project with a schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct ScheduledProject {
    /// The owner.
    pub user: String,
    /// The project.
    pub project: String,
    /// The schedule.
    pub schedule: ProductionSchedule,
}

impl Projects {
    /// Returns the schedule of a project, if it has one.
    pub async fn schedule(&self, id: &str) -> Result<Option<ProductionSchedule>, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        self.database.read(move |connection| kept(connection, &user, &id)).await
    }

    /// Replaces the schedule of a project if it is still `known`; returns whether it was. Concurrent changes wait for each
    /// other, so that one of several servers takes a turn. `act` is the audit entry of a change by a person, committed with
    /// the change.
    pub async fn set_schedule(
        &self,
        id: &str,
        known: Option<&ProductionSchedule>,
        schedule: Option<&ProductionSchedule>,
        act: Option<AuditAct>,
    ) -> Result<bool, Error> {
        let (user, id, known) = (self.user.clone(), id.to_owned(), known.cloned());
        let schedule = schedule.map(to_json);
        let job = move |connection: &Connection| {
            connection.lock(&format!("schedule {user} {id}"))?;
            to_write(connection, &user, &id)?;
            if kept(connection, &user, &id)? != known {
                return Ok(false);
            }
            let update = "UPDATE project SET schedule = ?3 WHERE user_id = ?1 AND id = ?2";
            connection.prepare_cached(update)?.execute((&user, &id, &schedule))?;
            if let Some(act) = &act {
                audit::append(connection, act, Timestamp::now())?;
            }
            Ok(true)
        };
        self.database.write(job).await
    }

    /// Returns the projects of all users with a schedule, without those in the archive and the bin.
    pub async fn scheduled(database: &Database) -> Result<Vec<ScheduledProject>, Error> {
        let job = |connection: &Connection| {
            let mut select = connection.prepare_cached(
                "SELECT user_id, id, schedule FROM project WHERE schedule IS NOT NULL AND status = 'active'
                 ORDER BY user_id, id",
            )?;
            let rows = select.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let mut scheduled = Vec::new();
            for row in rows {
                let (user, project, schedule): (String, String, String) = row?;
                let schedule = from_json(&schedule, || format!("schedule of {project}"))?;
                scheduled.push(ScheduledProject { user, project, schedule });
            }
            Ok(scheduled)
        };
        database.read(job).await
    }
}

fn kept(connection: &Connection, user: &str, id: &str) -> Result<Option<ProductionSchedule>, Error> {
    let mut select = connection.prepare_cached("SELECT schedule FROM project WHERE user_id = ?1 AND id = ?2")?;
    let found: Option<Option<String>> = select.query_row((user, id), |row| row.get(0)).optional()?;
    let found = found.ok_or_else(|| Error::UnknownProject { given: id.to_owned() })?;
    found.map(|text| from_json(&text, || format!("schedule of {id}"))).transpose()
}
