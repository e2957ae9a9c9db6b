//! Projects: made, found, renamed, put into the archive or the bin, deleted.

mod cover;
mod deletion;

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};
use qingyu_story::{Document, Language, ReadMark};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::{Ticket, idempotency};
use crate::row::{beginning, from_count, from_json, to_json, to_time};
use crate::{Branch, Error, Kind, id};

pub use cover::Cover;
pub(crate) use deletion::delete;

/// Where a project is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProjectStatus {
    /// On the shelf.
    #[default]
    Active,
    /// Put away; it can be read and written as ever.
    Archived,
    /// Thrown away, and still there: it can be read and taken back, and nothing is written to it.
    Binned,
}

impl ProjectStatus {
    /// As it is written in a row.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Archived => "archived",
            Self::Binned => "binned",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        [Self::Active, Self::Archived, Self::Binned].into_iter().find(|status| status.name() == name)
    }
}

/// A project: one book.
#[derive(Debug, Clone, PartialEq)]
pub struct Project {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The language of the work.
    pub language: Language,
    /// The words it began with.
    pub premise: String,
    /// When it began.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// The number of its newest change; 0 before the first.
    pub version: u64,
    /// The highest number given in ids of its pieces, by prefix.
    pub last_ids: BTreeMap<String, u64>,
    /// What it is a branch of, if it is one.
    pub branch: Option<Branch>,
    /// Where it is kept.
    pub status: ProjectStatus,
    /// Whether its title is one that it got for want of a better one.
    pub untitled: bool,
    /// Whether there is a picture on its cover.
    pub has_cover: bool,
}

/// What a project begins with.
#[derive(Debug, Clone, Default)]
pub struct NewProject {
    /// Its title; gives the id its letters if it is Latin.
    pub title: String,
    /// The language of the work.
    pub language: Language,
    /// The author's words.
    pub premise: String,
    /// Whether the title is one that it gets for want of a better one.
    pub untitled: bool,
}

/// The projects of one user.
#[derive(Debug, Clone)]
pub struct Projects {
    database: Database,
    user: String,
    request: Option<Ticket>,
}

const COLUMNS: &str =
    "id, title, language, premise, created, updated, version, last_ids, branch_of, branch_name, branch_base,
     status, untitled,
     EXISTS (SELECT 1 FROM project_cover AS c WHERE c.user_id = project.user_id AND c.project_id = project.id)";

impl Projects {
    /// The projects of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), request: None }
    }

    /// The same under a request that is to be carried out once: word of the project that is made is kept with it.
    #[must_use]
    pub fn under(self, request: Ticket) -> Self {
        Self { request: Some(request), ..self }
    }

    /// Makes a project with a new id. Under a request it fails with [`Error::Taken`], and makes nothing, if that is another's by now.
    pub async fn create(&self, new: NewProject, at: Timestamp) -> Result<Project, Error> {
        let projects = self.clone();
        let job = move |connection: &Connection| {
            let project = insert(connection, &projects.user, new, at)?;
            idempotency::made(connection, projects.request.as_ref(), &project.id)?;
            Ok(project)
        };
        self.database.write(job).await
    }

    /// Gives the project another title; from now on it has one.
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

    /// Gives the project a title if it has none but the one that it got for want of a better one; returns whether it had.
    pub async fn entitle(&self, id: &str, title: &str) -> Result<bool, Error> {
        let (user, id, title) = (self.user.clone(), id.to_owned(), title.to_owned());
        let job = move |connection: &Connection| {
            let sql = "UPDATE project SET title = ?3, untitled = ?4 WHERE user_id = ?1 AND id = ?2 AND untitled = ?5";
            let changed = connection.prepare_cached(sql)?.execute((&user, &id, &title, false, true))?;
            Ok(changed > 0)
        };
        self.database.write(job).await
    }

    /// Puts the project on the shelf, into the archive or into the bin; its branches go with it.
    pub async fn set_status(&self, id: &str, status: ProjectStatus) -> Result<(), Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            get(connection, &user, &id)?;
            for project in deletion::with_branches(connection, &user, &id)? {
                connection
                    .prepare_cached("UPDATE project SET status = ?3 WHERE user_id = ?1 AND id = ?2")?
                    .execute((&user, &project, status.name()))?;
            }
            Ok(())
        };
        self.database.write(job).await
    }

    /// Raises the highest numbers given in ids to `last_ids` (see [`Story::last_ids`](qingyu_story::Story::last_ids)), for
    /// a story that comes from elsewhere.
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

    /// The project with this id.
    pub async fn get(&self, id: &str) -> Result<Project, Error> {
        let (user, given) = (self.user.clone(), id.to_owned());
        self.database.read(move |connection| get(connection, &user, &given)).await
    }

    /// The project with this id, or the only one whose id begins like it (with or without its `p-`).
    pub async fn find(&self, given: &str) -> Result<Project, Error> {
        let (user, given) = (self.user.clone(), given.trim().to_lowercase());
        self.database.read(move |connection| find(connection, &user, given)).await
    }

    /// How many chapters of each project no model has read as they stand; projects without such chapters are left out.
    ///
    /// Reads what is kept of the documents beside their texts; of those whose version is not the one that was read, the
    /// text too, since it may be back.
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

    /// Whether a project has a piece of this kind.
    pub async fn has(&self, id: &str, kind: Kind) -> Result<bool, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3)";
            Ok(connection.prepare_cached(sql)?.query_row((&user, &id, kind.name()), |row| row.get(0))?)
        };
        self.database.read(job).await
    }

    /// All projects, newest first.
    pub async fn list(&self) -> Result<Vec<Project>, Error> {
        let user = self.user.clone();
        let job = move |connection: &Connection| {
            let sql = format!("SELECT {COLUMNS} FROM project WHERE user_id = ?1 ORDER BY created DESC, id");
            select(connection, &sql, [user])
        };
        self.database.read(job).await
    }
}

