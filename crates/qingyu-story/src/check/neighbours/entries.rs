//! What one fact names.

use super::{Key, Neighbours, Slot, Spelling};
use crate::piece::PieceKind;
use crate::predicate::{self, Predicate, Role, ValueKind};
use crate::truth::{Term, turned};
use crate::{Fact, Mode};

/// What a fact names, and what its word is about.
#[derive(Debug)]
pub(in crate::check) struct Entry {
    pub(super) id: Option<Box<str>>,
    pub(super) subject: Spelling,
    pub(super) object: Option<Spelling>,
    /// Who knows it, told it, says or believes it.
    pub(super) minds: Vec<Spelling>,
    pub(super) word: u32,
    /// The event with which it begins to be so.
    pub(super) begins: Option<usize>,
    pub(super) class: Class,
    /// Whether it is told as something that is not so.
    pub(super) is_lie: bool,
}

/// What words are about, as far as rules look from one word to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Class {
    /// Who has and uses things, and what becomes of these.
    Things,
    /// How many there are.
    Numbers,
    /// How large somebody or something is, and other numbers that nothing is added to.
    Measures,
    /// Who knows, learns, says and denies facts.
    Minds,
    Forgetting,
    Death,
    Membership,
    Places,
    Other,
}

impl Class {
    fn of(word: Option<&Predicate>) -> Self {
        match word.and_then(|word| word.role) {
            Some(Role::Holding | Role::Getting | Role::Parting | Role::Use | Role::Destruction | Role::Repair) => {
                Self::Things
            }
            Some(Role::Amount | Role::Gain | Role::Spending) => Self::Numbers,
            Some(Role::Knowing | Role::Learning | Role::Speaking | Role::Denial) => Self::Minds,
            Some(Role::Forgetting) => Self::Forgetting,
            Some(Role::Death | Role::Killing | Role::Revival) => Self::Death,
            Some(Role::Membership) => Self::Membership,
            Some(Role::Place | Role::Within | Role::Origin) => Self::Places,
            None if word.is_some_and(|word| word.value == ValueKind::Number) => Self::Measures,
            Some(Role::Age) | None => Self::Other,
        }
    }
}

/// What only the living come into, beside what their words' classes say.
const OF_THE_LIVING: [&str; 2] = ["takes_part", "married_to"];

impl Entry {
    /// Whether it may tell of what only the living do.
    pub(super) fn may_be_deed(&self) -> bool {
        let of_class =
            matches!(self.class, Class::Things | Class::Minds | Class::Death | Class::Membership | Class::Places);
        of_class
            || predicate::all().get(self.word as usize).is_some_and(|word| OF_THE_LIVING.contains(&word.name.as_str()))
    }

    /// All names in it.
    pub(super) fn spellings(&self) -> impl Iterator<Item = Spelling> {
        [self.subject].into_iter().chain(self.object).chain(self.minds.iter().copied())
    }
}

impl Neighbours {
    /// The number of a word: its place in the vocabulary, or after it.
    pub(super) fn word(&mut self, word: &str) -> u32 {
        let number = |index: usize| u32::try_from(index).expect("words are few");
        predicate::position(word).map(number).unwrap_or_else(|| {
            let next = number(predicate::all().len() + self.own_words.len());
            *self.own_words.entry(predicate::key(word)).or_insert(next)
        })
    }

    /// What a fact names, with the two sides turned round if its word is the other way round of another.
    pub(in crate::check) fn read(&mut self, fact: &Fact) -> Entry {
        let word = self.word(&fact.predicate);
        let (subject, object) = (self.spelling(&fact.subject), fact.object.as_deref());
        let object = object.filter(|name| !name.trim().is_empty()).map(|name| self.spelling(name));
        let told = fact.known_by.iter().flat_map(|knower| [Some(knower.who.as_str()), knower.told_by.as_deref()]);
        let minds = told.flatten().chain(fact.by.as_deref()).filter(|name| !name.trim().is_empty());
        let minds = minds.map(|name| self.spelling(name)).collect();
        let (subject, word, object) = match (turned(Term(word)), object) {
            (Some(inverse), Some(object)) => (object, inverse.0, Some(subject)),
            _ => (subject, word, object),
        };
        let id = fact.id.trim();
        Entry {
            id: (!id.is_empty()).then(|| id.into()),
            subject,
            object,
            minds,
            word,
            begins: self.names.resolve(PieceKind::Event, &fact.from).map(|named| named.position),
            class: Class::of(predicate::all().get(word as usize)),
            is_lie: matches!(fact.mode, Mode::Lied | Mode::Believed),
        }
    }

