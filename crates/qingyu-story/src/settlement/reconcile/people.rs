//! The people of a chapter: who takes part and who dies by its reading, and who is named in its text.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::language::is_han;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::predicate;
use crate::settlement::Extraction;
use crate::{Mode, Story};

/// The characters of a chapter, by position.
#[derive(Debug)]
pub(super) struct ToldPeople<'s> {
    story: &'s Story,
    text: &'s str,
    present: BTreeSet<usize>,
    dead: BTreeSet<usize>,
    /// Built for the first planned participant missing from the reading.
    named: OnceCell<BTreeSet<usize>>,
}

impl<'s> ToldPeople<'s> {
    pub(super) fn of(story: &'s Story, text: &'s str, names: &Names, extraction: &Extraction) -> Self {
        let find = |name: &str| names.resolve(PieceKind::Character, name).map(|named| named.position);
        let events = || extraction.events.iter();
        let people = events().flat_map(|event| &event.participants);
        let fallen = events().flat_map(|event| &event.deaths).filter_map(|name| find(name));
        let told = extraction.facts.iter().filter(|fact| fact.mode == Mode::Narrated);
        let dies = told.filter_map(|fact| {
            find(predicate::victim(&fact.predicate, &fact.subject, fact.object.as_deref(), &fact.value)?)
        });
        Self {
            story,
            text,
            present: people.filter_map(|name| find(name)).collect(),
            dead: fallen.chain(dies).collect(),
            named: OnceCell::new(),
        }
    }

    /// Returns whether the chapter has the character anywhere: in an event, dying, or named in the text.
    pub(super) fn has(&self, position: usize) -> bool {
        self.present.contains(&position) || self.dies(position) || self.is_named(position)
    }

    /// Returns whether the chapter tells the character's death.
    pub(super) fn dies(&self, position: usize) -> bool {
        self.dead.contains(&position)
    }

    fn is_named(&self, position: usize) -> bool {
        let named = self.named.get_or_init(|| {
            let names = Names::of_entities(self.story);
            let bearers = names.mentions(self.text).into_iter().flat_map(|mention| mention.bearers);
            bearers.filter(|named| named.kind == PieceKind::Character).map(|named| named.position).collect()
        });
        named.contains(&position) || parts(&self.story.characters[position].name).any(|part| self.text.contains(part))
    }
}

/// Returns the parts of a name by which a text may call somebody: the given name of a Chinese name, the words of another.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let name = name.trim();
    let given = name.char_indices().nth(1).map(|(at, _)| &name[at..]);
    let given = given.filter(|given| given.chars().count() >= 2 && given.chars().all(is_han));
    let words = name.split_whitespace().filter(|word| word.len() >= 3 && !word.chars().any(is_han));
    given.into_iter().chain(words)
}
