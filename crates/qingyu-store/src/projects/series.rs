//! The books before a project in its series, and its canon.

use qingyu_db::sql::{Connection, OptionalExtension};
use qingyu_story::EarlierKind;
use serde::{Deserialize, Serialize};

use super::repository::Projects;
use super::row::to_write;
use crate::error::Error;
use crate::row::{from_json, to_json};

/// A book before another. It is kept when its project is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EarlierProject {
    /// The id of the project.
    pub project: String,
    /// The title when the book was added.
    pub title: String,
    /// The place beside the later book.
    pub kind: EarlierKind,
    /// The story time to the beginning of the next book, in words; empty if unknown.
    pub gap: String,
}

impl Projects {
    /// Returns the books before a project, in order; deleted books too.
    pub async fn earlier(&self, id: &str) -> Result<Vec<EarlierProject>, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let sql = "SELECT earlier FROM project WHERE user_id = ?1 AND id = ?2";
            let mut select = connection.prepare_cached(sql)?;
            let found: Option<String> = select.query_row((&user, &id), |row| row.get(0)).optional()?;
            match found {
                Some(list) => from_json(&list, || format!("earlier books of {id}")),
                None => Err(Error::UnknownProject { given: id }),
            }
        };
        self.database.read(job).await
    }

    /// Replaces the books before a project.
    pub async fn set_earlier(&self, id: &str, earlier: &[EarlierProject]) -> Result<(), Error> {
        let (user, id, list) = (self.user.clone(), id.to_owned(), to_json(&earlier));
        let job = move |connection: &Connection| {
            to_write(connection, &user, &id)?;
            connection
                .prepare_cached("UPDATE project SET earlier = ?3 WHERE user_id = ?1 AND id = ?2")?
                .execute((&user, &id, &list))?;
            Ok(())
        };
        self.database.write(job).await
    }
}
