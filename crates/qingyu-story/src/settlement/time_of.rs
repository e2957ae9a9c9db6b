//! When the statements of a chapter hold.

use super::extraction::ToldFact;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::predicate::Predicate;
use crate::{Document, Mode, Story, time};

/// The time at which a chapter plays, in words that facts can refer to.
#[derive(Debug)]
pub(super) struct Hour {
    words: String,
}

impl Hour {
    /// The outline node that the document tells, or else the only event that happens in it; empty if there is neither.
    pub(super) fn of(story: &Story, document: &Document, names: &Names, only: Option<String>) -> Self {
        let node = document.outline_node.as_deref().and_then(|name| names.resolve(PieceKind::OutlineNode, name));
        let node = node.map(|named| {
            // A name that is also a date or an event, or that several nodes bear, would be read as something else.
            let is_clear = names.resolve(PieceKind::OutlineNode, &named.name) == Some(named)
                && !names.knows(PieceKind::Event, &named.name)
                && time::parse(&named.name).moment().is_none();
            if is_clear || named.id.is_empty() { named.name.clone() } else { named.id.clone() }
        });
        // Without a place in reading order a node is no time.
        let node = node.filter(|name| {
            let named = names.resolve(PieceKind::OutlineNode, name);
            named.is_some_and(|named| story.outline_nodes[named.position].order > 0)
        });
        Self { words: node.or(only).unwrap_or_default() }
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// From when until when a statement holds: as it says, or from the chapter's time on.
    ///
    /// What never changes or is meant for the whole story gets no time, and neither does what is not told as happening now.
    pub(super) fn span(&self, said: &ToldFact, word: Option<&Predicate>) -> (String, String) {
        let (from, until) = (said.from.trim().to_owned(), said.until.trim().to_owned());
        let lasts = word.is_some_and(|word| word.immutable || word.steady);
        let is_now = matches!(said.mode, Mode::Narrated | Mode::Disguised);
        if from.is_empty() && is_now && !lasts && (until.is_empty() || until != self.words) {
            return (self.words.clone(), until);
        }
        (from, until)
    }
}
