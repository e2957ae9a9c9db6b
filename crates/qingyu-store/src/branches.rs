//! Branches: a story told in two ways. A branch is a project of its own whose log begins as that of another one.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_db::sql::{Connection, OptionalExtension};

use crate::access::idempotency;
use crate::change::{self, Pieces};
use crate::row::{to_count, to_json};
use crate::stories::{carry_out, changes};
use crate::{Change, Error, Kind, NewProject, Piece, Project, Projects, Save, Saved, Stories, piece, projects, search};

/// What a project is a branch of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The project that it began from.
    pub of: String,
    /// What it is called there.
    pub name: String,
    /// The change in its own log up to which both sides know of each other.
    pub base: u64,
}

impl Projects {
    /// The branches of a project, by name.
    pub async fn branches(&self, project: &str) -> Result<Vec<Project>, Error> {
        let mut all = self.list().await?;
        all.retain(|one| one.branch.as_ref().is_some_and(|branch| branch.of == project));
        all.sort_by(|a, b| name(a).cmp(name(b)));
        Ok(all)
    }
}

impl Stories {
    /// Makes a branch of a project as it was after the change `version`, or as it is, in one transaction.
    ///
    /// Fails with [`Error::BranchExists`] if the project has a branch of that name, with [`Error::UnknownChange`] if it
    /// has no such change.
    pub async fn branch(
        &self,
        project: &str,
        name: &str,
        version: Option<u64>,
        at: Timestamp,
    ) -> Result<Project, Error> {
        let (stories, project, name) = (self.clone(), project.to_owned(), name.to_owned());
        let job = move |connection: &Connection| {
            let branch = begin(connection, &stories.user, &project, &name, version, at)?;
            idempotency::made(connection, stories.request.as_ref(), &branch.id)?;
            Ok(branch)
        };
        self.database.write(job).await
    }

    /// Saves what a merge has made of the project, and notes that the branch is merged up to its change `merged`, in one
    /// transaction. `None` if there was nothing to save.
    ///
    /// Fails with [`Error::Conflict`] if either side has been changed since it was read.
    pub async fn merge(&self, branch: &str, merged: u64, save: Save, at: Timestamp) -> Result<Option<Saved>, Error> {
        let (stories, branch) = (self.clone(), branch.to_owned());
        let job = move |connection: &Connection| {
            connection.lock(&branch)?;
            let found = projects::get(connection, &stories.user, &branch)?.version;
            if found != merged {
                return Err(Error::Conflict { project: branch, expected: merged, found });
            }
            let saved = match save.changes.is_empty() {
                true => None,
                false => Some(stories.write(connection, &save, at)?),
            };
            connection
                .prepare_cached("UPDATE project SET branch_base = ?3 WHERE user_id = ?1 AND id = ?2")?
                .execute((&stories.user, &branch, to_count(merged)))?;
            Ok(saved)
        };
        self.database.write(job).await
    }

    /// Takes a branch away with all it has, its log and its runs too. There is no way back.
    ///
    /// Fails with [`Error::BranchExists`] if it has branches of its own.
    pub async fn forget_branch(&self, project: &str, name: &str) -> Result<(), Error> {
        let (user, project, name) = (self.user.clone(), project.to_owned(), name.to_owned());
        let job = move |connection: &Connection| {
            let id = find(connection, &user, &project, &name)?;
            let id = id.ok_or_else(|| Error::UnknownBranch { project: project.clone(), given: name.clone() })?;
            connection.lock(&id)?;
            let of_it = "SELECT branch_name FROM project WHERE user_id = ?1 AND branch_of = ?2";
            let of_it: Option<String> =
                connection.prepare_cached(of_it)?.query_row((&user, &id), |row| row.get(0)).optional()?;
            if let Some(name) = of_it {
                return Err(Error::BranchExists { project: id, name });
            }
            projects::delete(connection, &user, &id)
        };
        self.database.write(job).await
    }

    /// The newest project with a change of that run and step.
    pub async fn with_key(&self, run: &str, step: &str) -> Result<Option<String>, Error> {
        let (user, run, step) = (self.user.clone(), run.to_owned(), step.to_owned());
        let job = move |connection: &Connection| {
            let sql = "SELECT c.project_id FROM story_change AS c JOIN project ON project.id = c.project_id
                 WHERE c.user_id = ?1 AND c.run_id = ?2 AND c.step = ?3 AND project.branch_of IS NULL
                 ORDER BY project.created DESC LIMIT 1";
            Ok(connection.prepare_cached(sql)?.query_row((&user, &run, &step), |row| row.get(0)).optional()?)
        };
        self.database.read(job).await
    }
}

fn name(project: &Project) -> &str {
    project.branch.as_ref().map_or("", |branch| branch.name.as_str())
}

fn find(connection: &Connection, user: &str, project: &str, name: &str) -> Result<Option<String>, Error> {
    let sql = "SELECT id FROM project WHERE user_id = ?1 AND branch_of = ?2 AND branch_name = ?3";
    Ok(connection.prepare_cached(sql)?.query_row((user, project, name), |row| row.get(0)).optional()?)
}

