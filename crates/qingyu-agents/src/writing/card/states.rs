//! Kinds of facts by their predicates: lasting states, looks, kinship.

use qingyu_story::language::{has_words, is_han};
use qingyu_story::predicate::{Predicate, PredicateRole, ValueKind};
use serde_json::Value;

/// Words of predicates outside the vocabulary that tell an injury or another state.
const STATES: [&str; 28] = [
    "受伤",
    "负伤",
    "重伤",
    "伤势",
    "伤口",
    "伤情",
    "刀伤",
    "枪伤",
    "烧伤",
    "烫伤",
    "扭伤",
    "摔伤",
    "骨折",
    "病情",
    "状态",
    "injured",
    "injury",
    "wounded",
    "wound",
    "hurt",
    "burnt",
    "sprained",
    "healed",
    "illness",
    "ill",
    "condition",
    "state",
    "health",
];

/// Returns whether a narrated fact tells how somebody or something is from then on, or how much there is of it. An age has
/// its place on the card.
pub(super) fn is_lasting(word: Option<&Predicate>, name: &str, value: &Value) -> bool {
    let role = word.and_then(|word| word.role);
    let is_flag = word.is_some_and(|word| word.value == ValueKind::Flag);
    let is_state = match role {
        Some(PredicateRole::Destruction | PredicateRole::Repair | PredicateRole::Seal) => is_flag,
        Some(PredicateRole::Weakness) => true,
        _ => false,
    };
    let is_number = value.is_number() && role != Some(PredicateRole::Age) && !is_seen(word);
    let name = name.to_lowercase().replace('_', " ");
    let has = |state: &&str| if state.chars().all(is_han) { name.contains(*state) } else { has_words(&name, state) };
    is_state || is_number || word.is_none() && STATES.iter().any(has)
}

/// Predicates of looks and qualities, which everybody sees who is there.
const SEEN: [&str; 11] = [
    "trait",
    "eye_colour",
    "hair_colour",
    "species",
    "handedness",
    "height",
    "length",
    "width",
    "depth",
    "weight",
    "capacity",
];

/// Returns whether a fact tells looks or a quality.
pub(super) fn is_seen(word: Option<&Predicate>) -> bool {
    word.is_some_and(|word| SEEN.contains(&word.name.as_str()))
}
