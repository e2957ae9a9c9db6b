//! QY312: ages and births impossible by kinship.

use serde_json::{Value, json};

use super::chains::{ContradictionChain, ContradictionKind, chains};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::time::chronology::BoundOrigin;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy312_births_and_kinship.toml");
    Rule::new("QY312", (Severity::Medium, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chains(material, ContradictionKind::Kinship).map(|chain| draft(material, &chain)).collect()
}

fn draft(material: &RuleMaterial<'_>, chain: &ContradictionChain<'_, '_>) -> FindingDraft {
    let cards = chain.said.iter().filter(|said| said.kind == PieceKind::Character);
    let names = cards.map(|said| chain.name(said)).collect::<std::collections::BTreeSet<_>>();
    let draft = chain.draft().list("names", names);
    let Some(doubted) = chain.first(BoundOrigin::Age).or_else(|| chain.first(BoundOrigin::Card)) else { return draft };
    let card = &material.story.characters[doubted.position];
    let cleared = target(card, json!({ doubted.field: Value::Null }));
    draft.fix("clear", Action::Update, PieceKind::Character, cleared).fix_says("name", card.name.trim())
}
