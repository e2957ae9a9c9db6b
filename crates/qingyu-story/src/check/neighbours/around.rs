//! Search for all facts to check together with given facts.

use std::collections::BTreeSet;

use super::entries::{Class, FactEntry};
use super::index::{FactIndex, NameMeaning};
use super::keys::{Key, Slot, Spelling};
use crate::names::fold;
use crate::predicate;
use crate::rules::{is_divorce, is_further_kin};

/// The predicates of character cards describing a person.
const OF_CARDS: [&str; 4] = ["occupation", "trait", "rank", "species"];
/// The predicates of relations between two characters, and of measures between two ends.
const BETWEEN_TWO: [&str; 8] =
    ["parent_of", "sibling_of", "married_to", "friend_of", "enemy_of", "ally_of", "distance", "duration"];
/// The predicates of parents, spouses and siblings, whose number per person is limited.
const OF_FAMILY: [&str; 4] = ["parent_of", "married_to", "sibling_of", "siblings"];
/// The number of facts with a name sufficient to keep the name known when any single fact is removed.
const WITNESSES: usize = 2;

impl FactIndex {
    /// Returns the facts to check when the facts of `seeds` are added or removed, or `None` if all facts may be
    /// affected.
    ///
    /// `ids` are added or removed ids; names equal to an id may now have another meaning.
    pub(in crate::check) fn around(&self, seeds: &[FactEntry], ids: &[String]) -> Option<BTreeSet<Slot>> {
        if seeds.iter().any(|seed| self.is_region(seed)) {
            return None;
        }
        let mut around = NeighbourSearch {
            all: self,
            found: self.regions.clone(),
            told: BTreeSet::new(),
            between_two: self.numbers(&BETWEEN_TWO, is_further_kin),
            of_family: self.numbers(&OF_FAMILY, is_divorce),
        };
        seeds.iter().for_each(|seed| around.reach(seed));
        for id in ids {
            let bearers = self.by_id.get(id.as_str()).into_iter().flatten();
            let name = self.keys.get(&NameMeaning::Name(fold(id)));
            let naming = name.into_iter().flat_map(|key| {
                [&self.subjects, &self.objects, &self.minds].into_iter().flat_map(|lists| &lists[*key as usize])
            });
            for slot in bearers.chain(naming) {
                around.found.insert(*slot);
                let entry = self.entry(*slot)?;
                if self.is_region(entry) {
                    return None;
                }
                around.reach(entry);
            }
        }
        around.bear_witness();
        Some(around.found)
    }

    /// Returns the numbers of the predicates, and of the words outside the vocabulary that fit.
    fn numbers(&self, predicates: &[&str], fits: fn(&str) -> bool) -> BTreeSet<u32> {
        let own = self.own_words.iter().filter(|(word, _)| fits(word)).map(|(_, number)| *number);
        predicates.iter().filter_map(|word| number(word)).chain(own).collect()
    }
}

struct NeighbourSearch<'n> {
    all: &'n FactIndex,
    found: BTreeSet<Slot>,
    /// The facts with visited knowers.
    told: BTreeSet<Slot>,
    /// The numbers of the words for relations between two characters.
    between_two: BTreeSet<u32>,
    /// The numbers of the words for parents, spouses and siblings, and for the end of a marriage.
    of_family: BTreeSet<u32>,
}

