//! QY104: two characters share an alias, or one is called what another is named.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::{anchor, handle, target};
use super::telling::speaks_of;
use super::{Draft, Material, Rule};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, Category, Character, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy104_alias_clash.toml");
    Rule::new("QY104", (Severity::High, Category::Consistency, "character"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut bearers: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (position, card) in material.story.characters.iter().enumerate() {
        for name in std::iter::once(&card.name).chain(&card.alias).filter(|name| !name.trim().is_empty()) {
            bearers.entry(fold(name)).or_default().insert(position);
        }
    }
    let shared = bearers.into_iter().filter(|(_, cards)| cards.len() > 1);
    shared.filter_map(|(name, cards)| draft(material, &name, &cards)).collect()
}

/// Words for people who are meant to be taken for each other, or to go by one name together.
const ALIKE: &[&str] =
    &["双胞胎", "孪生", "双生", "合称", "并称", "共用", "冒名", "同名", "twin", "twins", "identical", "namesake", "share a name"];

/// Whether the cards, or a relation between them, say why several go by one name; a full name is nobody else's.
fn are_declared_alike(material: &Material<'_>, cards: &[&Character], name: &str) -> bool {
    let is_of_both = |relation: &&crate::CharacterRelation| {
        let is = |card: &&&Character, end: &str| material.character(end).is_some_and(|one| std::ptr::eq(one, **card));
        [&relation.from, &relation.to].into_iter().all(|end| cards.iter().any(|card| is(&card, end)))
    };
    let between = material.story.character_relations.iter().filter(is_of_both).map(|one| one.description.clone());
    let told = cards.iter().map(|card| {
        format!("{} {} {}", card.background, card.personality, card.traits.join(" "))
    });
    cards.iter().all(|card| fold(&card.name) != name) && told.chain(between).any(|text| speaks_of(&text, ALIKE))
}

fn draft(material: &Material<'_>, name: &str, positions: &BTreeSet<usize>) -> Option<Draft> {
    let mut cards: Vec<&Character> = positions.iter().map(|position| &material.story.characters[*position]).collect();
    // Who is named so keeps the name; after that, the one with the least id.
    cards.sort_by_key(|card| (fold(&card.name) != name, handle(*card)));
    let by_alias: Vec<&Character> = cards.iter().copied().filter(|card| fold(&card.name) != name).collect();
    if by_alias.is_empty() {
        return None; // The same full name twice is the business of QY105.
    }
    if are_declared_alike(material, &cards, name) {
        return None;
    }
    let mut draft = Draft::about([name.to_owned()])
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
