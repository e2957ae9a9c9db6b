//! The projects of a user: creation, lookup, renaming, status.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::Connection;
use qingyu_story::{Document, ReadMark};
use serde::Deserialize;

use super::row::{COLUMNS, Project, ProjectDraft, ProjectStatus, find, get, insert, select, with_branches};
use crate::access::{RequestTicket, idempotency};
use crate::error::Error;
use crate::kind::StoredKind;
use crate::row::{from_json, to_json};

/// The projects of a user.
#[derive(Debug, Clone)]
pub struct Projects {
    pub(super) database: Database,
    pub(super) user: String,
    request: Option<RequestTicket>,
}

impl Projects {
    /// Returns the projects of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), request: None }
    }

    /// Returns the repository with an idempotent request: the created project is recorded with the request.
    #[must_use]
    pub fn under(self, request: RequestTicket) -> Self {
        Self { request: Some(request), ..self }
    }

    /// Creates a project with a new id. With a request, returns [`Error::Taken`] without creating a project if the
    /// request belongs to another caller now.
    pub async fn create(&self, new: ProjectDraft, at: Timestamp) -> Result<Project, Error> {
        let projects = self.clone();
        let job = move |connection: &Connection| {
            let project = insert(connection, &projects.user, new, at)?;
            idempotency::made(connection, projects.request.as_ref(), &project.id)?;
            Ok(project)
        };
        self.database.write(job).await
    }

    /// Sets the title of the project; the title is no default afterwards.
    pub async fn rename(&self, id: &str, title: &str) -> Result<(), Error> {
        let (user, id, title) = (self.user.clone(), id.to_owned(), title.to_owned());
        let job = move |connection: &Connection| {
            let changed = connection
                .prepare_cached("UPDATE project SET title = ?3, untitled = ?4 WHERE user_id = ?1 AND id = ?2")?
                .execute((&user, &id, &title, false))?;
            if changed == 0 { Err(Error::UnknownProject { given: id }) } else { Ok(()) }
        };
        self.database.write(job).await
    }

    /// Sets the title of the project if the current title is a default; returns whether the title was changed.
    pub async fn entitle(&self, id: &str, title: &str) -> Result<bool, Error> {
        let (user, id, title) = (self.user.clone(), id.to_owned(), title.to_owned());
        let job = move |connection: &Connection| {
            let sql = "UPDATE project SET title = ?3, untitled = ?4 WHERE user_id = ?1 AND id = ?2 AND untitled = ?5";
            let changed = connection.prepare_cached(sql)?.execute((&user, &id, &title, false, true))?;
            Ok(changed > 0)
        };
        self.database.write(job).await
    }

    /// Moves the project and its branches to the active list, the archive or the bin.
    pub async fn set_status(&self, id: &str, status: ProjectStatus) -> Result<(), Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            get(connection, &user, &id)?;
            for project in with_branches(connection, &user, &id)? {
                connection
                    .prepare_cached("UPDATE project SET status = ?3 WHERE user_id = ?1 AND id = ?2")?
                    .execute((&user, &project, status.name()))?;
            }
            Ok(())
        };
        self.database.write(job).await
    }

    /// Raises the highest numbers used in ids to `last_ids` (see [`Story::last_ids`](qingyu_story::Story::last_ids)),
    /// for an imported story.
    pub async fn note_ids(&self, id: &str, last_ids: &BTreeMap<String, u64>) -> Result<(), Error> {
        let (user, id, more) = (self.user.clone(), id.to_owned(), last_ids.clone());
        let job =
            move |connection: &Connection| {
                connection.lock(&id)?;
                let mut last_ids = get(connection, &user, &id)?.last_ids;
                for (prefix, last) in more {
                    let kept = last_ids.entry(prefix).or_default();
                    *kept = last.max(*kept);
                }
                connection
                    .prepare_cached("UPDATE project SET last_ids = ?3 WHERE user_id = ?1 AND id = ?2")?
                    .execute((&user, &id, to_json(&last_ids)))?;
                Ok(())
            };
        self.database.write(job).await
    }

    /// Returns the project with the id.
    pub async fn get(&self, id: &str) -> Result<Project, Error> {
        let (user, given) = (self.user.clone(), id.to_owned());
        self.database.read(move |connection| get(connection, &user, &given)).await
    }

    /// Returns the project with the id, or the only project with the id prefix (with or without `p-`).
    pub async fn find(&self, given: &str) -> Result<Project, Error> {
        let (user, given) = (self.user.clone(), given.trim().to_lowercase());
        self.database.read(move |connection| find(connection, &user, given)).await
    }

    /// Returns the number of chapters in each project whose current text no model has read; projects without such
    /// chapters are omitted.
    ///
    /// Fetches the documents without their texts; the text is fetched only if the version differs from the version
    /// read, since an earlier text may have been restored.
    pub async fn unread(&self) -> Result<BTreeMap<String, u32>, Error> {
        let user = self.user.clone();
        let job = move |connection: &Connection| {
            let sql = "SELECT project_id, id, body FROM document_head WHERE user_id = ?1";
            let mut select = connection.prepare_cached(sql)?;
            let rows = select.query_map([&user], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
            })?;
            let mut heads = Vec::new();
            for row in rows {
                heads.push(row?);
            }
            let mut unread = BTreeMap::new();
            for (project, id, body) in heads {
                let head: ChapterHead = from_json(&body, || format!("document {id} of {project}"))?;
                let is_read = match head.read {
                    Some(read) if read.version == head.version => true,
                    Some(_) => !document(connection, &user, &project, &id)?.read_state().is_open(),
                    None => false,
                };
                if head.order > 0 && !is_read {
                    *unread.entry(project).or_default() += 1;
                }
            }
            Ok(unread)
        };
        self.database.read(job).await
    }

    /// Returns whether a project has a piece of the kind.
    pub async fn has(&self, id: &str, kind: StoredKind) -> Result<bool, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3)";
            Ok(connection.prepare_cached(sql)?.query_row((&user, &id, kind.name()), |row| row.get(0))?)
        };
        self.database.read(job).await
    }

    /// Returns all projects, newest first.
    pub async fn list(&self) -> Result<Vec<Project>, Error> {
        let user = self.user.clone();
        let job = move |connection: &Connection| {
            let sql = format!("SELECT {COLUMNS} FROM project WHERE user_id = ?1 ORDER BY created DESC, id");
            select(connection, &sql, [user])
        };
        self.database.read(job).await
    }
}

/// Returns a document with its text.
fn document(connection: &Connection, user: &str, project: &str, id: &str) -> Result<Document, Error> {
    let sql = "SELECT body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = 'document' AND id = ?3";
    let body: String = connection.prepare_cached(sql)?.query_row((user, project, id), |row| row.get(0))?;
    from_json(&body, || format!("document {id} of {project}"))
}

/// The fields of a document needed to decide whether its text was read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ChapterHead {
    order: u32,
    version: u32,
    read: Option<ReadMark>,
}
