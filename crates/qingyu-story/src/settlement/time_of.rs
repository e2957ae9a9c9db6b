//! Determines the times at which a chapter's statements hold.

use super::extraction::ToldFact;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::predicate::Predicate;
use crate::{Document, Mode, Story, time};

/// The story time of a chapter, in words usable in facts.
#[derive(Debug)]
pub(super) struct ChapterTime {
    words: String,
}

impl ChapterTime {
    /// Returns the outline node of the document, with the chapter's single event as fallback; empty if neither exists.
    pub(super) fn of(story: &Story, document: &Document, names: &Names, only: Option<String>) -> Self {
        let node = document.outline_node.as_deref().and_then(|name| names.resolve(PieceKind::OutlineNode, name));
        let node = node.map(|named| {
            // A name shared with a date, an event or several nodes would be parsed as something else.
            let is_clear = names.resolve(PieceKind::OutlineNode, &named.name) == Some(named)
                && !names.knows(PieceKind::Event, &named.name)
                && time::parse(&named.name).moment().is_none();
            if is_clear || named.id.is_empty() { named.name.clone() } else { named.id.clone() }
        });
        // A node without a reading order is no time.
        let node = node.filter(|name| {
            let named = names.resolve(PieceKind::OutlineNode, name);
            named.is_some_and(|named| story.outline_nodes[named.position].order > 0)
        });
        Self { words: node.or(only).unwrap_or_default() }
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Returns the start and end of a statement: the stated times, with the chapter's time as the default start.
    ///
    /// Timeless predicates, constants of the whole story and statements not narrated as present get no time.
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
