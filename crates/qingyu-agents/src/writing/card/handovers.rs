//! Hand-overs: the fact that somebody gives a thing away and the fact that another person gets it are one statement.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::holdings::Whereabouts;
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::{Fact, Mode, Story};
use serde_json::{Value, json};

/// Returns facts of the context tool with each hand-over once, known to everybody who knows either side of it and, if it
/// happens, to both of its people.
///
/// The receipt stands for the hand-over. Where the whereabouts in `things` say the same as the receipt, the gift does.
pub(super) fn joined(facts: Vec<Value>, story: &Story, things: &BTreeMap<String, Whereabouts>) -> Vec<Value> {
    let id = |fact: &Value| fact["fact"].as_str().unwrap_or_default().to_owned();
    let by_id: BTreeMap<&str, &Fact> = story.facts.iter().map(|fact| (fact.id.as_str(), fact)).collect();
    let listed: BTreeSet<String> = facts.iter().map(id).collect();
    let join = |mut fact: Value| {
        let own = by_id.get(id(&fact).as_str()).copied().filter(|own| !own.id.is_empty());
        let twin = own.and_then(|own| Some((own, story.facts.iter().find(|other| are_one(own, other))?)));
        let Some((own, twin)) = twin else { return Some(fact) };
        let is_hidden = own.mode == Mode::Narrated && things.contains_key(thing(own));
        let standing = if is_hidden { PredicateRole::Parting } else { PredicateRole::Getting };
        if role(own) != Some(standing) && listed.contains(&twin.id) {
            return None;
        }
        let mut known: Vec<Value> = fact["known_by"].as_array().cloned().unwrap_or_default();
        let of_twin = twin.known_by.iter().map(|knower| (knower.who.trim(), knower.how.as_str()));
        // The knowers of a lie are those who believe it, not the people that it is about.
        let happens = matches!(own.mode, Mode::Narrated | Mode::Flashback);
        let people = [own, twin].map(|fact| (fact.subject.trim(), "")).into_iter().filter(|_| happens);
        let is_known = !known.is_empty() || !twin.known_by.is_empty();
        for (who, how) in of_twin.chain(people).filter(|_| is_known) {
            if !known.iter().any(|knower| knower["who"].as_str().map(str::trim) == Some(who)) {
                known.push(json!({ "who": who, "how": how }));
            }
        }
        fact["known_by"] = Value::Array(known);
        Some(fact)
    };
    facts.into_iter().filter_map(join).collect()
}

/// Returns whether two facts are the two sides of one hand-over: told in one sentence, by the same person.
fn are_one(own: &Fact, other: &Fact) -> bool {
    let is_pair = || {
        matches!(
            (role(own), role(other)),
            (Some(PredicateRole::Parting), Some(PredicateRole::Getting))
                | (Some(PredicateRole::Getting), Some(PredicateRole::Parting))
        )
    };
    let is_same_place = || match (&own.source, &other.source) {
        (Some(own), Some(other)) => {
            own.document.trim() == other.document.trim() && own.quote.trim() == other.quote.trim()
        }
        (None, None) => !own.from.trim().is_empty() && own.from.trim() == other.from.trim(),
        _ => false,
    };
    !thing(own).is_empty()
        && thing(own) == thing(other)
        && is_pair()
        && own.subject.trim() != other.subject.trim()
        && (own.mode, &own.by) == (other.mode, &other.by)
        && [own, other].iter().all(|fact| fact.value != Value::Bool(false))
        && is_same_place()
}

fn thing(fact: &Fact) -> &str {
    fact.object.as_deref().unwrap_or_default().trim()
}

fn role(fact: &Fact) -> Option<PredicateRole> {
    predicate::find(&fact.predicate)?.role
}
