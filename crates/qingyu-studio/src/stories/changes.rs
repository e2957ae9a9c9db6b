//! The history of a story: log, earlier versions, undo.

use jiff::Timestamp;
use qingyu_store::{StoredChange, StoredKind, StoryChange};
use qingyu_story::{Language, Piece, PieceKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::memories::lessons;
use crate::stories::saved::by_hand;
use crate::studio::Studio;

/// A change in the log of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeRow {
    /// The number, equal to the project's version after the change.
    pub change: u64,
    /// The time of the change.
    pub at: Timestamp,
    /// The agent, or `person`.
    pub agent: String,
    /// The source: a run, or a command such as `import`.
    pub run: String,
    /// The model.
    pub model: Option<String>,
    /// The tokens of the calls.
    pub tokens: u64,
    /// The undone change, if the change is an undo.
    pub undoes: Option<u64>,
    /// The inserted or updated pieces.
    pub put: Vec<PieceName>,
    /// The removed pieces.
    pub removed: Vec<PieceName>,
}

/// A piece in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PieceName {
    /// The kind.
    pub kind: String,
    /// The ID.
    pub id: String,
    /// The name or title, if any.
    pub name: String,
}

impl Studio {
    /// Returns the log of a project's story, oldest first.
    pub async fn changes(&self, project: &str) -> Result<Vec<ChangeRow>, Error> {
        let id = self.find_project(project).await?.id;
        let log = self.stories_table().changes(&id).await.map_err(|error| self.place("").store(error))?;
        Ok(log.into_iter().map(change_row).collect())
    }

    /// Returns the story of a project after a change; the current story by default.
    pub async fn story_at(&self, project: &str, change: Option<u64>) -> Result<Story, Error> {
        let id = self.find_project(project).await?.id;
        let kept = match change {
            Some(change) => self.stories_table().at(&id, change).await,
            None => self.stories_table().load(&id).await,
        };
        Ok(kept.map_err(|error| self.place("").store(error))?.story)
    }

    /// Undoes a change, by default the newest; returns the undoing change.
    ///
    /// Returns [`Error::ChangedSince`] if a later change touched the same pieces.
    pub async fn undo(&self, project: &str, change: Option<u64>) -> Result<ChangeRow, Error> {
        let found = self.find_project(project).await?;
        let bad = |error| self.place("").store(error);
        let stories = self.stories_table();
        let undone = change.unwrap_or(found.version);
        let saved = stories.undo(&found.id, undone, by_hand(), Timestamp::now()).await.map_err(bad)?;
        let log = stories.changes(&found.id).await.map_err(bad)?;
        if let Some(taken_back) = log.iter().find(|entry| entry.seq == undone) {
            let lessons = lessons::of_undo(&found.id, taken_back, found.language, Timestamp::now());
            self.learn_in(&found.id, lessons).await;
        }
        // Another writer may have saved a change meanwhile; its number is higher.
        let made = change_at(log, saved.version);
        made.map(change_row).ok_or_else(|| Error::Internal { message: "the change was not logged".into() })
    }
}

/// Returns the change with the number `version` of the log.
fn change_at(log: Vec<StoryChange>, version: u64) -> Option<StoryChange> {
    log.into_iter().find(|entry| entry.seq == version)
}

fn change_row(entry: StoryChange) -> ChangeRow {
    let undoes = entry.undoes();
    let StoryChange { seq, key, provenance, at, changes } = entry;
    let (mut put, mut removed) = (Vec::new(), Vec::new());
    // Comments that follow a changed text are no changes by its author.
    let is_text = |change: &StoredChange| change.names().0 == StoredKind::Piece(PieceKind::Document);
    let has_text = changes.iter().any(is_text);
    for change in changes.into_iter().filter(|change| !(has_text && change.names().0 == StoredKind::Comment)) {
        let (kind, id) = change.names();
        let named = PieceName { kind: kind.name().into(), id: id.into(), name: String::new() };
        match change {
            StoredChange::Put(piece) => put.push(PieceName { name: piece.name(), ..named }),
            StoredChange::Remove { .. } => removed.push(named),
        }
    }
    ChangeRow {
        change: seq,
        at,
        agent: provenance.agent,
        run: key.run,
        model: provenance.model,
        tokens: provenance.tokens,
        undoes,
        put,
        removed,
    }
}

/// Returns the name of a piece for a reader of `language`.
pub(crate) fn name_of(piece: &Piece, language: Language) -> PieceName {
    PieceName { kind: piece.kind().name().into(), id: piece.id().into(), name: piece.shown(language) }
}

#[cfg(test)]
mod tests {
    use qingyu_story::ChangeKey;

    use super::*;

    #[test]
    fn an_undo_returns_its_own_change() {
        let entry = |seq: u64| StoryChange {
            seq,
            key: ChangeKey { run: "undo".into(), step: "1".into(), iteration: 0 },
            provenance: by_hand(),
            at: Timestamp::UNIX_EPOCH,
            changes: Vec::new(),
        };
        let log = || vec![entry(1), entry(2), entry(3)];
        assert_eq!(change_at(log(), 2).map(|made| made.seq), Some(2), "a later change of another writer is not it");
        assert_eq!(change_at(log(), 9), None);
    }
}
