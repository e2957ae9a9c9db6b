//! Stories: saved change by change, loaded whole.

use std::collections::HashSet;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};
use qingyu_story::{ChangeKey, Provenance, Story};

use crate::access::{RequestTicket, idempotency};
use crate::change::Pieces;
use crate::piece::StoryHead;
use crate::piece_row::{read_kind, read_piece};
use crate::row::{from_count, from_json, to_count, to_json, to_time};
use crate::{
    Error, Project, ProjectDraft, StoredChange, StoredKind, StoredPiece, StoryChange, change, comments, piece,
    projects, search,
};

/// A save.
#[derive(Debug, Clone, PartialEq)]
pub struct StorySave {
    /// The project.
    pub project: String,
    /// The key of the save.
    pub key: ChangeKey,
    /// The author and source.
    pub provenance: Provenance,
    /// The version on which the changes are based; the save fails if the project has another version. `None` for
    /// callers which own the pieces, such as the agents of a run.
    pub expected: Option<u64>,
    /// The changes.
    pub changes: Vec<StoredChange>,
}

/// The result of a save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedStory {
    /// The version of the project after the commit.
    pub version: u64,
    /// Number of changed pieces.
    pub pieces: usize,
    /// False if the key was a duplicate and the save did nothing.
    pub fresh: bool,
}

/// The current story.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredStory {
    /// The story.
    pub story: Story,
    /// The version of the project.
    pub version: u64,
}

/// A current piece, with its last change.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptPiece {
    /// The piece.
    pub piece: StoredPiece,
    /// Number of inserts and replacements so far.
    pub version: u64,
    /// Sequence number of the last change of the content in the log; to move a piece does not change it.
    pub change: u64,
    /// The key of that change.
    pub key: ChangeKey,
    /// The author and source of that change.
    pub provenance: Provenance,
    /// Time of that change.
    pub at: Timestamp,
}

/// The stories of a user's projects.
#[derive(Debug, Clone)]
pub struct Stories {
    pub(crate) database: Database,
    pub(crate) user: String,
    pub(crate) request: Option<RequestTicket>,
}

impl Stories {
    /// Returns the stories of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), request: None }
    }

    /// Returns the repository with an idempotent request: the created or changed project is recorded in the same
    /// transaction. Changes return [`Error::Taken`] without effect if the request belongs to another caller now.
    #[must_use]
    pub fn under(self, request: RequestTicket) -> Self {
        Self { request: Some(request), ..self }
    }

    /// Returns the story of a project; empty before the first save.
    pub async fn load(&self, project: &str) -> Result<StoredStory, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        let job = move |connection: &Connection| {
            let kept = projects::get(connection, &user, &project)?;
            let pieces = pieces(connection, &user, &project)?;
            let version = kept.version;
            let Project { premise, language, last_ids, .. } = kept;
            Ok(StoredStory { story: piece::put_together(pieces, &StoryHead { premise, language, last_ids })?, version })
        };
        self.database.read(job).await
    }

    /// Creates a project and saves into the project, in a single transaction.
    pub async fn create(
        &self,
        new: ProjectDraft,
        key: ChangeKey,
        provenance: Provenance,
        changes: Vec<StoredChange>,
        at: Timestamp,
    ) -> Result<(Project, SavedStory), Error> {
        let stories = self.clone();
        let job = move |connection: &Connection| {
            let project = projects::insert(connection, &stories.user, new, at)?.id;
            let save = StorySave { project, key, provenance, expected: None, changes };
            let saved = stories.write(connection, &save, at)?;
            Ok((projects::get(connection, &stories.user, &save.project)?, saved))
        };
        self.database.write(job).await
    }

    /// Saves in a transaction: the change, the pieces, the search index, the project's version. Comments on changed
    /// texts follow their words in the same change. Saving under a duplicate key changes nothing, whatever the content.
    ///
    /// Returns [`Error::Conflict`] if `expected` is not the project's version.
    pub async fn save(&self, save: StorySave, at: Timestamp) -> Result<SavedStory, Error> {
        let stories = self.clone();
        self.database.write(move |connection| stories.write(connection, &save, at)).await
    }

    /// Saves in the transaction of the caller, which is committed afterwards. Fails as [`save`](Self::save).
    pub(crate) fn write(&self, connection: &Connection, save: &StorySave, at: Timestamp) -> Result<SavedStory, Error> {
        let user = self.user.as_str();
        connection.lock(&save.project)?;
        let project = projects::to_write(connection, user, &save.project)?;
        let (found, mut last_ids) = (project.version, project.last_ids.clone());
        let key = &save.key;
        let before: Option<i64> = connection
            .prepare_cached(
                "SELECT seq FROM story_change
                 WHERE user_id = ?1 AND project_id = ?2 AND run_id = ?3 AND step = ?4 AND iteration = ?5",
            )?
            .query_row((user, &save.project, &key.run, &key.step, key.iteration), |row| row.get(0))
            .optional()?;
        if before.is_some() {
            return Ok(SavedStory { version: found, pieces: 0, fresh: false });
        }
        if let Some(expected) = save.expected.filter(|expected| *expected != found) {
            return Err(Error::Conflict { project: save.project.clone(), expected, found });
        }
        let followed = comments::follow(connection, user, &save.project, &save.changes)?;
        let with_comments;
        let save = if followed.is_empty() {
            save
        } else {
            with_comments = StorySave { changes: [save.changes.clone(), followed].concat(), ..save.clone() };
            &with_comments
        };
        let before = places(connection, user, &save.project)?;
        let version = found + 1;
        log(connection, user, save, version, at)?;
        for change in &save.changes {
            carry_out(connection, user, &save.project, version, change)?;
        }
        move_around(connection, user, &save.project, &before, &save.changes)?;
        search::index::update(connection, user, &project, &save.changes)?;
        piece::note_numbers(&mut last_ids, change::put(&save.changes));
        connection
            .prepare_cached(
                "UPDATE project SET version = ?3, updated = ?4, last_ids = ?5 WHERE user_id = ?1 AND id = ?2",
            )?
            .execute((user, &save.project, to_count(version), at.to_string(), to_json(&last_ids)))?;
        idempotency::made(connection, self.request.as_ref(), &save.project)?;
        Ok(SavedStory { version, pieces: save.changes.len(), fresh: true })
    }

    /// Returns the log, oldest first.
    pub async fn changes(&self, project: &str) -> Result<Vec<StoryChange>, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        self.database.read(move |connection| changes(connection, &user, &project)).await
    }

    /// Returns the current pieces with their authors, by kind and position.
    pub async fn pieces(&self, project: &str) -> Result<Vec<KeptPiece>, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        self.database.read(move |connection| kept_pieces(connection, &user, &project)).await
    }
}

