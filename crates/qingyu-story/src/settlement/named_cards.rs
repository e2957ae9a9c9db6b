//! Sentences of a text naming the cards of a story.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::names::Names;
use crate::piece::PieceKind;
use crate::{Prose, Story};

/// The cards named in a text, each with the first sentence naming it; found on first use.
#[derive(Debug)]
pub(super) struct NamedCards<'a> {
    story: &'a Story,
    text: &'a str,
    found: OnceCell<FxHashMap<(PieceKind, usize), String>>,
}

impl<'a> NamedCards<'a> {
    pub(super) fn of(story: &'a Story, text: &'a str) -> Self {
        Self { story, text, found: OnceCell::new() }
    }

    /// Returns the first sentence naming the card at `position`; `None` for other kinds of pieces, and for a name
    /// shared by several cards.
    pub(super) fn sentence(&self, kind: PieceKind, position: usize) -> Option<&str> {
        if !PieceKind::CARDS.contains(&kind) {
            return None;
        }
        self.found.get_or_init(|| self.find()).get(&(kind, position)).map(String::as_str)
    }

    fn find(&self) -> FxHashMap<(PieceKind, usize), String> {
        let names = Names::of_entities(self.story);
        let prose = Prose::of(self.text);
        let mut found = FxHashMap::default();
        for mention in names.mentions(self.text) {
            let [one] = mention.bearers.as_slice() else { continue };
            found.entry((one.kind, one.position)).or_insert_with(|| {
                let after = prose.sentences.partition_point(|sentence| sentence.range.end <= mention.start);
                let around = prose.sentences.get(after).map(|sentence| sentence.range.clone());
                let around = around.filter(|range| range.start <= mention.start && mention.end <= range.end);
                self.text[around.unwrap_or(mention.start..mention.end)].to_owned()
            });
        }
        found
    }
}
