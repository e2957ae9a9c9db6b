//! Who holds the things of a story and where they lie, by its facts in telling order.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::chapters::Chapters;
use crate::names::Names;
use crate::predicate::{self, PredicateRole};
use crate::{Fact, Mode, PieceKind, Story};

/// The whereabouts of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    /// In the hands of a person or organisation.
    Held(String),
    /// At a place.
    At(String),
}

/// The things of a story after some of its facts.
#[derive(Debug, Clone, Default)]
pub struct Holdings {
    /// Where each thing is, by its position among the items; without those of which it is unknown.
    pub places: BTreeMap<usize, Whereabouts>,
    /// The facts that say where things are, by position among the items; none for the holder on a card.
    pub told_by: FxHashMap<usize, usize>,
    /// The facts about the holder or the place of a thing that a later fact ended, each with that later fact, by position: the
    /// thing goes to another holder, is taken from its place, lost or destroyed.
    pub ended: FxHashMap<usize, usize>,
    /// The facts by which things first left the holder on their card, by position among the items.
    pub left_card: FxHashMap<usize, usize>,
    /// The things that are no longer with the holder on their card, by position among the items: somebody else got them, or
    /// they are given away, lost or destroyed.
    pub handed_on: FxHashSet<usize>,
}

impl Holdings {
    /// Returns where things are at the end of the chapter at `place` in the book, of the last one by default. A fact without
    /// a chapter is so from the beginning.
    pub fn as_of(story: &Story, names: &Names, place: Option<u32>) -> Self {
        let chapters = Chapters::with(story, names);
        let order = |at: usize| {
            let source = story.facts[at].source.as_ref();
            let document = source.and_then(|source| names.resolve(PieceKind::Document, &source.document));
            let told = document.and_then(|document| chapters.of_document(document.position));
            let told = told.map_or(0, |chapter| chapter.place);
            Some(told).filter(|told| place.is_none_or(|place| *told <= place))
        };
        Self::of(story, names, order)
    }

    /// Returns where things are after the facts for which `order` returns a place in telling order; facts of one place are
    /// in the order of their sentences.
    ///
    /// Only what is narrated as happening counts, and only things with a card; a number of things may have several
    /// holders. The holder on a card is the one at the beginning.
    pub fn of(story: &Story, names: &Names, order: impl Fn(usize) -> Option<u32>) -> Self {
        let mut holdings = Self::default();
        for (thing, card) in story.items().iter().enumerate() {
            if let Some(holder) = card.holder.as_deref().filter(|holder| !holder.trim().is_empty()) {
                holdings.places.insert(thing, Whereabouts::Held(called(names, holder)));
            }
        }
        let narrated = (0..story.facts.len()).filter(|at| story.facts[*at].mode == Mode::Narrated);
        // Of one sentence, the former holder comes before the present one.
        let place = |at: usize| {
            let fact = &story.facts[at];
            let start = fact.source.as_ref().and_then(|source| source.start);
            order(at).map(|order| (order, start, fact.until.trim().is_empty(), at))
        };
        let mut told: Vec<(u32, Option<u32>, bool, usize)> = narrated.filter_map(place).collect();
        told.sort_unstable();
        let mut held: FxHashMap<usize, Vec<(usize, String)>> = FxHashMap::default();
        let mut stays: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (.., at) in told {
            let fact = &story.facts[at];
            if let Some((thing, place)) = left(fact, names) {
                let known = holdings.places.get(&thing);
                if matches!(known, Some(Whereabouts::At(known)) if is_same_place(names, known, place)) {
                    holdings.place(thing, at, None);
                    holdings.end_stays(&mut stays, thing, at);
                }
                continue;
            }
            let Some((role, thing, other)) = said(fact, names) else { continue };
            let holders = held.entry(thing).or_default();
            let known = holdings.places.get(&thing);
            match role {
                PredicateRole::Holding | PredicateRole::Getting if !other.is_empty() => {
                    let holder = called(names, other);
                    let is_others = matches!(known, Some(Whereabouts::Held(known)) if *known != holder);
                    holdings.end(holders, at, |known| known != holder);
                    // A thing may lie elsewhere than its holder is, until somebody takes it.
                    if role == PredicateRole::Getting {
                        holdings.end_stays(&mut stays, thing, at);
                    }
                    let is_of_card =
                        story.items()[thing].holder.as_deref().is_some_and(|known| called(names, known) == holder);
                    if is_of_card {
                        holdings.handed_on.remove(&thing);
                    } else {
                        holdings.hand_on(thing, at);
                    }
                    // Somebody who has a thing for a time has it no longer than until it is somebody else's.
                    holders.push((at, holder.clone()));
                    if fact.until.trim().is_empty() {
                        holdings.place(thing, at, Some(Whereabouts::Held(holder)));
                    } else if is_others {
                        holdings.place(thing, at, None);
                    }
                }
                PredicateRole::Place if !other.is_empty() => {
                    let place = Some(Whereabouts::At(other.to_owned())).filter(|_| fact.until.trim().is_empty());
                    holdings.place(thing, at, place);
                    stays.entry(thing).or_default().push(at);
                }
                PredicateRole::Parting => {
                    let holder = called(names, other);
                    // A thing lost from its place is nowhere known.
                    let is_by = |known: &str| other.is_empty() || known == holder;
                    let is_elsewhere = matches!(known, Some(Whereabouts::Held(known)) if !is_by(known));
                    holdings.end(holders, at, is_by);
                    if !is_elsewhere {
                        holdings.end_stays(&mut stays, thing, at);
                        holdings.place(thing, at, None);
                        holdings.hand_on(thing, at);
                    }
                }
                PredicateRole::Destruction => {
                    holdings.end(holders, at, |_| true);
                    holdings.end_stays(&mut stays, thing, at);
                    holdings.place(thing, at, None);
                    holdings.hand_on(thing, at);
                }
                _ => {}
            }
        }
        holdings
    }

