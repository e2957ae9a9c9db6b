//! Permanent deletion of projects.

use qingyu_db::sql::Connection;

use super::repository::Projects;
use super::row::{ProjectStatus, get, with_branches};
use crate::{Error, search};

impl Projects {
    /// Deletes a project in the bin, with its branches, logs and runs; returns the ids of the deleted projects and
    /// runs. There is no undo. Records of spending are kept.
    ///
    /// Returns [`Error::NotBinned`] if the project is not in the bin.
    pub async fn delete(&self, id: &str) -> Result<(Vec<String>, Vec<String>), Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            connection.lock(&id)?;
            if get(connection, &user, &id)?.status != ProjectStatus::Binned {
                return Err(Error::NotBinned { project: id });
            }
            let projects = with_branches(connection, &user, &id)?;
            let mut runs = Vec::new();
            for project in &projects {
                let sql = "SELECT id FROM run WHERE user_id = ?1 AND project_id = ?2";
                let mut select = connection.prepare_cached(sql)?;
                for run in select.query_map((&user, project), |row| row.get::<_, String>(0))? {
                    runs.push(run?);
                }
            }
            for project in projects.iter().rev() {
                delete(connection, &user, project)?;
            }
            Ok((projects, runs))
        };
        self.database.write(job).await
    }
}

/// Deletes a project without branches and all its data. Records of spending are kept.
pub(crate) fn delete(connection: &Connection, user: &str, id: &str) -> Result<(), Error> {
    search::index::forget_project(connection, user, id)?;
    // Rows with foreign keys are deleted first.
    for sql in [
        "INSERT INTO call_outside(user_id, project_id, agent, purpose, model, input, cached, output, estimated,
                                  cost_micros, currency, attempts, at)
         SELECT user_id, NULL, agent, purpose, model, input, cached, output, estimated,
                cost_micros, currency, attempts, at
         FROM call WHERE user_id = ?1 AND project_id = ?2 AND replayed = 0",
        "UPDATE call_outside SET project_id = NULL WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM call WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM event_log WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM run WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM piece WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM story_change WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM project_picture WHERE user_id = ?1 AND project_id = ?2",
        "DELETE FROM project WHERE user_id = ?1 AND id = ?2",
    ] {
        connection.prepare_cached(sql)?.execute((user, id))?;
    }
    Ok(())
}
