//! Stories: saved change by change, loaded whole.

use std::collections::HashSet;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};
use qingyu_story::Story;

use crate::access::{Ticket, idempotency};
use crate::change::Pieces;
use crate::piece::Head;
use crate::row::{from_count, from_json, to_count, to_json, to_time};
use crate::{
    Change, ChangeKey, Error, Kind, NewProject, Piece, Project, Provenance, StoryChange, change, piece, projects,
    search,
};

/// What is to be saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Save {
    /// The project.
    pub project: String,
    /// What the save is named by.
    pub key: ChangeKey,
    /// Who made it.
    pub provenance: Provenance,
    /// The version the changes were made for; the save fails if the project has another. None for savers that own
    /// the pieces they change, as the agents of a run do.
    pub expected: Option<u64>,
    /// What is done.
    pub changes: Vec<Change>,
}

/// What a save did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The version of the project after it.
    pub version: u64,
    /// How many pieces changed.
    pub pieces: usize,
    /// False if the same key had been saved before; nothing was done then.
    pub fresh: bool,
}

/// A story as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptStory {
    /// The story.
    pub story: Story,
    /// The version of the project.
    pub version: u64,
}

/// A piece as it stands, and the change that made it.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptPiece {
    /// The piece.
    pub piece: Piece,
    /// How often it was put.
    pub version: u64,
    /// The place of that change in the log.
    pub change: u64,
    /// What the change is named by.
    pub key: ChangeKey,
    /// Who made it.
    pub provenance: Provenance,
    /// When.
    pub at: Timestamp,
}

/// The stories of one user's projects.
#[derive(Debug, Clone)]
pub struct Stories {
    pub(crate) database: Database,
    pub(crate) user: String,
    pub(crate) request: Option<Ticket>,
}

impl Stories {
    /// The stories of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), request: None }
    }

    /// The same under a request that is to be carried out once: word of the project that is made or changed is kept with the change.
    /// Changes fail with [`Error::Taken`], and change nothing, if the request is another's by now.
    #[must_use]
    pub fn under(self, request: Ticket) -> Self {
        Self { request: Some(request), ..self }
    }

    /// The story of a project; an empty one before the first save.
    pub async fn load(&self, project: &str) -> Result<KeptStory, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        let job = move |connection: &Connection| {
            let kept = projects::get(connection, &user, &project)?;
            let pieces = pieces(connection, &user, &project)?;
            let version = kept.version;
            let Project { premise, language, last_ids, .. } = kept;
            Ok(KeptStory { story: piece::put_together(pieces, &Head { premise, language, last_ids })?, version })
        };
        self.database.read(job).await
    }

    /// Makes a project and saves into it, in one transaction.
    pub async fn create(
        &self,
        new: NewProject,
        key: ChangeKey,
        provenance: Provenance,
        changes: Vec<Change>,
        at: Timestamp,
    ) -> Result<(Project, Saved), Error> {
        let stories = self.clone();
        let job = move |connection: &Connection| {
            let project = projects::insert(connection, &stories.user, new, at)?.id;
            let save = Save { project, key, provenance, expected: None, changes };
            let saved = stories.write(connection, &save, at)?;
            Ok((projects::get(connection, &stories.user, &save.project)?, saved))
        };
        self.database.write(job).await
    }

    /// Saves in one transaction: the change, the pieces, what is searched, the project's version. Saving under a key that
    /// was saved before changes nothing, whatever it holds.
    ///
    /// Fails with [`Error::Conflict`] if `expected` is not the project's version.
    pub async fn save(&self, save: Save, at: Timestamp) -> Result<Saved, Error> {
        let stories = self.clone();
        self.database.write(move |connection| stories.write(connection, &save, at)).await
    }

    pub(crate) fn write(&self, connection: &Connection, save: &Save, at: Timestamp) -> Result<Saved, Error> {
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
            return Ok(Saved { version: found, pieces: 0, fresh: false });
        }
        if let Some(expected) = save.expected.filter(|expected| *expected != found) {
            return Err(Error::Conflict { project: save.project.clone(), expected, found });
        }
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
        Ok(Saved { version, pieces: save.changes.len(), fresh: true })
    }

    /// The log, oldest first.
    pub async fn changes(&self, project: &str) -> Result<Vec<StoryChange>, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        self.database.read(move |connection| changes(connection, &user, &project)).await
    }

    /// The story made anew from the log; equals [`load`](Self::load) unless the pieces are damaged.
    pub async fn rebuild(&self, project: &str) -> Result<Story, Error> {
        let newest = crate::Projects::new(&self.database, &self.user).get(project).await?.version;
        Ok(self.at(project, newest).await?.story)
    }

    /// The pieces as they stand, with who made them, by kind and position.
    pub async fn pieces(&self, project: &str) -> Result<Vec<KeptPiece>, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        self.database.read(move |connection| kept_pieces(connection, &user, &project)).await
    }
}