    /// Whether the fact says which place lies in which.
    pub(super) fn is_region(&self, entry: &Entry) -> bool {
        let role = predicate::all().get(entry.word as usize).and_then(|word| word.role);
        let is_place = |key: Key| matches!(self.meanings[key as usize], super::Meaning::Piece(PieceKind::Location, _));
        role == Some(Role::Within) || (role == Some(Role::Place) && self.keys_of_spelling(entry.subject).any(is_place))
    }

    /// The word as the fact writes it, if it is not in the vocabulary.
    fn own_word<'f>(entry: &Entry, fact: &'f Fact) -> Option<&'f str> {
        (entry.word as usize >= predicate::all().len()).then(|| fact.predicate.trim())
    }

    pub(super) fn enter(&mut self, slot: Slot, fact: &Fact) {
        let entry = self.read(fact);
        for spelling in entry.spellings() {
            let written = &mut self.spellings[spelling as usize];
            written.count += 1;
            if written.count == 1 {
                self.written[written.keys[0] as usize].insert((written.text.clone(), spelling));
            }
        }
        let mut post = |lists: fn(&mut Self) -> &mut Vec<Vec<Slot>>, spelling: Spelling| {
            for key in std::sync::Arc::clone(&self.spellings[spelling as usize].keys).iter() {
                lists(self)[*key as usize].push(slot);
            }
        };
        post(|all| &mut all.subjects, entry.subject);
        entry.object.into_iter().for_each(|object| post(|all| &mut all.objects, object));
        entry.minds.iter().for_each(|mind| post(|all| &mut all.minds, *mind));
        if let Some(id) = &entry.id {
            self.by_id.entry(id.to_string()).or_default().push(slot);
        }
        if let Some(event) = entry.begins {
            self.beginnings.entry(event).or_default().push(slot);
        }
        if let Some(own) = Self::own_word(&entry, fact) {
            self.words.entry(entry.word).or_default().entry(own.to_owned()).or_default().insert(slot);
        }
        if self.is_region(&entry) {
            self.regions.insert(slot);
        }
        self.entries[slot as usize] = Some(entry);
    }

    pub(super) fn leave(&mut self, slot: Slot) {
        let Some(entry) = self.entries[slot as usize].take() else { return };
        for spelling in entry.spellings() {
            let written = &mut self.spellings[spelling as usize];
            written.count -= 1;
            if written.count == 0 {
                self.written[written.keys[0] as usize].remove(&(written.text.clone(), spelling));
            }
            for key in written.keys.iter() {
                for lists in [&mut self.subjects, &mut self.objects, &mut self.minds] {
                    lists[*key as usize].retain(|other| *other != slot);
                }
            }
        }
        if let Some(id) = &entry.id
            && let Some(bearers) = self.by_id.get_mut(&**id)
        {
            bearers.retain(|other| *other != slot);
            if bearers.is_empty() {
                self.by_id.remove(&**id);
            }
        }
        if let Some(begun) = entry.begins.and_then(|event| self.beginnings.get_mut(&event)) {
            begun.retain(|other| *other != slot);
        }
        if let Some(spellings) = self.words.get_mut(&entry.word) {
            spellings.retain(|_, slots| {
                slots.remove(&slot);
                !slots.is_empty()
            });
        }
        self.regions.remove(&slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Story;
    use crate::truth::Frame;

    #[test]
    fn words_that_are_not_in_the_vocabulary_have_numbers_of_their_own() {
        let story = Story::default();
        let mut neighbours = Neighbours::of(&story, &Frame::of(&story));
        let [first, again, second] = ["剑意", "剑意", "道心"].map(|word| neighbours.word(word));
        assert!(first == again && first != second);
        let known = predicate::all().iter().map(|word| neighbours.word(&word.name)).max();
        assert!(known < Some(first.min(second)));
    }
}
