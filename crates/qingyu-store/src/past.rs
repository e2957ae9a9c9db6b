//! Earlier states of a story, and undo of changes. The log is append-only: an undo is a new change.

use std::collections::BTreeMap;

use jiff::Timestamp;
use qingyu_story::{ChangeKey, Provenance, Story};

use crate::change::{self, Pieces};
use crate::piece::StoryHead;
use crate::{
    Error, Projects, SavedStory, StoredChange, StoredKind, StoredPiece, StoredStory, Stories, StoryChange, StorySave,
    piece,
};

/// Key of an undo, followed by the number of the reverted change.
const UNDO: &str = "undo";

impl StoryChange {
    /// Returns the number of the change reverted by the change, if any.
    pub fn undoes(&self) -> Option<u64> {
        (self.key.run == UNDO).then(|| self.key.step.parse().ok())?
    }
}

impl Stories {
    /// Returns the story replayed from the log; equal to [`load`](Self::load) unless the pieces are damaged.
    pub async fn rebuild(&self, project: &str) -> Result<Story, Error> {
        let newest = Projects::new(&self.database, &self.user).get(project).await?.version;
        Ok(self.at(project, newest).await?.story)
    }

    /// Returns the story after the change `version`, replayed from the log; 0 is the empty story.
    pub async fn at(&self, project: &str, version: u64) -> Result<StoredStory, Error> {
        let kept = Projects::new(&self.database, &self.user).get(project).await?;
        if version > kept.version {
            return Err(Error::UnknownChange { project: project.into(), change: version, newest: kept.version });
        }
        let mut log = self.changes(project).await?;
        log.retain(|entry| entry.seq <= version);
        let mut last_ids = BTreeMap::new();
        log.iter().for_each(|entry| piece::note_numbers(&mut last_ids, change::put(&entry.changes)));
        let head = StoryHead { premise: kept.premise, language: kept.language, last_ids };
        Ok(StoredStory { story: piece::put_together(replay(Pieces::new(), &log), &head)?, version })
    }

    /// Reverts the change `undone`: removes inserted pieces, restores modified and removed pieces. Numbers in ids and
    /// version numbers are never reused: a restored text or value is a new version.
    ///
    /// Returns [`Error::ChangedSince`] if a later change has modified the same pieces; the caller must revert the later
    /// change first.
    pub async fn undo(
        &self,
        project: &str,
        undone: u64,
        provenance: Provenance,
        at: Timestamp,
    ) -> Result<SavedStory, Error> {
        let log = self.changes(project).await?;
        let newest = log.last().map_or(0, |entry| entry.seq);
        let changes = inverse(project, &log, undone)?;
        let iteration = u32::try_from(newest).unwrap_or(u32::MAX);
        let key = ChangeKey { run: UNDO.into(), step: undone.to_string(), iteration };
        self.save(StorySave { project: project.into(), key, provenance, expected: Some(newest), changes }, at).await
    }
}

/// Applies the changes of `log` to the pieces, in order.
fn replay(mut pieces: Pieces, log: &[StoryChange]) -> Pieces {
    log.iter().for_each(|entry| change::apply(&mut pieces, &entry.changes));
    pieces
}

/// Returns the changes which revert the change `undone` of the log; an error if a later change has modified the same
/// pieces.
fn inverse(project: &str, log: &[StoryChange], undone: u64) -> Result<Vec<StoredChange>, Error> {
    let unknown = || Error::UnknownChange {
        project: project.into(),
        change: undone,
        newest: log.last().map_or(0, |entry| entry.seq),
    };
    let place = log.iter().position(|entry| entry.seq == undone).ok_or_else(unknown)?;
    let before = replay(Pieces::new(), &log[..place]);
    let after = replay(before.clone(), &log[place..=place]);
    let now = replay(after.clone(), &log[place + 1..]);
    let mut changes = Vec::new();
    for (kind, id) in log[place].changes.iter().map(StoredChange::names) {
        // A comment that only followed its text follows the restored text as well.
        if kind == StoredKind::Comment && piece::same(find(&before, kind, id), find(&after, kind, id)) {
            continue;
        }
        if !piece::same(find(&after, kind, id), find(&now, kind, id)) {
            let touches = |entry: &&StoryChange| entry.changes.iter().any(|change| change.names() == (kind, id));
            let by = log[place + 1..].iter().rfind(touches).map_or(undone, |entry| entry.seq);
            let piece = format!("{}/{id}", kind.name());
            return Err(Error::ChangedSince { project: project.into(), change: undone, piece, by });
        }
        changes.push(match find(&before, kind, id) {
            Some(piece) => {
                let put = log.iter().flat_map(|entry| change::put(&entry.changes));
                let given = put.filter(|put| (put.kind, put.id.as_str()) == (kind, id)).map(StoredPiece::version);
                StoredChange::Put(piece.in_place_of(find(&now, kind, id), given))
            }
            None => StoredChange::Remove { kind, id: id.into() },
        });
    }
    Ok(changes)
}

fn find<'p>(pieces: &'p Pieces, kind: StoredKind, id: &str) -> Option<&'p StoredPiece> {
    pieces.get(&kind)?.iter().find(|piece| piece.id == id)
}
