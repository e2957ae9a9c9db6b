//! Sentences of a text naming the cards of a story.

use std::cell::OnceCell;
use std::ops::Range;

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
        let mut name = |card: (PieceKind, usize), place: Range<usize>| {
            found.entry(card).or_insert_with(|| {
                let after = prose.sentences.partition_point(|sentence| sentence.range.end <= place.start);
                let around = prose.sentences.get(after).map(|sentence| sentence.range.clone());
                let around = around.filter(|range| range.start <= place.start && place.end <= range.end);
                self.text[around.unwrap_or(place)].to_owned()
            });
        };
        for mention in names.mentions(self.text) {
            if let [one] = mention.bearers.as_slice() {
                name((one.kind, one.position), mention.start..mention.end);
            }
        }
        // A text may call somebody by the first name alone.
        for (start, position) in names.mentions_in_part(self.text) {
            name((PieceKind::Character, position), start..start);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Character;

    #[test]
    fn a_card_is_named_by_a_first_name_that_nobody_else_has() {
        let card = |name: &str| Character { name: name.into(), ..Character::default() };
        let characters = ["沈砚秋", "Mara Voss", "Ned Voss"].map(card).to_vec();
        let story = Story { characters, ..Story::default() };
        let cards = NamedCards::of(&story, "雨停了。砚秋推开门。Mara nodded. The Voss house was dark.");
        let sentence = |position| cards.sentence(PieceKind::Character, position);
        assert_eq!(sentence(0), Some("砚秋推开门。"));
        assert_eq!(sentence(1).map(str::trim), Some("Mara nodded."));
        assert_eq!(sentence(2), None, "two have the family name");
    }
}
