//! A text after an edit, with the part that the edit changed, so that the words of a fact are looked for at their own place.

use std::collections::BTreeSet;

use super::quotes::Quotable;
use super::record::Settled;
use crate::piece::PieceKind;
use crate::{Document, Fact, Prose, Story};

/// A text after an edit, indexed for finding quotes.
pub(super) struct EditedText<'t> {
    whole: Quotable<'t>,
    /// The sentences that the edit changed.
    part: Quotable<'t>,
    /// The ids of the facts whose words stood in the changed part, and are elsewhere in the text, too.
    facts: BTreeSet<String>,
}

impl<'t> EditedText<'t> {
    /// Creates the text for the case that the edit changed nothing.
    pub(super) fn unchanged(text: &'t str) -> Self {
        Self { whole: Quotable::of(text), part: Quotable::of(""), facts: BTreeSet::new() }
    }

    /// Creates the text of a document after an edit, with the facts of `record` whose own sentence the edit changed.
    pub(super) fn of(
        story: &Story,
        record: Option<&Settled>,
        before: &Document,
        text: &'t str,
        shift: &TextShift,
    ) -> Self {
        let (old, mut edited) = (Quotable::of(&before.text), Self::unchanged(text));
        let is_made = |fact: &&Fact| record.is_some_and(|record| record.made(PieceKind::Fact, &fact.id).is_some());
        let (mut from, mut until) = (shift.head, shift.changed_until);
        for fact in story.facts.iter().filter(is_made) {
            let Some(source) = &fact.source else { continue };
            let (Some(start), Some(end)) = (source.start, source.end) else { continue };
            if shift.changed_before <= start || end <= shift.head {
                continue;
            }
            let Some(stood) = old.find(&source.quote, start) else { continue };
            // Words that occur as often as before were moved, or are at their old place.
            let is_fewer = || edited.whole.count(&source.quote) < old.count(&source.quote);
            if stood.0 == start && is_fewer() && edited.whole.find(&source.quote, start).is_some() {
                edited.facts.insert(fact.id.clone());
                from = from.min(stood.0);
                until = until.max(shift.of(stood.1));
            }
        }
        if !edited.facts.is_empty() {
            edited.part = Quotable::of(sentences_around(text, from, until));
        }
        edited
    }

    pub(super) fn whole(&self) -> &Quotable<'t> {
        &self.whole
    }

    /// Returns the text to look in for the words of a fact or another piece: the changed part if they were there, since the same
    /// words elsewhere are another statement.
    pub(super) fn around(&self, id: &str) -> &Quotable<'t> {
        if self.facts.contains(id) { &self.part } else { &self.whole }
    }
}

/// Returns the sentences of a text that overlap the range of characters.
fn sentences_around(text: &str, from: u32, until: u32) -> &str {
    let byte = |at: u32| text.char_indices().nth(at as usize).map_or(text.len(), |(byte, _)| byte);
    let (from, until) = (byte(from), byte(until));
    let sentences = Prose::of(text).sentences;
    let (mut start, mut end) = (from, until.max(from));
    for range in sentences.iter().map(|sentence| sentence.range.clone()) {
        if range.start < until.max(from + 1) && from < range.end {
            (start, end) = (start.min(range.start), end.max(range.end));
        }
    }
    &text[start..end]
}

/// The shift of characters by an edit.
pub(super) struct TextShift {
    /// The number of equal characters at the beginning.
    head: u32,
    /// The end of the changed characters in the text before the edit.
    changed_before: u32,
    /// The end of the changed characters in the text after the edit.
    changed_until: u32,
    /// The shift of the rest, in characters.
    by: i64,
}

impl TextShift {
    pub(super) fn between(before: &str, after: &str) -> Self {
        let head = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
        let (old, new) = (before.chars().count(), after.chars().count());
        let ends = before.chars().rev().zip(after.chars().rev()).take(old.min(new) - head);
        let tail = ends.take_while(|(a, b)| a == b).count();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            head: number(head),
            changed_before: number(old - tail),
            changed_until: number(new - tail),
            by: new as i64 - old as i64,
        }
    }

    /// Returns the approximate new position of a character.
    pub(super) fn of(&self, at: u32) -> u32 {
        if at < self.head { at } else { u32::try_from((i64::from(at) + self.by).max(0)).unwrap_or(u32::MAX) }
    }
}
