//! Things that change hands: the facts of holding that a later text ends.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::names::Names;
use crate::predicate::{self, PredicateRole};
use crate::{Mode, PieceKind, Story};

/// Returns the positions of the facts by which somebody holds or gets a thing that a text gives to somebody else, loses or
/// destroys later in telling order.
///
/// Only facts of chapters for which `is_told` returns true count, and only things with a card; a number of things may
/// have several holders.
pub(crate) fn passed_on(story: &Story, names: &Names, is_told: impl Fn(usize) -> bool) -> FxHashSet<usize> {
    let place = |at: usize| {
        let source = story.facts[at].source.as_ref()?;
        let document = names.resolve(PieceKind::Document, &source.document)?;
        let order = story.documents[document.position].order;
        (order > 0).then_some((order, source.start, at))
    };
    let told = (0..story.facts.len()).filter(|at| story.facts[*at].mode == Mode::Narrated && is_told(*at));
    let mut told: Vec<_> = told.filter_map(place).collect();
    told.sort_unstable();
    let called = |name: &str| {
        let kinds = [PieceKind::Character, PieceKind::Organisation];
        let named = kinds.iter().find_map(|kind| names.resolve(*kind, name));
        named.map_or_else(|| name.trim().to_owned(), |named| named.name.clone())
    };
    let mut ended: FxHashSet<usize> = FxHashSet::default();
    let mut held: FxHashMap<usize, Vec<(usize, String)>> = FxHashMap::default();
    for (_, _, at) in told {
        let fact = &story.facts[at];
        let Some(word) = predicate::find(&fact.predicate) else { continue };
        if fact.value.is_number() || fact.value == Value::Bool(false) {
            continue;
        }
        let text = fact.value.as_str().unwrap_or_default();
        let other = fact.object.as_deref().filter(|object| !object.trim().is_empty()).unwrap_or(text);
        let is_about_thing = word.name == "held_by" || word.role == Some(PredicateRole::Destruction);
        let (thing, who) = if is_about_thing { (fact.subject.as_str(), other) } else { (other, fact.subject.as_str()) };
        let Some(thing) = names.resolve(PieceKind::Item, thing).map(|named| named.position) else { continue };
        let holder = called(who);
        let holdings = held.entry(thing).or_default();
        let mut end = |is_ended: &dyn Fn(&str) -> bool| {
            holdings.retain(|(old, known)| {
                let is_ended = is_ended(known);
                if is_ended {
                    ended.insert(*old);
                }
                !is_ended
            });
        };
        match word.role {
            Some(PredicateRole::Holding | PredicateRole::Getting) if !holder.is_empty() => {
                end(&|known| known != holder);
                if fact.until.trim().is_empty() {
                    holdings.push((at, holder));
                }
            }
            Some(PredicateRole::Parting) => end(&|known| known == holder),
            Some(PredicateRole::Destruction) => end(&|_| true),
            _ => {}
        }
    }
    ended
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
        let sorted = |ended: FxHashSet<usize>| {
            let mut ended: Vec<usize> = ended.into_iter().collect();
            ended.sort_unstable();
            ended
        };
        assert_eq!(sorted(passed_on(&story, &names, |_| true)), [1]);
        assert!(passed_on(&story, &names, |at| at != 0).is_empty(), "the second chapter is not told yet");
        story.facts[0].value = json!(3);
        assert!(passed_on(&story, &names, |_| true).is_empty(), "a number of things has several holders");
    }
}