impl<'n> NeighbourSearch<'n> {
    /// Adds all facts comparable with the seed by any rule.
    fn reach(&mut self, seed: &FactEntry) {
        self.known(seed);
        self.things(seed);
        self.numbers(seed);
        self.traits(seed);
        self.two(seed);
        self.family(seed);
        self.strangers(seed);
        self.scenes(seed);
        self.ladders(seed);
        let who = [seed.subject].into_iter().chain(seed.object);
        let who: Vec<Key> = who.flat_map(|one| self.keys(one)).collect();
        if seed.may_be_deed() || seed.class == Class::Forgetting {
            self.fates(who.iter().copied());
        }
        if seed.class == Class::Membership {
            let held = self.list(&self.all.subjects, self.keys(seed.subject), |other| other.class == Class::Things);
            self.found.extend(held.iter().copied());
            held.into_iter().filter_map(|slot| self.all.entry(slot)).for_each(|held| self.things(held));
        }
        if matches!(seed.class, Class::Death | Class::Forgetting) {
            let minds = self.list(&self.all.minds, who.iter().copied(), |_| true);
            let says = self.list(&self.all.subjects, who.iter().copied(), |other| other.class == Class::Minds);
            self.found.extend(minds.iter().chain(&says));
            minds.into_iter().chain(says).filter_map(|slot| self.all.entry(slot)).for_each(|entry| self.known(entry));
            self.add(&self.all.subjects, who.iter().copied(), FactEntry::may_be_deed);
            self.add(&self.all.objects, who.into_iter(), FactEntry::may_be_deed);
        }
        if let Some(clauses) = &self.all.clauses {
            let of_cards: Vec<u32> = OF_CARDS.iter().filter_map(|word| number(word)).collect();
            let is_read = |other: &FactEntry| {
                matches!(other.class, Class::Things | Class::Membership)
                    || of_cards.contains(&other.word)
                    || clauses.words.contains(&other.word)
            };
            self.add(&self.all.subjects, self.keys(seed.subject), is_read);
        }
    }

    /// Adds the facts read together with a fact possibly known to somebody, and with the facts of its subject and word:
    /// statements mentioning them, and other statements about facts mentioned by the seed.
    fn known(&mut self, seed: &FactEntry) {
        for fact in self.group(seed) {
            self.spoken_of(fact);
        }
        self.minds(seed);
        if let Some(object) = seed.object {
            for target in self.all.facts_called(object) {
                self.found.insert(target);
                if self.told.insert(target)
                    && let Some(target) = self.all.entry(target)
                {
                    for fact in self.group(target) {
                        self.spoken_of(fact);
                    }
                    self.minds(target);
                }
            }
        }
    }

    /// Adds the speakers about a fact, and for a denied fact the liar's other statements.
    fn spoken_of(&mut self, slot: Slot) {
        let Some(entry) = self.all.entry(slot) else { return };
        self.minds(entry);
        let Some(name) = entry.id.as_deref().and_then(|id| self.all.keys.get(&NameMeaning::Name(fold(id)))) else {
            return;
        };
        for speaker in self.list(&self.all.objects, [*name].into_iter(), |_| true) {
            self.found.insert(speaker);
            let Some(speaker) = self.all.entry(speaker) else { continue };
            self.minds(speaker);
            if speaker.is_lie {
                for said in self.group(speaker) {
                    let name = self.all.entry(said).and_then(|said| said.id.as_deref());
                    let name = name.and_then(|id| self.all.keys.get(&NameMeaning::Name(fold(id))));
                    self.add(&self.all.objects, name.copied().into_iter(), |_| true);
                }
            }
        }
    }

    /// Returns the facts with the seed's subject and word.
    fn group(&mut self, seed: &FactEntry) -> Vec<Slot> {
        let group = self.list(&self.all.subjects, self.keys(seed.subject), |other| other.word == seed.word);
        self.found.extend(group.iter().copied());
        group
    }

    /// Adds deaths and forgetting of the fact's actual and alleged knowers.
    fn minds(&mut self, seed: &FactEntry) {
        let speaker = (seed.class == Class::Minds).then_some(seed.subject);
        let minds: Vec<Key> = seed.minds.iter().copied().chain(speaker).flat_map(|mind| self.keys(mind)).collect();
        self.fates(minds.into_iter());
    }

    fn fates(&mut self, who: impl Iterator<Item = Key> + Clone) {
        let is_fate = |other: &FactEntry| matches!(other.class, Class::Death | Class::Forgetting);
        self.add(&self.all.subjects, who.clone(), is_fate);
        self.add(&self.all.objects, who, is_fate);
    }

    /// Adds the later history of the fact's thing, and the organisations of its holders.
    fn things(&mut self, seed: &FactEntry) {
        if seed.class != Class::Things {
            return;
        }
        let thing: Vec<Key> = self.keys(seed.object.unwrap_or(seed.subject)).collect();
        let is_of_things = |other: &FactEntry| other.class == Class::Things;
        let mut of_thing = self.list(&self.all.objects, thing.iter().copied(), is_of_things);
        of_thing.extend(self.list(&self.all.subjects, thing.into_iter(), is_of_things));
        for slot in of_thing {
            self.found.insert(slot);
            let holder = self.all.entry(slot).map(|entry| entry.subject);
            let holder: Vec<Key> = holder.into_iter().flat_map(|holder| self.keys(holder)).collect();
            self.add(&self.all.subjects, holder.into_iter(), |other| other.class == Class::Membership);
        }
    }