fn log(connection: &Connection, user: &str, save: &Save, seq: u64, at: Timestamp) -> Result<(), Error> {
    let Save { project, key, provenance, changes, .. } = save;
    connection
        .prepare_cached(
            "INSERT INTO story_change(user_id, project_id, seq, run_id, step, iteration,
                                      agent, prompt_hash, model, tokens, at, changes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(qingyu_db::params![
            user,
            project,
            to_count(seq),
            key.run,
            key.step,
            key.iteration,
            provenance.agent,
            provenance.prompt_hash,
            provenance.model,
            to_count(provenance.tokens),
            at.to_string(),
            to_json(changes),
        ])?;
    Ok(())
}

pub(crate) fn carry_out(
    connection: &Connection,
    user: &str,
    project: &str,
    seq: u64,
    change: &Change,
) -> Result<(), Error> {
    match change {
        Change::Put(piece) => connection
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
                to_count(seq),
            ))?,
        Change::Remove { kind, id } => connection
            .prepare_cached("DELETE FROM piece WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4")?
            .execute((user, project, kind.name(), id))?,
    };
    Ok(())
}

/// Writes the positions that changes of other pieces have shifted.
fn move_around(
    connection: &Connection,
    user: &str,
    project: &str,
    before: &Pieces,
    changes: &[Change],
) -> Result<(), Error> {
    let mut after = before.clone();
    change::apply(&mut after, changes);
    let named: HashSet<(Kind, &str)> = changes.iter().map(Change::names).collect();
    let stays = |piece: &&Piece| !named.contains(&(piece.kind, &piece.id));
    let unmoved: HashSet<(Kind, &str, u32)> =
        before.values().flatten().filter(stays).map(|piece| (piece.kind, piece.id.as_str(), piece.position)).collect();
    let mut update = connection.prepare_cached(
        "UPDATE piece SET position = ?5 WHERE user_id = ?1 AND project_id = ?2 AND kind = ?3 AND id = ?4",
    )?;
    let has_moved = |piece: &&Piece| !unmoved.contains(&(piece.kind, piece.id.as_str(), piece.position));
    for piece in after.values().flatten().filter(has_moved) {
        update.execute((user, project, piece.kind.name(), &piece.id, piece.position))?;
    }
    Ok(())
}

/// The pieces without what is in them.
fn places(connection: &Connection, user: &str, project: &str) -> Result<Pieces, Error> {
    let select = "SELECT kind, id, position FROM piece WHERE user_id = ?1 AND project_id = ?2";
    let mut select = connection.prepare_cached(select)?;
    let mut rows = select.query((user, project))?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        places.push(Piece {
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

/// A piece from its kind, id, position and body.
pub(crate) fn read_piece(row: &Row<'_>) -> Result<Piece, Error> {
    let (kind, id): (String, String) = (row.get(0)?, row.get(1)?);
    let body = from_json(&row.get::<_, String>(3)?, || format!("{kind} {id}"))?;
    Ok(Piece { kind: read_kind(&kind, &id)?, id, position: row.get(2)?, body })
}

fn read_kind(kind: &str, id: &str) -> Result<Kind, Error> {
    Kind::parse(kind)
        .ok_or_else(|| Error::BadRow { what: format!("{kind} {id}"), message: "this kind is not known".into() })
}

fn kept_pieces(connection: &Connection, user: &str, project: &str) -> Result<Vec<KeptPiece>, Error> {
    projects::get(connection, user, project)?;
    let mut select = connection.prepare_cached(
        "SELECT piece.kind, piece.id, piece.position, piece.body, piece.version, c.seq,
                c.run_id, c.step, c.iteration, c.agent, c.prompt_hash, c.model, c.tokens, c.at
         FROM piece JOIN story_change AS c ON c.project_id = piece.project_id AND c.seq = piece.change_seq
         WHERE piece.user_id = ?1 AND piece.project_id = ?2 AND c.user_id = ?1",
    )?;
    let read = |row: &Row<'_>| -> Result<KeptPiece, Error> {
        Ok(KeptPiece {
            piece: read_piece(row)?,
            version: from_count(row.get(4)?),
            change: from_count(row.get(5)?),
            key: ChangeKey { run: row.get(6)?, step: row.get(7)?, iteration: row.get(8)? },
            provenance: Provenance {
                agent: row.get(9)?,
                prompt_hash: row.get(10)?,
                model: row.get(11)?,
                tokens: from_count(row.get(12)?),
            },
            at: to_time(&row.get::<_, String>(13)?)?,
        })
    };
    let rows = select.query_map((user, project), |row| Ok(read(row)))?;
    let mut pieces = rows.map(|row| row?).collect::<Result<Vec<_>, _>>()?;
    pieces.sort_by_key(|kept| (kept.piece.kind, kept.piece.position));
    Ok(pieces)
}

pub(crate) fn changes(connection: &Connection, user: &str, project: &str) -> Result<Vec<StoryChange>, Error> {
    projects::get(connection, user, project)?;
    let mut select = connection.prepare_cached(
        "SELECT seq, run_id, step, iteration, agent, prompt_hash, model, tokens, at, changes
         FROM story_change WHERE user_id = ?1 AND project_id = ?2 ORDER BY seq",
    )?;
    let read = |row: &Row<'_>| -> Result<StoryChange, Error> {
        let seq = from_count(row.get(0)?);
        Ok(StoryChange {
            seq,
            key: ChangeKey { run: row.get(1)?, step: row.get(2)?, iteration: row.get(3)? },
            provenance: Provenance {
                agent: row.get(4)?,
                prompt_hash: row.get(5)?,
                model: row.get(6)?,
                tokens: from_count(row.get(7)?),
            },
            at: to_time(&row.get::<_, String>(8)?)?,
            changes: from_json(&row.get::<_, String>(9)?, || format!("change {seq} of {project}"))?,
        })
    };
    let rows = select.query_map((user, project), |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}