    /// Marks the facts about the place of a thing as ended by the fact at `at`.
    fn end_stays(&mut self, stays: &mut FxHashMap<usize, Vec<usize>>, thing: usize, at: usize) {
        self.ended.extend(stays.remove(&thing).into_iter().flatten().map(|fact| (fact, at)));
    }

    /// Puts a thing somewhere, by the fact at `at`; `None` for a place that is unknown.
    fn place(&mut self, thing: usize, at: usize, place: Option<Whereabouts>) {
        match place {
            Some(place) => {
                self.places.insert(thing, place);
                self.told_by.insert(thing, at);
            }
            None => {
                self.places.remove(&thing);
                self.told_by.remove(&thing);
            }
        }
    }

    /// Takes a thing from the holder on its card, by the fact at `at`.
    fn hand_on(&mut self, thing: usize, at: usize) {
        self.handed_on.insert(thing);
        self.left_card.entry(thing).or_insert(at);
    }

    /// Ends the facts of the holders for whom `is_ended` returns true, by the fact at `at`.
    fn end(&mut self, holders: &mut Vec<(usize, String)>, at: usize, is_ended: impl Fn(&str) -> bool) {
        holders.retain(|(fact, holder)| {
            let is_ended = is_ended(holder);
            if is_ended {
                self.ended.insert(*fact, at);
            }
            !is_ended
        });
    }
}

/// Returns the last holder in flashbacks of the thing at the position `thing` among the items, in the order of the facts.
pub fn past_holder(story: &Story, names: &Names, thing: usize) -> Option<String> {
    let past = story.facts.iter().filter(|fact| fact.mode == Mode::Flashback);
    let mut holders = past.filter_map(|fact| {
        let (role, of, holder) = said(fact, names)?;
        let is_held = matches!(role, PredicateRole::Holding | PredicateRole::Getting);
        (is_held && of == thing && !holder.is_empty()).then(|| called(names, holder))
    });
    holders.next_back()
}

/// Returns the place in telling order of the text that a fact is from; `None` for a fact without one.
pub(crate) fn order_of_text(story: &Story, names: &Names, fact: usize) -> Option<u32> {
    let source = story.facts[fact].source.as_ref()?;
    let document = names.resolve(PieceKind::Document, &source.document)?;
    Some(story.documents[document.position].order).filter(|order| *order > 0)
}