/// Appends the save to the log, as change `seq` of the project.
fn log(connection: &Connection, user: &str, save: &StorySave, seq: u64, at: Timestamp) -> Result<(), Error> {
    let StorySave { project, key, provenance, changes, .. } = save;
    connection
        .prepare_cached(
            "INSERT INTO story_change(user_id, project_id, seq, run_id, step, iteration,
                                      agent, tool, run, prompt_hash, model, tokens, note, at, changes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        )?
        .execute(qingyu_db::params![
            user,
            project,
            to_count(seq),
            key.run,
            key.step,
            key.iteration,
            provenance.agent,
            provenance.tool,
            provenance.run,
            provenance.prompt_hash,
            provenance.model,
            to_count(provenance.tokens),
            provenance.note,
            at.to_string(),
            to_json(changes),
        ])?;
    Ok(())
}

/// Applies a change to the table of current pieces; a replaced piece gets the next version.
pub(crate) fn carry_out(
    connection: &Connection,
    user: &str,
    project: &str,
    seq: u64,
    change: &StoredChange,
) -> Result<(), Error> {
    match change {
        StoredChange::Put(piece) => {
            let seq = made_before(connection, user, project, piece)?.unwrap_or(to_count(seq));
            connection
                .prepare_cached(
                    "INSERT INTO piece(user_id, project_id, kind, id, position, body, version, change_seq)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7)
                     ON CONFLICT (project_id, kind, id) DO UPDATE SET position = excluded.position, body = excluded.body,
                         version = piece.version + 1, change_seq = excluded.change_seq",
                )?
                .execute((
                    user,
                    project,
                    piece.kind.name(),
                    &piece.id,
                    piece.position,
                    piece.body.to_string(),
                    seq,
                ))?
        }
        StoredChange::Remove { kind, id } => connection
            .prepare_cached("DELETE FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4")?
            .execute((user, project, kind.name(), id))?,
    };
    Ok(())
}

/// Returns the number of the change that made the content of `piece`, if the stored piece already has that content.
fn made_before(connection: &Connection, user: &str, project: &str, piece: &StoredPiece) -> Result<Option<i64>, Error> {
    let mut select = connection.prepare_cached(
        "SELECT body, change_seq FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
    )?;
    let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
    let kept = select.query_row((user, project, piece.kind.name(), &piece.id), read).optional()?;
    let Some((body, seq)) = kept else { return Ok(None) };
    let body: serde_json::Value = from_json(&body, || format!("{} {}", piece.kind.name(), piece.id))?;
    Ok(piece.is_moved_from(&body).then_some(seq))
}