    /// Adds counts and measures of the fact's subject, and their changes: gains, expenses, and for measures the
    /// destruction or repair of the thing.
    fn numbers(&mut self, seed: &FactEntry) {
        let is_of_numbers = |other: &FactEntry| matches!(other.class, Class::Numbers | Class::Measures);
        match seed.class {
            Class::Numbers => self.add(&self.all.subjects, self.keys(seed.subject), is_of_numbers),
            Class::Things => {
                let thing = seed.object.unwrap_or(seed.subject);
                self.add(&self.all.subjects, self.keys(thing), |other| other.class == Class::Measures);
            }
            Class::Measures => {
                let measured = self.keys(seed.subject);
                let changes_itself = |other: &FactEntry| other.class == Class::Things && other.object.is_none();
                self.add(&self.all.subjects, measured.clone(), |other| is_of_numbers(other) || changes_itself(other));
                self.add(&self.all.objects, measured, |other| other.class == Class::Things);
            }
            _ => {}
        }
    }

    /// Adds the traits of the fact's subject, among them lost limbs; for a trait, all that the subject does.
    fn traits(&mut self, seed: &FactEntry) {
        let word = number("trait");
        let is_trait = |other: &FactEntry| Some(other.word) == word;
        match is_trait(seed) {
            true => self.add(&self.all.subjects, self.keys(seed.subject), |_| true),
            false => self.add(&self.all.subjects, self.keys(seed.subject), is_trait),
        }
    }

    /// Adds the places on ladders of the fact's people and of their opponents, with what explains them.
    fn ladders(&mut self, seed: &FactEntry) {
        if !self.all.has_ladders || !seed.may_be_of_ladder() {
            return;
        }
        let mut who: BTreeSet<Key> =
            [seed.subject].into_iter().chain(seed.object).flat_map(|one| self.keys(one)).collect();
        let is_fight = |other: &FactEntry| other.class == Class::Fights && other.object.is_some();
        // A second round finds those who beat the same opponent.
        for _ in 0..2 {
            let mut fights = self.list(&self.all.subjects, who.iter().copied(), is_fight);
            fights.extend(self.list(&self.all.objects, who.iter().copied(), is_fight));
            for fight in fights.into_iter().filter_map(|slot| self.all.entry(slot)) {
                who.extend([fight.subject].into_iter().chain(fight.object).flat_map(|one| self.keys(one)));
            }
        }
        self.add(&self.all.subjects, who.iter().copied(), FactEntry::may_be_of_ladder);
        self.add(&self.all.objects, who.into_iter(), FactEntry::may_be_of_ladder);
    }

    /// Adds the other relations of the two.
    fn two(&mut self, seed: &FactEntry) {
        let Some(object) = seed.object.filter(|_| self.between_two.contains(&seed.word)) else { return };
        let mut found = Vec::new();
        for (one, other) in [(seed.subject, object), (object, seed.subject)] {
            let others: BTreeSet<Key> = self.keys(other).collect();
            let is_of_both = |entry: &FactEntry| {
                let object = entry.object.filter(|_| self.between_two.contains(&entry.word));
                object.is_some_and(|object| self.keys(object).any(|key| others.contains(&key)))
            };
            found.extend(self.list(&self.all.subjects, self.keys(one), is_of_both));
        }
        self.found.extend(found);
    }

    /// Adds the other parents and spouses of the fact's people, and what ends a marriage of theirs.
    fn family(&mut self, seed: &FactEntry) {
        let is_family = |entry: &FactEntry| self.of_family.contains(&entry.word);
        if !is_family(seed) && seed.class != Class::Death {
            return;
        }
        let mut who: BTreeSet<Key> =
            [seed.subject].into_iter().chain(seed.object).flat_map(|one| self.keys(one)).collect();
        let mut found = Vec::new();
        // A second round finds the other spouse of the one who is married to the dead.
        for _ in 0..2 {
            let mut facts = self.list(&self.all.subjects, who.iter().copied(), is_family);
            facts.extend(self.list(&self.all.objects, who.iter().copied(), is_family));
            for fact in facts.iter().filter_map(|slot| self.all.entry(*slot)) {
                who.extend([fact.subject].into_iter().chain(fact.object).flat_map(|one| self.keys(one)));
            }
            found.extend(facts);
        }
        self.found.extend(found);
        self.fates(who.iter().copied());
    }