/// Returns what a fact says of a thing with a card: the role of its word, the thing, and the holder or place.
fn said<'f>(fact: &'f Fact, names: &Names) -> Option<(PredicateRole, usize, &'f str)> {
    if fact.value.is_number() || fact.value == Value::Bool(false) {
        return None;
    }
    let word = predicate::find(&fact.predicate)?;
    let role = word.role?;
    let text = fact.value.as_str().unwrap_or_default();
    let subject = fact.subject.trim();
    let object = fact.object.as_deref().filter(|object| !object.trim().is_empty()).unwrap_or(text).trim();
    let item = |name: &str| names.resolve(PieceKind::Item, name).map(|named| named.position);
    let (thing, other) = match role {
        PredicateRole::Holding if word.name == "held_by" => (item(subject), object),
        PredicateRole::Place => (item(subject), object),
        // A thing is lost, no matter who had it.
        PredicateRole::Parting if item(object).is_none() => (item(subject), ""),
        PredicateRole::Holding | PredicateRole::Getting | PredicateRole::Parting => (item(object), subject),
        // A thing is destroyed, or somebody destroys it.
        PredicateRole::Destruction => (item(object).or_else(|| item(subject)), ""),
        _ => return None,
    };
    thing.map(|thing| (role, thing, other))
}

/// Returns the thing with a card that a fact says to have left a place, and the place.
fn left<'f>(fact: &'f Fact, names: &Names) -> Option<(usize, &'f str)> {
    let is_leaving = predicate::find(&fact.predicate).is_some_and(|word| word.name == "leaves");
    let thing = names.resolve(PieceKind::Item, fact.subject.trim()).filter(|_| is_leaving)?;
    let place = fact.object.as_deref().or(fact.value.as_str()).unwrap_or_default().trim();
    (fact.value != Value::Bool(false) && !place.is_empty()).then_some((thing.position, place))
}

fn is_same_place(names: &Names, one: &str, other: &str) -> bool {
    let place = |name: &str| names.resolve(PieceKind::Location, name).map(|named| named.position);
    one.trim() == other || place(one).is_some() && place(one) == place(other)
}