/// Updates positions shifted by changes of other pieces.
fn move_around(
    connection: &Connection,
    user: &str,
    project: &str,
    before: &Pieces,
    changes: &[StoredChange],
) -> Result<(), Error> {
    let mut after = before.clone();
    change::apply(&mut after, changes);
    let named: HashSet<(StoredKind, &str)> = changes.iter().map(StoredChange::names).collect();
    let stays = |piece: &&StoredPiece| !named.contains(&(piece.kind, &piece.id));
    let unmoved: HashSet<(StoredKind, &str, u32)> =
        before.values().flatten().filter(stays).map(|piece| (piece.kind, piece.id.as_str(), piece.position)).collect();
    let mut update = connection.prepare_cached(
        "UPDATE piece SET position = ?5 WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
    )?;
    let has_moved = |piece: &&StoredPiece| !unmoved.contains(&(piece.kind, piece.id.as_str(), piece.position));
    for piece in after.values().flatten().filter(has_moved) {
        update.execute((user, project, piece.kind.name(), &piece.id, piece.position))?;
    }
    Ok(())
}

/// Returns the pieces without their bodies.
fn places(connection: &Connection, user: &str, project: &str) -> Result<Pieces, Error> {
    let select = "SELECT kind, id, position FROM piece WHERE user_id = ?1 AND project_id = ?2";
    let mut select = connection.prepare_cached(select)?;
    let mut rows = select.query((user, project))?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        places.push(StoredPiece {
            kind: read_kind(&row.get::<_, String>(0)?, row.text(1)?)?,
            id: row.get(1)?,
            position: row.get(2)?,
            body: serde_json::Value::Null,
        });
    }
    Ok(change::arrange(places))
}

pub(crate) fn pieces(connection: &Connection, user: &str, project: &str) -> Result<Pieces, Error> {
    let mut select = connection
        .prepare_cached("SELECT kind, id, position, body FROM piece WHERE user_id = ?1 AND project_id = ?2")?;
    let rows = select.query_map((user, project), |row| Ok(read_piece(row)))?;
    Ok(change::arrange(rows.map(|row| row?).collect::<Result<Vec<_>, Error>>()?))
}

fn kept_pieces(connection: &Connection, user: &str, project: &str) -> Result<Vec<KeptPiece>, Error> {
    projects::get(connection, user, project)?;
    let mut select = connection.prepare_cached(
        "SELECT piece.kind, piece.id, piece.position, piece.body, piece.version, c.seq,
                c.run_id, c.step, c.iteration, c.at, c.agent, c.tool, c.run, c.prompt_hash, c.model, c.tokens, c.note
         FROM piece JOIN story_change AS c ON c.project_id = piece.project_id AND c.seq = piece.change_seq
         WHERE piece.user_id = ?1 AND piece.project_id = ?2 AND c.user_id = ?1",
    )?;
    let read = |row: &Row<'_>| -> Result<KeptPiece, Error> {
        Ok(KeptPiece {
            piece: read_piece(row)?,
            version: from_count(row.get(4)?),
            change: from_count(row.get(5)?),
            key: ChangeKey { run: row.get(6)?, step: row.get(7)?, iteration: row.get(8)? },
            at: to_time(&row.get::<_, String>(9)?)?,
            provenance: read_provenance(row, 10)?,
        })
    };
    let rows = select.query_map((user, project), |row| Ok(read(row)))?;
    let mut pieces = rows.map(|row| row?).collect::<Result<Vec<_>, _>>()?;
    pieces.sort_by_key(|kept| (kept.piece.kind, kept.piece.position));
    Ok(pieces)
}

/// Returns the provenance in the columns from `first` on: agent, tool, run, prompt_hash, model, tokens, note.
fn read_provenance(row: &Row<'_>, first: usize) -> Result<Provenance, Error> {
    Ok(Provenance {
        agent: row.get(first)?,
        tool: row.get(first + 1)?,
        run: row.get(first + 2)?,
        prompt_hash: row.get(first + 3)?,
        model: row.get(first + 4)?,
        tokens: from_count(row.get(first + 5)?),
        note: row.get(first + 6)?,
    })
}

/// Returns the log of a project, oldest change first.
pub(crate) fn changes(connection: &Connection, user: &str, project: &str) -> Result<Vec<StoryChange>, Error> {
    projects::get(connection, user, project)?;
    let mut select = connection.prepare_cached(
        "SELECT seq, run_id, step, iteration, at, changes, agent, tool, run, prompt_hash, model, tokens, note
         FROM story_change WHERE user_id = ?1 AND project_id = ?2 ORDER BY seq",
    )?;
    let read = |row: &Row<'_>| -> Result<StoryChange, Error> {
        let seq = from_count(row.get(0)?);
        Ok(StoryChange {
            seq,
            key: ChangeKey { run: row.get(1)?, step: row.get(2)?, iteration: row.get(3)? },
            at: to_time(&row.get::<_, String>(4)?)?,
            changes: from_json(&row.get::<_, String>(5)?, || format!("change {seq} of {project}"))?,
            provenance: read_provenance(row, 6)?,
        })
    };
    let rows = select.query_map((user, project), |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}
