//! QY104: two characters share an alias, or one is called what another is named.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::{anchor, handle, target};
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

fn draft(material: &Material<'_>, name: &str, positions: &BTreeSet<usize>) -> Option<Draft> {
    let mut cards: Vec<&Character> = positions.iter().map(|position| &material.story.characters[*position]).collect();
    // Who is named so keeps the name; after that, the one with the least id.
    cards.sort_by_key(|card| (fold(&card.name) != name, handle(*card)));
    let by_alias: Vec<&Character> = cards.iter().copied().filter(|card| fold(&card.name) != name).collect();
    if by_alias.is_empty() {
        return None; // The same full name twice is the business of QY105.
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
