//! QY305: a card with the death before the birth.

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, Severity, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy305_death_before_birth.toml");
    Rule::new("QY305", (Severity::High, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    material.story.characters.iter().filter_map(draft).collect()
}

fn draft(card: &Character) -> Option<FindingDraft> {
    let (birth, death) = (card.birth.as_deref()?, card.death.as_deref()?);
    let contradicts = time::parse(death).moment()?.is_before(&time::parse(birth).moment()?);
    let draft = FindingDraft::about([handle(card)])
        .say("name", card.name.trim())
        .say("birth", birth.trim())
        .say("death", death.trim())
        .affects(card.name.trim())
        .quote(anchor(PieceKind::Character, card, "birth"), birth.trim())
        .quote(anchor(PieceKind::Character, card, "death"), death.trim())
        .fix("clear", Action::Update, PieceKind::Character, target(card, json!({ "death": Value::Null })));
    contradicts.then_some(draft)
}