/// Returns the name on the card of a person or organisation.
fn called(names: &Names, name: &str) -> String {
    let kinds = [PieceKind::Character, PieceKind::Organisation];
    let named = kinds.iter().find_map(|kind| names.resolve(*kind, name));
    named.map_or_else(|| name.trim().to_owned(), |named| named.name.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_thing_is_with_the_last_holder_told() {
        let told = |document: &str, subject: &str, predicate: &str| {
            let source = json!({ "document": document, "quote": "。" });
            json!({ "subject": subject, "predicate": predicate, "object": "西库铜钥", "source": source })
        };
        let mut story: Story = serde_json::from_value(json!({
            "worldview": { "items": [{ "id": "i-1", "name": "西库铜钥" }] },
            "characters": [{ "id": "c-1", "name": "汪小满" }, { "id": "c-2", "name": "程砚宁", "alias": ["宁娘"] }],
            "documents": [{ "id": "d-1", "title": "a", "order": 1 }, { "id": "d-2", "title": "b", "order": 2 }],
            "facts": [told("d-2", "宁娘", "持有"), told("d-1", "汪小满", "持有"), told("d-1", "程砚宁", "持有")]
        }))
        .unwrap();
        story.facts[2].mode = Mode::Planned;
        let names = Names::of(&story);
        let sorted = |ended: FxHashMap<usize, usize>| {
            let mut ended: Vec<(usize, usize)> = ended.into_iter().collect();
            ended.sort_unstable();
            ended
        };
        let told = |story: &Story, last: usize| {
            Holdings::of(story, &names, |at| order_of_text(story, &names, at).filter(|_| at >= last))
        };
        assert_eq!(sorted(told(&story, 0).ended), [(1, 0)]);
        assert_eq!(told(&story, 0).places[&0], Whereabouts::Held("程砚宁".into()));
        assert_eq!(past_holder(&story, &names, 0), None);
        assert!(told(&story, 1).ended.is_empty(), "the second chapter is not told yet");
        assert_eq!(told(&story, 1).places[&0], Whereabouts::Held("汪小满".into()));
        let mut past = story.clone();
        past.facts[0].mode = Mode::Flashback;
        assert_eq!(past_holder(&past, &names, 0), Some("程砚宁".into()));
        story.facts[0].value = json!(3);
        assert!(told(&story, 0).ended.is_empty(), "a number of things has several holders");
    }

    #[test]
    fn a_thing_is_given_away_laid_down_lost_and_destroyed() {
        let fact = |subject: &str, predicate: &str, object: &str, order: u32| Fact {
            subject: subject.into(),
            predicate: predicate.into(),
            object: Some(object.into()).filter(|object: &String| !object.is_empty()),
            value: if object.is_empty() { json!(true) } else { Value::Null },
            // The place in telling order, for this test.
            unit: order.to_string(),
            ..Fact::default()
        };
        let held = |name: &str| Some(Whereabouts::Held(name.into()));
        let at = |name: &str| Some(Whereabouts::At(name.into()));
        let cases = [
            (vec![], held("Ned"), false),
            (vec![fact("Mara", "gets", "ledger", 1)], held("Mara Voss"), true),
            (vec![fact("ledger", "held_by", "Mara", 2), fact("Ned", "holds", "ledger", 1)], held("Mara Voss"), true),
            (vec![fact("Ned", "gives", "ledger", 1)], None, true),
            (vec![fact("Ned", "loses", "ledger", 1), fact("Ned", "gets", "ledger", 2)], held("Ned"), false),
            (vec![fact("Mara", "loses", "ledger", 1)], held("Ned"), false),
            (vec![fact("ledger", "is_at", "the mill", 1)], at("the mill"), false),
            (vec![fact("ledger", "is_at", "the mill", 1), fact("Mara", "loses", "ledger", 2)], None, true),
            (vec![fact("ledger", "is_at", "the mill", 1), fact("ledger", "leaves", "the mill", 2)], None, false),
            (
                vec![fact("ledger", "is_at", "the mill", 1), fact("ledger", "leaves", "the inn", 2)],
                at("the mill"),
                false,
            ),
            (vec![Fact { until: "dusk".into(), ..fact("ledger", "is_at", "the mill", 1) }], None, false),
            (vec![fact("ledger", "leaves", "the mill", 1)], held("Ned"), false),
            (vec![fact("ledger", "destroyed", "", 1)], None, true),
            (vec![fact("ledger", "lost", "", 1)], None, true),
            (vec![fact("Mara", "burns", "ledger", 1)], None, true),
            (vec![Fact { until: "dusk".into(), ..fact("Mara", "holds", "ledger", 1) }], None, true),
            (vec![Fact { mode: Mode::Dreamt, ..fact("Mara", "gets", "ledger", 1) }], held("Ned"), false),
            (vec![Fact { mode: Mode::Dreamt, ..fact("Ned", "loses", "ledger", 1) }], held("Ned"), false),
        ];
        for (facts, expected, is_handed_on) in cases {
            let story: Story = serde_json::from_value(json!({
                "worldview": { "items": [{ "id": "i-1", "name": "ledger", "holder": "Ned" }] },
                "characters": [{ "id": "c-1", "name": "Ned" }, { "id": "c-2", "name": "Mara Voss" }]
            }))
            .unwrap();
            let story = Story { facts, ..story };
            let order = |at: usize| story.facts[at].unit.parse().ok();
            let found = Holdings::of(&story, &Names::of(&story), order);
            assert_eq!(found.places.get(&0).cloned(), expected, "{:?}", story.facts);
            assert_eq!(found.handed_on.contains(&0), is_handed_on, "{:?}", story.facts);
            assert!(!is_handed_on || found.left_card.contains_key(&0), "{:?}", story.facts);
        }
        let stay = || Fact { until: "Friday".into(), ..fact("ledger", "is_at", "the mill", 1) };
        for (later, is_over) in [
            (fact("Ned", "loses", "ledger", 2), true),
            (fact("Mara", "gets", "ledger", 2), true),
            (fact("ledger", "destroyed", "", 2), true),
            (fact("Mara", "holds", "ledger", 2), false),
            (fact("Ned", "loses", "ledger", 0), false),
        ] {
            let story: Story = serde_json::from_value(json!({
                "worldview": { "items": [{ "id": "i-1", "name": "ledger" }] },
                "characters": [{ "id": "c-1", "name": "Ned" }, { "id": "c-2", "name": "Mara Voss" }]
            }))
            .unwrap();
            let story = Story { facts: vec![stay(), later], ..story };
            let found = Holdings::of(&story, &Names::of(&story), |at| story.facts[at].unit.parse().ok());
            assert_eq!(found.ended.contains_key(&0), is_over, "{:?}", story.facts);
        }
    }
}