    /// For each name of no piece, adds all facts with the name, and all facts whose id equals the name.
    fn strangers(&mut self, seed: &FactEntry) {
        for spelling in seed.spellings() {
            let mut keys = self.keys(spelling);
            if let (Some(name), None) = (keys.next(), keys.next()) {
                for lists in [&self.all.subjects, &self.all.objects, &self.all.minds] {
                    self.found.extend(&lists[name as usize]);
                }
                self.found.extend(self.all.facts_called(spelling));
            }
        }
    }

    /// Adds the results of the scene where the fact begins, and of the scenes compared with the scene.
    fn scenes(&mut self, seed: &FactEntry) {
        let beside = seed.begins.into_iter().flat_map(|event| self.all.scenes.around(event));
        self.found.extend(beside.filter_map(|event| self.all.beginnings.get(&event)).flatten());
    }

    /// Adds facts proving spellings of names, and that names and words in clauses are known.
    fn bear_witness(&mut self) {
        let mut more = BTreeSet::new();
        for entry in self.found.iter().filter_map(|slot| self.all.entry(*slot)) {
            for spelling in entry.spellings() {
                let name = self.all.spellings[spelling as usize].keys[0];
                more.extend(self.all.first_written(name));
            }
            more.extend(self.all.words.get(&entry.word).and_then(|written| written.values().next()?.first().copied()));
        }
        if let Some(clauses) = &self.all.clauses {
            for key in &clauses.names {
                for lists in [&self.all.subjects, &self.all.objects, &self.all.minds] {
                    more.extend(lists[*key as usize].iter().take(WITNESSES));
                }
            }
            for written in clauses.words.iter().filter_map(|word| self.all.words.get(word)) {
                more.extend(written.values().flatten().take(WITNESSES));
            }
        }
        self.found.extend(more);
    }

    fn keys(&self, spelling: Spelling) -> impl Iterator<Item = Key> + Clone + use<'n> {
        self.all.spellings[spelling as usize].keys.iter().copied()
    }

    fn list(
        &self,
        lists: &[Vec<Slot>],
        keys: impl Iterator<Item = Key>,
        is_meant: impl Fn(&FactEntry) -> bool,
    ) -> Vec<Slot> {
        let slots = keys.flat_map(|key| &lists[key as usize]).copied();
        slots.filter(|slot| self.all.entry(*slot).is_some_and(&is_meant)).collect()
    }

    fn add(&mut self, lists: &[Vec<Slot>], keys: impl Iterator<Item = Key>, is_meant: impl Fn(&FactEntry) -> bool) {
        let slots = self.list(lists, keys, is_meant);
        self.found.extend(slots);
    }
}

fn number(word: &str) -> Option<u32> {
    predicate::position(word).and_then(|position| u32::try_from(position).ok())
}

impl FactIndex {
    /// Returns the facts with the id written in that spelling.
    fn facts_called(&self, spelling: Spelling) -> Vec<Slot> {
        self.by_id.get(&self.spellings[spelling as usize].text).cloned().unwrap_or_default()
    }

    /// Returns a fact with the first spelling of the name, if the name has several spellings.
    fn first_written(&self, name: Key) -> Option<Slot> {
        let written = &self.written[name as usize];
        let (_, first) = written.first().filter(|_| written.len() > 1)?;
        let lists = [&self.subjects, &self.objects, &self.minds];
        let mut slots = lists.into_iter().flat_map(|lists| &lists[name as usize]);
        slots.find(|slot| self.entry(**slot).is_some_and(|entry| entry.spellings().any(|one| one == *first))).copied()
    }

    /// Returns the displayed spellings of a fact's names and word, chosen among all spellings in the story.
    pub(in crate::check) fn shown(&self, entry: &FactEntry) -> Vec<Option<String>> {
        let first = |spelling| {
            let name = self.spellings[spelling as usize].keys[0];
            self.written[name as usize].first().map(|(text, _)| text.clone())
        };
        let word = self.words.get(&entry.word).and_then(|written| written.keys().next().cloned());
        entry.spellings().map(first).chain([word]).collect()
    }
}
