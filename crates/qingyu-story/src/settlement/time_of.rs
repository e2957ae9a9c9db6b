//! Determines the times at which a chapter's statements hold.

use super::differing::dated_like;
use super::extraction::ToldFact;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::predicate::Predicate;
use crate::{Document, Mode, Story, time};

/// The story time of a chapter, in words usable in facts.
#[derive(Debug)]
pub(super) struct ChapterTime {
    words: String,
    /// The time of an event of the chapter with a full date; empty if there is none.
    date: String,
}

impl ChapterTime {
    /// Returns the outline node of the document, and the date of one of its events.
    pub(super) fn of(story: &Story, document: &Document, names: &Names) -> Self {
        let own = document.outline_node.as_deref().and_then(|name| names.resolve(PieceKind::OutlineNode, name));
        let node = own.map(|named| {
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
        let is_own = |node: &str| own.is_some() && names.resolve(PieceKind::OutlineNode, node) == own;
        let date = story.timeline_events.iter().find(|event| {
            event.mode == Mode::Narrated
                && event.outline_node.as_deref().is_some_and(is_own)
                && time::parse(&event.timestamp).moment().is_some_and(|moment| moment.is_dated())
        });
        let date = date.map(|event| event.timestamp.trim().to_owned()).unwrap_or_default();
        Self { words: node.unwrap_or_default(), date }
    }

    /// Returns the same time, or `event`, the only one of the chapter, if the chapter is no time itself.
    pub(super) fn or_event(self, event: Option<String>) -> Self {
        match event.filter(|_| self.words.is_empty()) {
            Some(event) => Self { words: event, ..self },
            None => self,
        }
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Returns a time as told, with the year of the chapter if it has none; a memory may be of any year.
    pub(super) fn dated(&self, told: &str, mode: Mode) -> String {
        match mode {
            Mode::Flashback => told.trim().to_owned(),
            _ => dated_like(&self.date, told),
        }
    }

    /// Returns the start and end of a statement: the stated times, with the chapter's time as the default start.
    ///
    /// Timeless predicates, constants of the whole story and statements not narrated as present get no time.
    pub(super) fn span(&self, said: &ToldFact, word: Option<&Predicate>) -> (String, String) {
        let (from, until) = (self.dated(&said.from, said.mode), self.dated(&said.until, said.mode));
        let lasts = word.is_some_and(|word| word.immutable || word.steady);
        let is_now = matches!(said.mode, Mode::Narrated | Mode::Disguised);
        if from.is_empty() && is_now && !lasts && (until.is_empty() || until != self.words) {
            return (self.words.clone(), until);
        }
        (from, until)
    }
}
