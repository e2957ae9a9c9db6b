//! QY312: ages and births that kinship makes impossible.

use serde_json::{Value, json};

use super::chains::{Chain, Sort, chains};
use super::material::target;
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::time::chronology::How;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy312_births_and_kinship.toml");
    Rule::new("QY312", (Severity::Medium, Category::Consistency, "character"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chains(material, Sort::Kinship).map(|chain| draft(material, &chain)).collect()
}

fn draft(material: &Material<'_>, chain: &Chain<'_, '_>) -> Draft {
    let cards = chain.said.iter().filter(|said| said.kind == PieceKind::Character);
    let names = cards.map(|said| chain.name(said)).collect::<std::collections::BTreeSet<_>>();
    let draft = chain.draft().list("names", names);
    let Some(doubted) = chain.first(How::Age).or_else(|| chain.first(How::Card)) else { return draft };
    let card = &material.story.characters[doubted.position];
    let cleared = target(card, json!({ doubted.field: Value::Null }));
    draft.fix("clear", Action::Update, PieceKind::Character, cleared).fix_says("name", card.name.trim())
}
