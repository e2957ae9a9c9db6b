//! Which facts must be looked at together: what a changed fact can tell the rules, and what these then read beside it.
//!
//! A rule that reads statements compares few at a time: those of one subject and word, those about one thing, those about
//! knowing one fact. Facts that can come together in this way are neighbours. All neighbours of a changed fact, with those
//! of what it stands in for, are enough to find all that changes; what else is found among them is found before the change
//! and after it, and so makes no difference. Names are taken widely: facts are neighbours if they may mean the same.

mod around;
mod entries;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::names::{Names, fold};
use crate::part::ENTITIES;
use crate::piece::PieceKind;
use crate::truth::{Extract, Frame, Scenes};
use crate::{Fact, Story};

pub(super) use entries::Entry;

/// A fact, wherever it moves in its list.
pub(super) type Slot = u32;
/// What a name may mean, by its place among all that was seen.
type Key = u32;
/// A name as it is written, by its place among all that was seen.
type Spelling = u32;

/// The facts of a story by what they name.
#[derive(Debug)]
pub(super) struct Neighbours {
    names: Arc<Names>,
    scenes: Arc<Scenes>,
    /// The slots of the facts, in the order of the story.
    order: Vec<Slot>,
    entries: Vec<Option<Entry>>,
    free: Vec<Slot>,
    keys: FxHashMap<Meaning, Key>,
    meanings: Vec<Meaning>,
    spellings: Vec<Written>,
    /// How each name is written in facts, by its key.
    written: Vec<BTreeSet<(String, Spelling)>>,
    by_text: FxHashMap<String, Spelling>,
    /// Facts by what they name, and where.
    subjects: Vec<Vec<Slot>>,
    objects: Vec<Vec<Slot>>,
    minds: Vec<Vec<Slot>>,
    by_id: FxHashMap<String, Vec<Slot>>,
    /// Facts by the event with which they begin.
    beginnings: FxHashMap<usize, Vec<Slot>>,
    /// The words that are not in the vocabulary: their numbers, and how they are written in which facts.
    own_words: FxHashMap<String, u32>,
    words: FxHashMap<u32, BTreeMap<String, BTreeSet<Slot>>>,
    /// The facts that say which place lies in which; all others may depend on them.
    regions: BTreeSet<Slot>,
    /// Events and relations by those who take part.
    events: FxHashMap<Key, Vec<usize>>,
    relations: FxHashMap<Key, Vec<usize>>,
    /// Things by who holds them.
    holdings: FxHashMap<Key, Vec<usize>>,
    /// The names in the clauses of the world's rules, and their words.
    clauses: Option<Clauses>,
}

/// What a name may mean.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Meaning {
    Piece(PieceKind, usize),
    /// Whoever or whatever bears the folded name.
    Name(String),
}

/// A name as it is written.
#[derive(Debug)]
struct Written {
    text: String,
    /// What it may mean, the name itself first.
    keys: Arc<[Key]>,
    /// How many names of facts are written so.
    count: u32,
}

#[derive(Debug, Default)]
struct Clauses {
    names: Vec<Key>,
    words: BTreeSet<u32>,
}

impl Neighbours {
    pub(super) fn of(story: &Story, frame: &Frame) -> Self {
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

    /// How many facts there are.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The slots of the facts, in the order of the story.
    pub(super) fn order(&self) -> &[Slot] {
        &self.order
    }

    /// By slot, whether it is one of those.
    pub(super) fn marked(&self, slots: &BTreeSet<Slot>) -> Vec<bool> {
        let mut marked = vec![false; self.entries.len()];
        slots.iter().for_each(|slot| marked[*slot as usize] = true);
        marked
    }

    /// Takes note of a fact that now stands at `position`.
    pub(super) fn insert(&mut self, position: usize, fact: &Fact) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            Slot::try_from(self.entries.len() - 1).expect("facts are counted in 32 bits")
        });
        self.order.insert(position.min(self.order.len()), slot);
        self.enter(slot, fact);
        slot
    }

    /// Takes note that another fact stands at `position`.
    pub(super) fn replace(&mut self, position: usize, fact: &Fact) -> Slot {
        let slot = self.order[position];
        self.leave(slot);
        self.enter(slot, fact);
        slot
    }

    /// Takes note that the fact at `position` is gone. Its slot is not used again before `release`.
    pub(super) fn remove(&mut self, position: usize) -> Slot {
        let slot = self.order.remove(position);
        self.leave(slot);
        slot
    }

    /// Lets the slot be used again.
    pub(super) fn release(&mut self, slot: Slot) {
        self.free.push(slot);
    }

    /// The pieces whose statements are about what the facts in those slots name, those entries, and clauses.
    pub(super) fn extract(&self, slots: &BTreeSet<Slot>, entries: &[Entry]) -> Extract {
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
                Meaning::Piece(PieceKind::Character, position) => drop(extract.characters.insert(position)),
                Meaning::Piece(PieceKind::Item, position) => drop(extract.items.insert(position)),
                Meaning::Piece(PieceKind::Event, position) => drop(extract.events.insert(position)),
                Meaning::Piece(..) | Meaning::Name(_) => {}
            }
        }
        extract
    }

    fn entry(&self, slot: Slot) -> Option<&Entry> {
        self.entries.get(slot as usize)?.as_ref()
    }

    fn keys_of_spelling(&self, spelling: Spelling) -> impl Iterator<Item = Key> {
        self.spellings[spelling as usize].keys.iter().copied()
    }

    /// What `name` may mean: itself, and all pieces that it may be the name of.
    fn keys_of(&mut self, name: &str) -> Arc<[Key]> {
        let spelling = self.spelling(name);
        Arc::clone(&self.spellings[spelling as usize].keys)
    }

    fn spelling(&mut self, name: &str) -> Spelling {
        if let Some(known) = self.by_text.get(name) {
            return *known;
        }
        let names = Arc::clone(&self.names);
        let pieces = ENTITIES.iter().flat_map(|kind| names.find(*kind, name));
        let pieces = pieces.map(|named| Meaning::Piece(named.kind, named.position));
        let keys = std::iter::once(Meaning::Name(fold(name))).chain(pieces).map(|meaning| self.key(meaning)).collect();
        let spelling = Spelling::try_from(self.spellings.len()).expect("names are counted in 32 bits");
        self.spellings.push(Written { text: name.trim().to_owned(), keys, count: 0 });
        self.by_text.insert(name.to_owned(), spelling);
        spelling
    }

    fn key(&mut self, meaning: Meaning) -> Key {
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