/// A document with its text.
fn document(connection: &Connection, user: &str, project: &str, id: &str) -> Result<Document, Error> {
    let sql = "SELECT body FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = 'document' AND id = ?3";
    let body: String = connection.prepare_cached(sql)?.query_row((user, project, id), |row| row.get(0))?;
    from_json(&body, || format!("document {id} of {project}"))
}

/// What of a document says whether its text was read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ChapterHead {
    order: u32,
    version: u32,
    read: Option<ReadMark>,
}

pub(crate) fn insert(connection: &Connection, user: &str, new: NewProject, at: Timestamp) -> Result<Project, Error> {
    let NewProject { title, language, premise, untitled } = new;
    let mut insert = connection.prepare_cached(
        "INSERT INTO project(user_id, id, title, language, premise, created, updated, untitled)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
         ON CONFLICT (id) DO NOTHING",
    )?;
    loop {
        let id = id::project(&title);
        // Four random letters can meet; the next four will not.
        if insert.execute((user, &id, &title, language.code(), &premise, at.to_string(), untitled))? > 0 {
            return get(connection, user, &id);
        }
    }
}

pub(crate) fn get(connection: &Connection, user: &str, id: &str) -> Result<Project, Error> {
    let sql = format!("SELECT {COLUMNS} FROM project WHERE user_id = ?1 AND id = ?2");
    let row = connection.prepare_cached(&sql)?.query_row((user, id), |row| Ok(read(row))).optional()?;
    row.unwrap_or_else(|| Err(Error::UnknownProject { given: id.into() }))
}

/// The project, to write to. Fails with [`Error::Binned`] if it is in the bin.
pub(crate) fn to_write(connection: &Connection, user: &str, id: &str) -> Result<Project, Error> {
    let project = get(connection, user, id)?;
    match project.status {
        ProjectStatus::Binned => Err(Error::Binned { project: project.id }),
        ProjectStatus::Active | ProjectStatus::Archived => Ok(project),
    }
}

fn find(connection: &Connection, user: &str, given: String) -> Result<Project, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM project WHERE user_id = ?1 AND (id LIKE ?2 ESCAPE '\\' OR id LIKE ?3 ESCAPE '\\') ORDER BY id"
    );
    // Whole, as programs give it, it is found at once; a beginning is compared with every project.
    match get(connection, user, &given) {
        Err(Error::UnknownProject { .. }) => {}
        found => return found,
    }
    let pattern = beginning(&given);
    let mut matches =
        if given.is_empty() { Vec::new() } else { select(connection, &sql, (user, &pattern, format!("p-{pattern}")))? };
    // The id of a branch begins like that of its book: who names both means the book.
    let ids: HashSet<String> = matches.iter().map(|project| project.id.clone()).collect();
    let is_of_another = |project: &Project| project.branch.as_ref().is_some_and(|branch| ids.contains(&branch.of));
    matches.retain(|project| !is_of_another(project));
    match matches.len() {
        0 => Err(Error::UnknownProject { given }),
        1 => Ok(matches.remove(0)),
        _ => Err(Error::Ambiguous { given, matches: matches.into_iter().map(|project| project.id).collect() }),
    }
}

fn select(connection: &Connection, sql: &str, parameters: impl qingyu_db::sql::Params) -> Result<Vec<Project>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}

fn read(row: &Row<'_>) -> Result<Project, Error> {
    let (id, language): (String, String) = (row.get(0)?, row.get(2)?);
    Ok(Project {
        title: row.get(1)?,
        language: if language == Language::En.code() { Language::En } else { Language::Zh },
        premise: row.get(3)?,
        created: to_time(&row.get::<_, String>(4)?)?,
        updated: to_time(&row.get::<_, String>(5)?)?,
        version: from_count(row.get(6)?),
        last_ids: from_json(&row.get::<_, String>(7)?, || format!("last_ids of {id}"))?,
        branch: match row.get::<_, Option<String>>(8)? {
            Some(of) => Some(Branch { of, name: row.get(9)?, base: from_count(row.get(10)?) }),
            None => None,
        },
        status: {
            let status: String = row.get(11)?;
            ProjectStatus::parse(&status)
                .ok_or_else(|| Error::BadRow { what: format!("status of {id}"), message: "it is not known".into() })?
        },
        untitled: row.get(12)?,
        has_cover: row.get(13)?,
        id,
    })
}
