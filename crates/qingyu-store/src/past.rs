//! Earlier states of a story, and taking changes back. The log is never shortened: what takes a change back is a new one.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::change::{self, Pieces};
use crate::piece::Head;
use crate::{
    Change, ChangeKey, Error, KeptStory, Kind, Piece, Projects, Provenance, Save, Saved, Stories, StoryChange, piece,
};

/// What stands in the key of a change that takes another one back, before the number of that one.
const UNDO: &str = "undo";

impl StoryChange {
    /// The change that this one has taken back.
    pub fn undoes(&self) -> Option<u64> {
        (self.key.run == UNDO).then(|| self.key.step.parse().ok())?
    }
}

impl Stories {
    /// The story as it was after the change `version`, read from the log; 0 is the empty story.
    pub async fn at(&self, project: &str, version: u64) -> Result<KeptStory, Error> {
        let kept = Projects::new(&self.database, &self.user).get(project).await?;
        if version > kept.version {
            return Err(Error::UnknownChange { project: project.into(), change: version, newest: kept.version });
        }
        let mut log = self.changes(project).await?;
        log.retain(|entry| entry.seq <= version);
        let mut last_ids = BTreeMap::new();
        log.iter().for_each(|entry| piece::note_numbers(&mut last_ids, change::put(&entry.changes)));
        let head = Head { premise: kept.premise, language: kept.language, last_ids };
        Ok(KeptStory { story: piece::put_together(replay(Pieces::new(), &log), &head)?, version })
    }

    /// Takes the change `undone` back: what it made goes, what it changed or took out comes back as it was. Numbers in
    /// ids are not given again, and neither are those of versions: a text or a value that comes back is a new version.
    ///
    /// Fails with [`Error::ChangedSince`] if a later change has touched the same pieces; take that one back first.
    pub async fn undo(
        &self,
        project: &str,
        undone: u64,
        provenance: Provenance,
        at: Timestamp,
    ) -> Result<Saved, Error> {
        let log = self.changes(project).await?;
        let newest = log.last().map_or(0, |entry| entry.seq);
        let changes = inverse(project, &log, undone)?;
        let iteration = u32::try_from(newest).unwrap_or(u32::MAX);
        let key = ChangeKey { run: UNDO.into(), step: undone.to_string(), iteration };
        self.save(Save { project: project.into(), key, provenance, expected: Some(newest), changes }, at).await
    }
}

/// The pieces after the changes of `log`, which follow each other from where the pieces stand.
fn replay(mut pieces: Pieces, log: &[StoryChange]) -> Pieces {
    log.iter().for_each(|entry| change::apply(&mut pieces, &entry.changes));
    pieces
}

/// What takes back the change `undone` of the log, if nothing after it has touched the same pieces.
fn inverse(project: &str, log: &[StoryChange], undone: u64) -> Result<Vec<Change>, Error> {
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
    for (kind, id) in log[place].changes.iter().map(Change::names) {
        if !piece::same(find(&after, kind, id), find(&now, kind, id)) {
            let touches = |entry: &&StoryChange| entry.changes.iter().any(|change| change.names() == (kind, id));
            let by = log[place + 1..].iter().rfind(touches).map_or(undone, |entry| entry.seq);
            let piece = format!("{}/{id}", kind.name());
            return Err(Error::ChangedSince { project: project.into(), change: undone, piece, by });
        }
        changes.push(match find(&before, kind, id) {
            Some(piece) => {
                let put = log.iter().flat_map(|entry| change::put(&entry.changes));
                let given = put.filter(|put| (put.kind, put.id.as_str()) == (kind, id)).map(Piece::version);
                Change::Put(piece.in_place_of(find(&now, kind, id), given))
            }
            None => Change::Remove { kind, id: id.into() },
        });
    }
    Ok(changes)
}

fn find<'p>(pieces: &'p Pieces, kind: Kind, id: &str) -> Option<&'p Piece> {
    pieces.get(&kind)?.iter().find(|piece| piece.id == id)
}
