//! The books before a project in its series, and its canon.

use std::collections::BTreeSet;

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
            kept(connection, &user, &id)?.ok_or_else(|| Error::UnknownProject { given: id })
        };
        self.database.read(job).await
    }

    /// Replaces the books before a project, which are `known`.
    ///
    /// Returns [`Error::SeriesChanged`] if they are others by now, and [`Error::SeriesCircle`] for a book that is the project
    /// itself or comes after it. Concurrent changes of the user's series wait for each other.
    pub async fn set_earlier(
        &self,
        id: &str,
        earlier: &[EarlierProject],
        known: &[EarlierProject],
    ) -> Result<(), Error> {
        let (user, id, list) = (self.user.clone(), id.to_owned(), to_json(&earlier));
        let books: Vec<String> = earlier.iter().map(|book| book.project.clone()).collect();
        let known = known.to_vec();
        let job = move |connection: &Connection| {
            connection.lock(&format!("series {user}"))?;
            to_write(connection, &user, &id)?;
            if kept(connection, &user, &id)?.unwrap_or_default() != known {
                return Err(Error::SeriesChanged { project: id });
            }
            for book in books {
                if comes_after(connection, &user, &book, &id)? {
                    return Err(Error::SeriesCircle { project: book });
                }
            }
            connection
                .prepare_cached("UPDATE project SET earlier = ?3 WHERE user_id = ?1 AND id = ?2")?
                .execute((&user, &id, &list))?;
            Ok(())
        };
        self.database.write(job).await
    }
}

/// Returns the books before a project; `None` if there is no such project.
fn kept(connection: &Connection, user: &str, id: &str) -> Result<Option<Vec<EarlierProject>>, Error> {
    let sql = "SELECT earlier FROM project WHERE user_id = ?1 AND id = ?2";
    let mut select = connection.prepare_cached(sql)?;
    let found: Option<String> = select.query_row((user, id), |row| row.get(0)).optional()?;
    found.map(|list| from_json(&list, || format!("earlier books of {id}"))).transpose()
}

/// Returns whether `project` is `earlier`, or has it before it, directly or through other books.
fn comes_after(connection: &Connection, user: &str, project: &str, earlier: &str) -> Result<bool, Error> {
    let (mut open, mut seen) = (vec![project.to_owned()], BTreeSet::new());
    while let Some(project) = open.pop() {
        if project == earlier {
            return Ok(true);
        }
        if seen.insert(project.clone()) {
            // A deleted book has no list any more.
            open.extend(kept(connection, user, &project)?.unwrap_or_default().into_iter().map(|row| row.project));
        }
    }
    Ok(false)
}
