//! The index of the facts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::entries::{Class, FactEntry};
use super::keys::{Key, Slot, Spelling};
use crate::names::{Names, fold, fold_word};
use crate::part::ENTITIES;
use crate::piece::PieceKind;
use crate::predicate::{self, PredicateRole};
use crate::truth::{Extract, PredicateTerm, Scenes, StoryFrame, turned};
use crate::{Fact, Mode, Story};

/// An index of a story's facts by the names in them.
#[derive(Debug)]
pub(in crate::check) struct FactIndex {
    pub(super) names: Arc<Names>,
    pub(super) scenes: Arc<Scenes>,
    /// The slots of the facts, in story order.
    pub(super) order: Vec<Slot>,
    pub(super) entries: Vec<Option<FactEntry>>,
    pub(super) free: Vec<Slot>,
    pub(super) keys: FxHashMap<NameMeaning, Key>,
    pub(super) meanings: Vec<NameMeaning>,
    pub(super) spellings: Vec<NameSpelling>,
    /// The spellings of each name in facts, by key.
    pub(super) written: Vec<BTreeSet<(String, Spelling)>>,
    pub(super) by_text: FxHashMap<String, Spelling>,
    /// The facts by name and position of the name.
    pub(super) subjects: Vec<Vec<Slot>>,
    pub(super) objects: Vec<Vec<Slot>>,
    pub(super) minds: Vec<Vec<Slot>>,
    pub(super) by_id: FxHashMap<String, Vec<Slot>>,
    /// The facts by starting event.
    pub(super) beginnings: FxHashMap<usize, Vec<Slot>>,
    /// The words outside the vocabulary: their numbers, and their spellings with the facts using each.
    pub(super) own_words: FxHashMap<String, u32>,
    pub(super) words: FxHashMap<u32, BTreeMap<String, BTreeSet<Slot>>>,
    /// The facts placing one place in another; all other facts may depend on them.
    pub(super) regions: BTreeSet<Slot>,
    /// The events and relations by participant.
    pub(super) events: FxHashMap<Key, Vec<usize>>,
    pub(super) relations: FxHashMap<Key, Vec<usize>>,
    /// The things by holder.
    pub(super) holdings: FxHashMap<Key, Vec<usize>>,
    /// Whether the world has ladders.
    pub(super) has_ladders: bool,
    /// The names and words in the clauses of the world's rules.
    pub(super) clauses: Option<ClauseIndex>,
}

/// A possible meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum NameMeaning {
    Piece(PieceKind, usize),
    /// Any bearer of the folded name.
    Name(String),
}

/// A spelling of a name.
#[derive(Debug)]
pub(super) struct NameSpelling {
    pub(super) text: String,
    /// The possible meanings, the name itself first.
    pub(super) keys: Arc<[Key]>,
    /// The number of names in facts with the spelling.
    pub(super) count: u32,
}

#[derive(Debug, Default)]
pub(super) struct ClauseIndex {
    pub(super) names: Vec<Key>,
    pub(super) words: BTreeSet<u32>,
}

impl FactIndex {
    pub(in crate::check) fn of(story: &Story, frame: &StoryFrame) -> Self {
        let mut all = Self {
            names: Arc::clone(&frame.names),
            scenes: Arc::clone(frame.scenes(story)),
            order: Vec::with_capacity(story.facts.len()),
            entries: Vec::with_capacity(story.facts.len()),
            free: Vec::new(),
            keys: FxHashMap::default(),
            meanings: Vec::new(),
            spellings: Vec::new(),
            written: Vec::new(),
            by_text: FxHashMap::default(),
            subjects: Vec::new(),
            objects: Vec::new(),
            minds: Vec::new(),
            by_id: FxHashMap::default(),
            beginnings: FxHashMap::default(),
            own_words: FxHashMap::default(),
            words: FxHashMap::default(),
            regions: BTreeSet::new(),
            events: FxHashMap::default(),
            relations: FxHashMap::default(),
            holdings: FxHashMap::default(),
            has_ladders: !story.ladders().is_empty(),
            clauses: None,
        };
        for (position, fact) in story.facts.iter().enumerate() {
            all.insert(position, fact);
        }
        for (position, event) in story.timeline_events.iter().enumerate() {
            for name in event.participants.iter().chain(&event.deaths) {
                all.keys_of(name).iter().for_each(|key| all.events.entry(*key).or_default().push(position));
            }
        }
        for (position, relation) in story.character_relations.iter().enumerate() {
            for name in [&relation.from, &relation.to] {
                all.keys_of(name).iter().for_each(|key| all.relations.entry(*key).or_default().push(position));
            }
        }
        for (position, item) in story.items().iter().enumerate() {
            if let Some(name) = &item.holder {
                all.keys_of(name).iter().for_each(|key| all.holdings.entry(*key).or_default().push(position));
            }
        }
        all.read_clauses(story);
        all
    }

