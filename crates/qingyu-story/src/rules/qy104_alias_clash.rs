//! QY104: two characters share an alias, or one character's alias is another's name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::has_any;
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy104_alias_clash.toml");
    Rule::new("QY104", (Severity::High, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut bearers: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (position, card) in material.story.characters.iter().enumerate() {
        for name in std::iter::once(&card.name).chain(&card.alias).filter(|name| !name.trim().is_empty()) {
            bearers.entry(fold(name)).or_default().insert(position);
        }
    }
    let shared = bearers.into_iter().filter(|(_, cards)| cards.len() > 1);
    shared.filter_map(|(name, cards)| draft(material, &name, &cards)).collect()
}

/// Words for characters deliberately mistaken for each other, or sharing one name.
const ALIKE: &[&str] = &[
    "双胞胎",
    "孪生",
    "双生",
    "合称",
    "并称",
    "共用",
    "冒名",
    "同名",
    "twin",
    "twins",
    "identical",
    "namesake",
    "share a name",
];

/// Returns whether the cards, or a relation between them, explain a shared alias; a full name is never shared.
fn are_declared_alike(material: &RuleMaterial<'_>, cards: &[&Character], name: &str) -> bool {
    let is_of_both = |relation: &&crate::CharacterRelation| {
        let is = |card: &&&Character, end: &str| material.character(end).is_some_and(|one| std::ptr::eq(one, **card));
        [&relation.from, &relation.to].into_iter().all(|end| cards.iter().any(|card| is(&card, end)))
    };
    let between = material.story.character_relations.iter().filter(is_of_both).map(|one| one.description.clone());
    let told = cards.iter().map(|card| format!("{} {} {}", card.background, card.personality, card.traits.join(" ")));
    cards.iter().all(|card| fold(&card.name) != name) && told.chain(between).any(|text| has_any(&text, ALIKE))
}

fn draft(material: &RuleMaterial<'_>, name: &str, positions: &BTreeSet<usize>) -> Option<FindingDraft> {
    let mut cards: Vec<&Character> = positions.iter().map(|position| &material.story.characters[*position]).collect();
    // The character with the full name keeps the name; otherwise, the smallest id.
    cards.sort_by_key(|card| (fold(&card.name) != name, handle(*card)));
    let by_alias: Vec<&Character> = cards.iter().copied().filter(|card| fold(&card.name) != name).collect();
    if by_alias.is_empty() {
        return None; // The same full name twice is the business of QY105.
    }
    if are_declared_alike(material, &cards, name) {
        return None;
    }
    let mut draft = FindingDraft::about([name.to_owned()])
        .say("name", name)
        .list("cards", cards.iter().map(|card| card.name.trim().to_owned()));
    for card in &cards {
        let field = if fold(&card.name) == name { "name" } else { "alias" };
        draft = draft.affects(card.name.trim()).quote(anchor(PieceKind::Character, *card, field), name);
    }
    for card in cards.iter().skip(1).filter(|card| fold(&card.name) != name) {
        let alias: Vec<&String> = card.alias.iter().filter(|alias| fold(alias) == name).collect();
        let parameters = target(*card, json!({ "remove_alias": alias }));
        draft = draft.fix("drop", Action::Update, PieceKind::Character, parameters).fix_says("card", card.name.trim());
    }
    Some(draft)
}
