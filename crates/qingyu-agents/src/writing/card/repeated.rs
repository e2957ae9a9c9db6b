//! Facts of the context tool that a relation, a card or another fact says already.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::audience::Audience;
use qingyu_story::language::has_words;
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::{CharacterRelation, Mode, RelationKind};
use serde_json::Value;

use super::known::mode_of;

/// The predicate of a marriage.
const MARRIED_TO: &str = "married_to";
/// Words in the description of a relation that make it a marriage; the kinds of relations have none.
const MARRIED: [&str; 14] = [
    "夫妻", "夫妇", "配偶", "妻子", "丈夫", "嫁", "娶", "成婚", "married", "marriage", "husband", "wife", "spouse",
    "spouses",
];

/// Returns whether a fact says what one of the relations says.
pub(super) fn is_tie(fact: &Value, relations: &[CharacterRelation]) -> bool {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().trim();
    let Some(word) = predicate::find(text("predicate")) else { return false };
    let kind = RelationKind::named(&word.name);
    let ends = (text("subject"), text("object"));
    let is_said = mode_of(fact) == Mode::Narrated && fact["value"].is_null();
    let says = |relation: &CharacterRelation| {
        let (from, to) = (relation.from.trim(), relation.to.trim());
        match kind {
            Some(kind) => {
                (relation.kind, from, to) == (kind, ends.0, ends.1)
                    || (relation.kind.inverse(), to, from) == (kind, ends.0, ends.1)
            }
            None => word.name == MARRIED_TO && is_marriage(relation) && [(from, to), (to, from)].contains(&ends),
        }
    };
    is_said && relations.iter().any(says)
}

/// Returns whether a relation is a marriage by its description.
fn is_marriage(relation: &CharacterRelation) -> bool {
    let says = relation.description.to_lowercase();
    let is_close = matches!(relation.kind, RelationKind::Family | RelationKind::Lover);
    is_close && MARRIED.iter().any(|word| has_words(&says, word))
}

/// Returns the facts without what people say or think of a death that is certain: it is left out if it is nobody's secret, and
/// if another fact narrates the death, which those who have heard of it then know.
pub(super) fn without_hearsay_of_deaths(
    mut facts: Vec<Value>,
    audiences: &BTreeMap<&str, Audience>,
    is_dead: &dyn Fn(&str) -> bool,
) -> Vec<Value> {
    let mut heard: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let certain: BTreeSet<String> = facts.iter().filter(|fact| is_certain_death(fact)).map(subject).collect();
    facts.retain(|fact| {
        let who = subject(fact);
        if !is_hearsay_of_death(fact) || !is_dead(&who) {
            return true;
        }
        let id = fact["fact"].as_str().unwrap_or_default().trim();
        let knowers = fact["known_by"].as_array().cloned().unwrap_or_default();
        let is_open = knowers.is_empty() || matches!(audiences.get(id), Some(Audience::Everybody));
        let is_told = certain.contains(&who);
        if is_told {
            heard.entry(who).or_default().extend(knowers);
        }
        !is_open && !is_told
    });
    for death in facts.iter_mut().filter(|fact| is_certain_death(fact)) {
        let more = heard.get(&subject(death)).cloned().unwrap_or_default();
        // A death without knowers is no secret.
        if let Some(knowers) = death["known_by"].as_array_mut().filter(|knowers| !knowers.is_empty()) {
            let is_new = |knower: &Value| !knowers.iter().any(|known| known["who"] == knower["who"]);
            let more: Vec<Value> = more.into_iter().filter(is_new).collect();
            knowers.extend(more);
        }
    }
    facts
}

/// Returns the subject of a fact.
fn subject(fact: &Value) -> String {
    fact["subject"].as_str().unwrap_or_default().trim().to_owned()
}

/// Returns whether a fact says that somebody has died, and is not denied.
fn is_death(fact: &Value) -> bool {
    let word = predicate::find(fact["predicate"].as_str().unwrap_or_default().trim());
    word.and_then(|word| word.role) == Some(PredicateRole::Death) && fact["value"] != Value::Bool(false)
}

/// Returns whether a fact narrates a death.
fn is_certain_death(fact: &Value) -> bool {
    is_death(fact) && matches!(mode_of(fact), Mode::Narrated | Mode::Flashback)
}

/// Returns whether a fact is what somebody says or thinks of a death.
fn is_hearsay_of_death(fact: &Value) -> bool {
    is_death(fact) && matches!(mode_of(fact), Mode::Said | Mode::Believed)
}

/// Returns whether a fact says how old somebody is who is dead by now.
pub(super) fn is_age_of_the_dead(fact: &Value, is_dead: &dyn Fn(&str) -> bool) -> bool {
    let role = predicate::find(fact["predicate"].as_str().unwrap_or_default().trim()).and_then(|word| word.role);
    role == Some(PredicateRole::Age) && mode_of(fact) == Mode::Narrated && is_dead(&subject(fact))
}