    fn read_clauses(&mut self, story: &Story) {
        for clause in story.world_rules().iter().flat_map(|rule| rule.forbids.iter().chain(&rule.demands)) {
            let word = if clause.predicate.trim().is_empty() { "is_at" } else { &clause.predicate };
            let word = self.word(word);
            let named = clause.object.iter().chain(&clause.place).chain(&clause.unless).chain([&clause.who]);
            let keys: Vec<Key> = named.flat_map(|name| self.keys_of(name).to_vec()).collect();
            let clauses = self.clauses.get_or_insert_default();
            clauses.words.insert(word);
            clauses.names.extend(keys);
        }
    }

    /// Returns the number of facts.
    pub(in crate::check) fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns the slots of the facts, in story order.
    pub(in crate::check) fn order(&self) -> &[Slot] {
        &self.order
    }

    /// Returns, by slot, whether the slot is in `slots`.
    pub(in crate::check) fn marked(&self, slots: &BTreeSet<Slot>) -> Vec<bool> {
        let mut marked = vec![false; self.entries.len()];
        slots.iter().for_each(|slot| marked[*slot as usize] = true);
        marked
    }

    /// Inserts a fact at `position`, and returns its slot.
    pub(in crate::check) fn insert(&mut self, position: usize, fact: &Fact) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            Slot::try_from(self.entries.len() - 1).expect("facts are counted in 32 bits")
        });
        self.order.insert(position.min(self.order.len()), slot);
        self.enter(slot, fact);
        slot
    }

    /// Replaces the fact at `position`, and returns its slot.
    pub(in crate::check) fn replace(&mut self, position: usize, fact: &Fact) -> Slot {
        let slot = self.order[position];
        self.leave(slot);
        self.enter(slot, fact);
        slot
    }

    /// Removes the fact at `position`, and returns its slot, reserved until `release`.
    pub(in crate::check) fn remove(&mut self, position: usize) -> Slot {
        let slot = self.order.remove(position);
        self.leave(slot);
        slot
    }

    /// Frees a slot for reuse.
    pub(in crate::check) fn release(&mut self, slot: Slot) {
        self.free.push(slot);
    }

    /// Returns the pieces with statements about the names in the facts of `slots`, in `entries`, and in clauses.
    pub(in crate::check) fn extract(&self, slots: &BTreeSet<Slot>, entries: &[FactEntry]) -> Extract {
        let mut keys: BTreeSet<Key> = self.clauses.iter().flat_map(|clauses| clauses.names.iter().copied()).collect();
        for entry in slots.iter().filter_map(|slot| self.entry(*slot)).chain(entries) {
            keys.extend(entry.spellings().flat_map(|spelling| self.keys_of_spelling(spelling)));
        }
        let mut extract = Extract::default();
        for key in keys {
            extract.events.extend(self.events.get(&key).into_iter().flatten());
            extract.relations.extend(self.relations.get(&key).into_iter().flatten());
            extract.items.extend(self.holdings.get(&key).into_iter().flatten());
            match self.meanings[key as usize] {
                NameMeaning::Piece(PieceKind::Character, position) => drop(extract.characters.insert(position)),
                NameMeaning::Piece(PieceKind::Item, position) => drop(extract.items.insert(position)),
                NameMeaning::Piece(PieceKind::Event, position) => drop(extract.events.insert(position)),
                NameMeaning::Piece(..) | NameMeaning::Name(_) => {}
            }
        }
        extract
    }

    pub(super) fn entry(&self, slot: Slot) -> Option<&FactEntry> {
        self.entries.get(slot as usize)?.as_ref()
    }

    fn keys_of_spelling(&self, spelling: Spelling) -> impl Iterator<Item = Key> {
        self.spellings[spelling as usize].keys.iter().copied()
    }

    /// Returns the possible meanings of `name`: the name itself, and all pieces with the name.
    fn keys_of(&mut self, name: &str) -> Arc<[Key]> {
        let spelling = self.spelling(name);
        Arc::clone(&self.spellings[spelling as usize].keys)
    }

    fn spelling(&mut self, name: &str) -> Spelling {
        if let Some(known) = self.by_text.get(name) {
            return *known;
        }
        let names = Arc::clone(&self.names);
        let pieces = names.meant(ENTITIES, name).into_iter();
        let pieces = pieces.map(|named| NameMeaning::Piece(named.kind, named.position));
        let keys =
            std::iter::once(NameMeaning::Name(fold(name))).chain(pieces).map(|meaning| self.key(meaning)).collect();
        let spelling = Spelling::try_from(self.spellings.len()).expect("names are counted in 32 bits");
        self.spellings.push(NameSpelling { text: name.trim().to_owned(), keys, count: 0 });
        self.by_text.insert(name.to_owned(), spelling);
        spelling
    }

    fn key(&mut self, meaning: NameMeaning) -> Key {
        if let Some(known) = self.keys.get(&meaning) {
            return *known;
        }
        let key = Key::try_from(self.meanings.len()).expect("names are counted in 32 bits");
        self.meanings.push(meaning.clone());
        self.keys.insert(meaning, key);
        for lists in [&mut self.subjects, &mut self.objects, &mut self.minds] {
            lists.push(Vec::new());
        }
        self.written.push(BTreeSet::new());
        key
    }
}