fn begin(
    connection: &Connection,
    user: &str,
    project: &str,
    name: &str,
    version: Option<u64>,
    at: Timestamp,
) -> Result<Project, Error> {
    connection.lock(project)?;
    let parent = projects::to_write(connection, user, project)?;
    let version = version.unwrap_or(parent.version);
    if version > parent.version {
        return Err(Error::UnknownChange { project: project.into(), change: version, newest: parent.version });
    }
    let Project { title, language, premise, last_ids, .. } = parent;
    let new = NewProject { title: format!("{title} · {name}"), language, premise, untitled: false };
    let branch = projects::insert(connection, user, new, at)?;
    let id = branch.id.as_str();
    let called = "UPDATE project SET branch_of = ?3, branch_name = ?4, branch_base = ?5, version = ?5, last_ids = ?6
         WHERE user_id = ?1 AND id = ?2";
    connection
        .prepare_cached(called)?
        .execute((user, id, project, name, to_count(version), to_json(&last_ids)))
        .map_err(|error| match error.is_constraint() {
            true => Error::BranchExists { project: project.into(), name: name.into() },
            false => error.into(),
        })?;
    connection
        .prepare_cached(
            "INSERT INTO story_change(user_id, project_id, seq, run_id, step, iteration,
                                      agent, prompt_hash, model, tokens, at, changes)
             SELECT user_id, ?3, seq, run_id, step, iteration, agent, prompt_hash, model, tokens, at, changes
             FROM story_change WHERE user_id = ?1 AND project_id = ?2 AND seq <= ?4",
        )?
        .execute((user, project, id, to_count(version)))?;
    let mut pieces = Pieces::new();
    let mut put: BTreeMap<(Kind, String), (u64, u64)> = BTreeMap::new();
    for entry in changes(connection, user, id)? {
        change::apply(&mut pieces, &entry.changes);
        for change in &entry.changes {
            let (kind, piece) = change.names();
            let key = (kind, piece.to_owned());
            match change {
                Change::Put(_) => {
                    let (times, newest) = put.entry(key).or_default();
                    (*times, *newest) = (*times + 1, entry.seq);
                }
                Change::Remove { .. } => drop(put.remove(&key)),
            }
        }
    }
    let puts: Vec<Change> = pieces.into_values().flatten().map(Change::Put).collect();
    let mut counted = connection.prepare_cached(
        "UPDATE piece SET version = ?5 WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
    )?;
    for change in &puts {
        let (kind, piece) = change.names();
        let (times, newest) = put.get(&(kind, piece.to_owned())).copied().unwrap_or((1, version));
        carry_out(connection, user, id, newest, change)?;
        counted.execute((user, id, kind.name(), piece, to_count(times)))?;
    }
    let branch = projects::get(connection, user, id)?;
    search::index::update(connection, user, &branch, &puts)?;
    Ok(branch)
}

/// A piece on the three sides of a merge; a side that does not have it has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Threefold {
    /// What kind.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// As both sides knew it last.
    pub base: Option<Piece>,
    /// In the project.
    pub project: Option<Piece>,
    /// In the branch.
    pub branch: Option<Piece>,
}

impl Threefold {
    /// Whether the project has changed it.
    pub fn in_project(&self) -> bool {
        !piece::same(self.base.as_ref(), self.project.as_ref())
    }

    /// Whether the branch has changed it.
    pub fn in_branch(&self) -> bool {
        !piece::same(self.base.as_ref(), self.branch.as_ref())
    }

    /// Whether both have, and not in the same way.
    pub fn is_conflict(&self) -> bool {
        self.in_project() && self.in_branch() && !self.is_agreed()
    }

    fn is_agreed(&self) -> bool {
        piece::same(self.project.as_ref(), self.branch.as_ref())
    }

    /// What makes the project's piece that of the branch.
    pub fn take_branch(&self) -> Option<Change> {
        match (&self.project, &self.branch) {
            _ if self.is_agreed() => None,
            (project, Some(piece)) => Some(Change::Put(piece.in_place_of(project.as_ref(), []))),
            (_, None) => Some(Change::Remove { kind: self.kind, id: self.id.clone() }),
        }
    }

    /// Its name, on any side that has it.
    pub fn name(&self) -> String {
        [&self.branch, &self.project, &self.base]
            .into_iter()
            .flatten()
            .map(Piece::name)
            .find(|name| !name.is_empty())
            .unwrap_or_default()
    }
}

/// The pieces that are not the same on all three sides, by kind and id. Where they stand among their kind does not count.
pub fn compare(
    base: &qingyu_story::Story,
    project: &qingyu_story::Story,
    branch: &qingyu_story::Story,
) -> Vec<Threefold> {
    let mut all: BTreeMap<(Kind, String), [Option<Piece>; 3]> = BTreeMap::new();
    for (side, story) in [base, project, branch].into_iter().enumerate() {
        for piece in piece::take_apart(story) {
            let sides = all.entry((piece.kind, piece.id.clone())).or_default();
            sides[side] = Some(piece);
        }
    }
    let threefold =
        all.into_iter().map(|((kind, id), [base, project, branch])| Threefold { kind, id, base, project, branch });
    threefold.filter(|piece| piece.in_project() || piece.in_branch()).collect()
}
