//! QY111: a fact about an unknown character or place.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde_json::json;

use super::qy101_undefined_character::undefined;
use super::qy102_named_in_prose::looks_like_name;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::audience::is_everybody;
use crate::language::is_han;
use crate::names::{fold, titled};
use crate::part::ENTITIES;
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::{Action, Category, Fact, Mode, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy111_unknown_in_fact.toml");
    Rule::new("QY111", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

/// Words with a person as subject.
const OF_PEOPLE: [&str; 12] = [
    "birth",
    "birthplace",
    "blood_type",
    "eye_colour",
    "hair_colour",
    "handedness",
    "birth_mother",
    "birth_father",
    "occupation",
    "member_of",
    "dies",
    "rank",
];
/// Words with a person as subject and object.
const BETWEEN_PEOPLE: [&str; 7] =
    ["married_to", "sibling_of", "friend_of", "enemy_of", "parent_of", "child_of", "kills"];

/// A name, with the facts using the name.
#[derive(Default)]
struct UnknownName {
    name: String,
    is_place: bool,
    places: Vec<(String, String)>,
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut found: BTreeMap<String, UnknownName> = BTreeMap::new();
    // A cache, since most names occur in many facts.
    let mut checked: FxHashMap<(&str, bool), bool> = FxHashMap::default();
    let facts = material.story.facts.iter().enumerate();
    for (position, fact) in facts.filter(|(_, fact)| fact.mode != Mode::Retconned) {
        for (field, name, is_place) in named(material, position, fact) {
            let is_wrong = |name| if is_place { is_nowhere(material, name) } else { is_nobody(material, name) };
            if !*checked.entry((name, is_place)).or_insert_with(|| is_wrong(name)) {
                continue;
            }
            let unknown = found.entry(fold(name)).or_default();
            if unknown.name.is_empty() || name < unknown.name.as_str() {
                name.clone_into(&mut unknown.name);
            }
            unknown.is_place |= is_place;
            unknown.places.push((
                anchor(PieceKind::Fact, fact, field),
                format!("{}: {}", name, fact.sentence(material.story.language)),
            ));
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    // Participants of events are checked by QY101.
    let elsewhere = undefined(material);
    let found = found.into_iter().filter(|(key, _)| !elsewhere.contains_key(key));
    found.map(|(key, unknown)| draft(material, key, unknown)).collect()
}

/// Returns the names of persons and places in a fact, with the field and whether a place is expected.
fn named<'s>(material: &RuleMaterial<'s>, position: usize, fact: &'s Fact) -> Vec<(&'static str, &'s str, bool)> {
    let truth = material.truth();
    let word = truth.predicate(truth.of_fact(position).predicate);
    let name = word.map_or("", |word| word.name.as_str());
    let is_mind = word.is_some_and(|word| {
        matches!(
            word.role,
            Some(
                PredicateRole::Knowing
                    | PredicateRole::Learning
                    | PredicateRole::Forgetting
                    | PredicateRole::Speaking
                    | PredicateRole::Denial
            )
        )
    });
    let mut people: Vec<(&'static str, &str)> = Vec::new();
    if OF_PEOPLE.contains(&name) || BETWEEN_PEOPLE.contains(&name) || is_mind {
        people.push(("subject", &fact.subject));
    }
    if let Some(object) = fact.object.as_deref().filter(|_| BETWEEN_PEOPLE.contains(&name)) {
        people.push(("object", object));
    }
    people.extend(fact.by.as_deref().map(|by| ("by", by)));
    for knower in fact.known_by.iter().filter(|knower| !is_everybody(&knower.who)) {
        people.push(("known_by", &knower.who));
        people.extend(knower.told_by.as_deref().map(|teller| ("known_by", teller)));
    }
    let has_cast = !material.story.characters.is_empty();
    let people = people.into_iter().filter(|_| has_cast);
    let place = fact.object.as_deref().filter(|_| word.is_some_and(|word| word.role == Some(PredicateRole::Place)));
    let place = place.filter(|_| !material.story.locations().is_empty());
    let all = people.map(|(field, name)| (field, name.trim(), false));
    all.chain(place.map(|name| ("object", name.trim(), true))).collect()
}

/// Returns whether the name is a person's and belongs to no piece.
fn is_nobody(material: &RuleMaterial<'_>, name: &str) -> bool {
    let name = name.trim();
    let is_han_name = name.chars().all(is_han) && looks_like_name(name);
    let mut words = name.split([' ', '-', '·']).filter(|word| !word.is_empty()).peekable();
    let is_latin_name = words.peek().is_some_and(|first| !first.eq_ignore_ascii_case("the"))
        && words.all(|word| word.starts_with(char::is_uppercase) && word.chars().count() > 1);
    (is_han_name || is_latin_name) && is_unknown(material, name)
}

/// Returns whether no place matches the name or a part of the name.
fn is_nowhere(material: &RuleMaterial<'_>, name: &str) -> bool {
    let is_proper = name.chars().any(|c| is_han(c) || c.is_uppercase());
    is_proper && !name.trim().is_empty() && is_unknown(material, name)
}

/// Returns whether no piece matches the name, a part of the name, or a longer name.
fn is_unknown(material: &RuleMaterial<'_>, name: &str) -> bool {
    let is_known = ENTITIES.iter().chain([&PieceKind::OutlineNode]).any(|kind| material.names.knows(*kind, name));
    if is_known || material.truth().fact(name).is_some() || !material.names.mentions(name).is_empty() {
        return false;
    }
    let folded = fold(name);
    let is_part = |kind: &PieceKind| material.story.pieces_of(*kind).any(|piece| fold(piece.name()).contains(&folded));
    !ENTITIES.iter().any(is_part)
}

fn draft(material: &RuleMaterial<'_>, key: String, unknown: UnknownName) -> FindingDraft {
    let UnknownName { name, is_place, places } = unknown;
    let facts: BTreeSet<String> = places.iter().map(|(_, said)| said.clone()).collect();
    let draft = FindingDraft::about([key]).say("name", &name).list("facts", facts).affects(&name).quotes(places);
    if is_place {
        return draft.fix("place", Action::Create, PieceKind::Location, json!({ "name": name }));
    }
    match titled(&material.story.characters, &name) {
        Some(card) => draft.fix_alias(card, &name),
        None => {
            let parameters = json!({ "name": name, "role_type": RoleType::Minor });
            draft.fix("create", Action::Create, PieceKind::Character, parameters)
        }
    }
}