impl FactIndex {
    /// Returns the number of a word: its position in the vocabulary, or a number beyond.
    fn word(&mut self, word: &str) -> u32 {
        let number = |index: usize| u32::try_from(index).expect("words are few");
        predicate::position(word).map(number).unwrap_or_else(|| {
            let next = number(predicate::all().len() + self.own_words.len());
            *self.own_words.entry(fold_word(word)).or_insert(next)
        })
    }

    /// Returns the entry of a fact, with subject and object swapped if its word is the inverse of another.
    pub(in crate::check) fn read(&mut self, fact: &Fact) -> FactEntry {
        let word = self.word(&fact.predicate);
        let (subject, object) = (self.spelling(&fact.subject), fact.object.as_deref());
        let object = object.filter(|name| !name.trim().is_empty()).map(|name| self.spelling(name));
        let told = fact.known_by.iter().flat_map(|knower| [Some(knower.who.as_str()), knower.told_by.as_deref()]);
        let minds = told.flatten().chain(fact.by.as_deref()).filter(|name| !name.trim().is_empty());
        let minds = minds.map(|name| self.spelling(name)).collect();
        let (subject, word, object) = match (turned(PredicateTerm(word)), object) {
            (Some(inverse), Some(object)) => (object, inverse.0, Some(subject)),
            _ => (subject, word, object),
        };
        let id = fact.id.trim();
        FactEntry {
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

    /// Returns whether the fact places one place in another.
    pub(super) fn is_region(&self, entry: &FactEntry) -> bool {
        let role = predicate::all().get(entry.word as usize).and_then(|word| word.role);
        let is_place = |key: Key| matches!(self.meanings[key as usize], NameMeaning::Piece(PieceKind::Location, _));
        role == Some(PredicateRole::Within)
            || (role == Some(PredicateRole::Place) && self.keys_of_spelling(entry.subject).any(is_place))
    }

    /// Returns the word as written in the fact, if outside the vocabulary.
    fn own_word<'f>(entry: &FactEntry, fact: &'f Fact) -> Option<&'f str> {
        (entry.word as usize >= predicate::all().len()).then(|| fact.predicate.trim())
    }

    fn enter(&mut self, slot: Slot, fact: &Fact) {
        let entry = self.read(fact);
        for spelling in entry.spellings() {
            let written = &mut self.spellings[spelling as usize];
            written.count += 1;
            if written.count == 1 {
                self.written[written.keys[0] as usize].insert((written.text.clone(), spelling));
            }
        }
        let mut post = |lists: fn(&mut Self) -> &mut Vec<Vec<Slot>>, spelling: Spelling| {
            for key in Arc::clone(&self.spellings[spelling as usize].keys).iter() {
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

    fn leave(&mut self, slot: Slot) {
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
    use crate::truth::StoryFrame;

    #[test]
    fn words_that_are_not_in_the_vocabulary_have_numbers_of_their_own() {
        let story = Story::default();
        let mut neighbours = FactIndex::of(&story, &StoryFrame::of(&story));
        let [first, again, second] = ["剑意", "剑意", "道心"].map(|word| neighbours.word(word));
        assert!(first == again && first != second);
        let known = predicate::all().iter().map(|word| neighbours.word(&word.name)).max();
        assert!(known < Some(first.min(second)));
    }
}
