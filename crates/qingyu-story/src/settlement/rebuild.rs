//! Settlement of a whole book again from its prose.

use serde::Serialize;

use super::Extraction;
use super::outcome::{Config, Settlement};
use super::settle::{SettlingCache, StalePolicy, settle_from};
use crate::edit::Error;
use crate::piece::{Piece, PieceKind};
use crate::{Action, Document, Story, difference};

/// A story settled again, with the results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RebuildOutcome {
    /// The story rebuilt from its prose.
    #[serde(skip)]
    pub story: Story,
    /// The differences from before, by piece, without texts and records.
    pub difference: StoryDifference,
    /// The results by document id, in reading order.
    #[serde(skip)]
    pub chapters: Vec<(String, Settlement)>,
}

/// The differences between two stories.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct StoryDifference {
    /// The new pieces.
    pub created: Vec<Piece>,
    /// The changed pieces, before and after.
    pub changed: Vec<(Piece, Piece)>,
    /// The removed pieces.
    pub removed: Vec<Piece>,
}

impl StoryDifference {
    /// Returns whether the stories are equal.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Settles the chapters selected by `is_meant` again, in reading order: the extraction returned by the callback `read`
/// replaces all pieces previously made from the chapter. Pieces told again keep their ids.
///
/// Skips texts outside the book. `read` receives the story as before the chapter.
pub fn rebuild(
    story: &Story,
    config: Config,
    is_meant: impl Fn(&Document) -> bool,
    mut read: impl FnMut(&Story, &Document) -> Result<Extraction, Error>,
) -> Result<RebuildOutcome, Error> {
    let mut rebuilt = story.clone();
    let mut order: Vec<(u32, usize)> = (0..)
        .zip(&story.documents)
        .filter_map(|(position, document)| {
            (document.order > 0 && is_meant(document)).then_some((document.order, position))
        })
        .collect();
    order.sort_unstable();
    let mut chapters = Vec::with_capacity(order.len());
    let mut shared = SettlingCache::default();
    for (_, position) in order {
        let document = &rebuilt.documents[position];
        let name = super::reconcile::reference(document).to_owned();
        let extraction = read(&rebuilt, document)?;
        let settlement = settle_from(&mut rebuilt, &name, &extraction, config, StalePolicy::Goes, &mut shared)?;
        chapters.push((name, settlement));
    }
    let difference = summary(story, &rebuilt);
    Ok(RebuildOutcome { story: rebuilt, difference, chapters })
}

/// Returns what differs between the stories, documents and single pieces aside.
fn summary(before: &Story, after: &Story) -> StoryDifference {
    let mut summary = StoryDifference::default();
    for change in difference(before, after) {
        if change.is_move() || change.kind() == PieceKind::Document || change.kind().is_single() {
            continue;
        }
        match (change.action, change.before) {
            (Action::Update, Some(before)) => summary.changed.push((before, change.piece)),
            (Action::Delete, _) => summary.removed.push(change.piece),
            _ => summary.created.push(change.piece),
        }
    }
    summary
}
