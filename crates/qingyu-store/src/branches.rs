//! Branches: alternative versions of a story. A branch is a separate project with a log copied from its origin.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_db::sql::{Connection, OptionalExtension};
use serde_json::Value;

use crate::access::idempotency;
use crate::change::{self, Pieces};
use crate::row::{to_count, to_json};
use crate::stories::{carry_out, changes};
use crate::{
    Error, Project, ProjectDraft, Projects, SavedStory, StoredChange, StoredKind, StoredPiece, Stories, StorySave,
    piece, projects, search,
};

pub use crate::projects::ProjectBranch;

impl Projects {
    /// Returns the branches of a project, by name.
    pub async fn branches(&self, project: &str) -> Result<Vec<Project>, Error> {
        let mut all = self.list().await?;
        all.retain(|one| one.branch.as_ref().is_some_and(|branch| branch.of == project));
        all.sort_by(|a, b| name(a).cmp(name(b)));
        Ok(all)
    }
}

impl Stories {
    /// Creates a branch of a project after the change `version`, by default the newest, in a transaction.
    ///
    /// Returns [`Error::BranchExists`] if the project has a branch of the same name, and [`Error::UnknownChange`] if
    /// the project has no such change.
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

    /// Saves the result of a merge to the project, adds the pictures of the branch to cards without one, and records the
    /// branch as merged up to its change `merged`, in a single transaction. Returns `None` if there was nothing to save.
    ///
    /// Returns [`Error::Conflict`] if either side has changed since the caller read it.
    pub async fn merge(
        &self,
        branch: &str,
        merged: u64,
        save: StorySave,
        at: Timestamp,
    ) -> Result<Option<SavedStory>, Error> {
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
            projects::add_card_pictures(connection, &stories.user, &branch, &save.project)?;
            connection
                .prepare_cached("UPDATE project SET branch_base = ?3 WHERE user_id = ?1 AND id = ?2")?
                .execute((&stories.user, &branch, to_count(merged)))?;
            Ok(saved)
        };
        self.database.write(job).await
    }

    /// Deletes a branch with all its data, including its log and runs. There is no undo.
    ///
    /// Returns [`Error::BranchExists`] if the branch has branches.
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

    /// Returns the newest project with a change of the run and step.
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
    let new = ProjectDraft { title: format!("{title} · {name}"), language, premise, untitled: false };
    let branch = projects::insert(connection, user, new, at)?;
    let id = branch.id.as_str();
    let called = "UPDATE project SET branch_of = ?3, branch_name = ?4, branch_base = ?5, version = ?5, last_ids = ?6,
             earlier = (SELECT origin.earlier FROM project AS origin WHERE origin.user_id = ?1 AND origin.id = ?3)
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
                                      agent, tool, run, prompt_hash, model, tokens, note, at, changes)
             SELECT user_id, ?3, seq, run_id, step, iteration, agent, tool, run, prompt_hash, model, tokens, note, at,
                    changes
             FROM story_change WHERE user_id = ?1 AND project_id = ?2 AND seq <= ?4",
        )?
        .execute((user, project, id, to_count(version)))?;
    let mut pieces = Pieces::new();
    let mut put: BTreeMap<(StoredKind, String), (u64, u64, Value)> = BTreeMap::new();
    for entry in changes(connection, user, id)? {
        change::apply(&mut pieces, &entry.changes);
        for change in &entry.changes {
            let (kind, piece) = change.names();
            let key = (kind, piece.to_owned());
            match change {
                StoredChange::Put(piece) => {
                    let (times, newest, body) = put.entry(key).or_default();
                    if *times == 0 || !piece.is_moved_from(body) {
                        *newest = entry.seq;
                    }
                    (*times, *body) = (*times + 1, piece.body.clone());
                }
                StoredChange::Remove { .. } => drop(put.remove(&key)),
            }
        }
    }
    let puts: Vec<StoredChange> = pieces.into_values().flatten().map(StoredChange::Put).collect();
    let mut counted = connection.prepare_cached(
        "UPDATE piece SET version = ?5 WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
    )?;
    for change in &puts {
        let (kind, piece) = change.names();
        let (times, newest) =
            put.get(&(kind, piece.to_owned())).map_or((1, version), |(times, newest, _)| (*times, *newest));
        carry_out(connection, user, id, newest, change)?;
        counted.execute((user, id, kind.name(), piece, to_count(times)))?;
    }
    projects::copy_card_pictures(connection, user, project, id)?;
    let branch = projects::get(connection, user, id)?;
    search::index::update(connection, user, &branch, &puts)?;
    Ok(branch)
}

/// A piece on the three sides of a merge; `None` on a side without the piece.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreeWayMerge {
    /// The kind of the piece.
    pub kind: StoredKind,
    /// The id of the piece.
    pub id: String,
    /// The last version known to both sides.
    pub base: Option<StoredPiece>,
    /// The version in the project.
    pub project: Option<StoredPiece>,
    /// The version in the branch.
    pub branch: Option<StoredPiece>,
}

impl ThreeWayMerge {
    /// Returns whether the project has changed the piece.
    pub fn in_project(&self) -> bool {
        !piece::same(self.base.as_ref(), self.project.as_ref())
    }

    /// Returns whether the branch has changed the piece.
    pub fn in_branch(&self) -> bool {
        !piece::same(self.base.as_ref(), self.branch.as_ref())
    }

    /// Returns whether both sides have changed the piece, in different ways.
    pub fn is_conflict(&self) -> bool {
        self.in_project() && self.in_branch() && !self.is_agreed()
    }

    fn is_agreed(&self) -> bool {
        piece::same(self.project.as_ref(), self.branch.as_ref())
    }

    /// Returns the change which replaces the project's piece with the branch's piece.
    pub fn take_branch(&self) -> Option<StoredChange> {
        match (&self.project, &self.branch) {
            _ if self.is_agreed() => None,
            (project, Some(piece)) => Some(StoredChange::Put(piece.in_place_of(project.as_ref(), []))),
            (_, None) => Some(StoredChange::Remove { kind: self.kind, id: self.id.clone() }),
        }
    }

    /// Returns the name of the piece, on any side with the piece.
    pub fn name(&self) -> String {
        [&self.branch, &self.project, &self.base]
            .into_iter()
            .flatten()
            .map(StoredPiece::name)
            .find(|name| !name.is_empty())
            .unwrap_or_default()
    }
}

/// Returns the pieces which differ between the three sides, by kind and id. Positions are not compared.
pub fn compare(
    base: &qingyu_story::Story,
    project: &qingyu_story::Story,
    branch: &qingyu_story::Story,
) -> Vec<ThreeWayMerge> {
    let mut all: BTreeMap<(StoredKind, String), [Option<StoredPiece>; 3]> = BTreeMap::new();
    for (side, story) in [base, project, branch].into_iter().enumerate() {
        for piece in piece::take_apart(story) {
            let sides = all.entry((piece.kind, piece.id.clone())).or_default();
            sides[side] = Some(piece);
        }
    }
    let threefold =
        all.into_iter().map(|((kind, id), [base, project, branch])| ThreeWayMerge { kind, id, base, project, branch });
    threefold.filter(|piece| piece.in_project() || piece.in_branch()).collect()
}
