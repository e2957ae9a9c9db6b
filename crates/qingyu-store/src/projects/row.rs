//! The rows of projects.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use qingyu_db::sql::{Connection, OptionalExtension, Params, Row};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::id;
use crate::row::{beginning, from_count, from_json, to_time};

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
    /// Returns the name stored in a row.
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
    /// The id.
    pub id: String,
    /// The title.
    pub title: String,
    /// The language of the work.
    pub language: Language,
    /// The author's initial words.
    pub premise: String,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of the last change.
    pub updated: Timestamp,
    /// The number of the newest change; 0 before the first.
    pub version: u64,
    /// The highest number used in ids of pieces, by prefix.
    pub last_ids: BTreeMap<String, u64>,
    /// The origin, if the project is a branch.
    pub branch: Option<ProjectBranch>,
    /// Whether active, archived or in the bin.
    pub status: ProjectStatus,
    /// Whether the title is a default.
    pub untitled: bool,
    /// Whether the project has a cover picture.
    pub has_cover: bool,
}

/// The origin of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectBranch {
    /// The project of origin.
    pub of: String,
    /// The name of the branch there.
    pub name: String,
    /// The last change in the branch's log known to both sides.
    pub base: u64,
}

/// The initial data of a project.
#[derive(Debug, Clone, Default)]
pub struct ProjectDraft {
    /// The title; a Latin title determines the letters of the id.
    pub title: String,
    /// The language of the work.
    pub language: Language,
    /// The author's words.
    pub premise: String,
    /// Whether the title is a default.
    pub untitled: bool,
}

pub(super) const COLUMNS: &str =
    "id, title, language, premise, created, updated, version, last_ids, branch_of, branch_name, branch_base,
     status, untitled,
     EXISTS (SELECT 1 FROM project_picture AS p
             WHERE p.user_id = project.user_id AND p.project_id = project.id AND p.card = '')";

/// Inserts a project with a new id.
pub(crate) fn insert(connection: &Connection, user: &str, new: ProjectDraft, at: Timestamp) -> Result<Project, Error> {
    let ProjectDraft { title, language, premise, untitled } = new;
    let mut insert = connection.prepare_cached(
        "INSERT INTO project(user_id, id, title, language, premise, created, updated, untitled)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
         ON CONFLICT (id) DO NOTHING",
    )?;
    loop {
        let id = id::project(&title);
        // Four random letters can collide; retry with four others.
        if insert.execute((user, &id, &title, language.code(), &premise, at.to_string(), untitled))? > 0 {
            return get(connection, user, &id);
        }
    }
}

/// Returns the project with the id.
pub(crate) fn get(connection: &Connection, user: &str, id: &str) -> Result<Project, Error> {
    let sql = format!("SELECT {COLUMNS} FROM project WHERE user_id = ?1 AND id = ?2");
    let row = connection.prepare_cached(&sql)?.query_row((user, id), |row| Ok(read(row))).optional()?;
    row.unwrap_or_else(|| Err(Error::UnknownProject { given: id.into() }))
}

/// Returns the project for writing; [`Error::Binned`] if the project is in the bin.
pub(crate) fn to_write(connection: &Connection, user: &str, id: &str) -> Result<Project, Error> {
    let project = get(connection, user, id)?;
    match project.status {
        ProjectStatus::Binned => Err(Error::Binned { project: project.id }),
        ProjectStatus::Active | ProjectStatus::Archived => Ok(project),
    }
}

/// Returns the project with the id, or the only project with the id prefix.
pub(super) fn find(connection: &Connection, user: &str, given: String) -> Result<Project, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM project WHERE user_id = ?1 AND (id LIKE ?2 ESCAPE '\\' OR id LIKE ?3 ESCAPE '\\') ORDER BY id"
    );
    // A full id, as given by programs, is found by key; a prefix is compared with every project.
    match get(connection, user, &given) {
        Err(Error::UnknownProject { .. }) => {}
        found => return found,
    }
    let pattern = beginning(&given);
    let mut matches =
        if given.is_empty() { Vec::new() } else { select(connection, &sql, (user, &pattern, format!("p-{pattern}")))? };
    // The id of a branch begins with the id of its book; a prefix matching both means the book.
    let ids: HashSet<String> = matches.iter().map(|project| project.id.clone()).collect();
    let is_of_another = |project: &Project| project.branch.as_ref().is_some_and(|branch| ids.contains(&branch.of));
    matches.retain(|project| !is_of_another(project));
    match matches.len() {
        0 => Err(Error::UnknownProject { given }),
        1 => Ok(matches.remove(0)),
        _ => Err(Error::Ambiguous { given, matches: matches.into_iter().map(|project| project.id).collect() }),
    }
}

/// Returns the projects that `sql` selects by [`COLUMNS`].
pub(super) fn select(connection: &Connection, sql: &str, parameters: impl Params) -> Result<Vec<Project>, Error> {
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
            Some(of) => Some(ProjectBranch { of, name: row.get(9)?, base: from_count(row.get(10)?) }),
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

/// Returns the project and all its branches, recursively; each after its origin.
pub(super) fn with_branches(connection: &Connection, user: &str, id: &str) -> Result<Vec<String>, Error> {
    let mut all = vec![id.to_owned()];
    let mut next = 0;
    while let Some(project) = all.get(next).cloned() {
        let sql = "SELECT id FROM project WHERE user_id = ?1 AND branch_of = ?2 ORDER BY id";
        let mut select = connection.prepare_cached(sql)?;
        for branch in select.query_map((user, &project), |row| row.get::<_, String>(0))? {
            all.push(branch?);
        }
        next += 1;
    }
    Ok(all)
}
