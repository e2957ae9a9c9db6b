//! QY911: an empty card of an important character.

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::placeholder::is_unwritten;
use crate::{Action, Category, Character, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy911_empty_card.toml");
    Rule::new("QY911", (Severity::Medium, Category::Completeness, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    material.story.characters.iter().filter(|card| is_empty(card)).map(draft).collect()
}

fn is_empty(card: &Character) -> bool {
    let texts = [&card.personality, &card.background, &card.goals, &card.conflicts, &card.weakness, &card.arc];
    let says_nothing = texts.iter().all(|text| is_unwritten(text)) && card.traits.is_empty();
    card.role_type != RoleType::Minor && !card.name.trim().is_empty() && says_nothing
}

fn draft(card: &Character) -> FindingDraft {
    let open =
        json!({ "traits": Value::Null, "personality": Value::Null, "background": Value::Null, "goals": Value::Null });
    FindingDraft::about([handle(card)])
        .say("name", card.name.trim())
        .affects(card.name.trim())
        .quote(anchor(PieceKind::Character, card, "name"), card.name.trim())
        .fix("fill", Action::Update, PieceKind::Character, target(card, open))
}
