//! QY108: a thing held by an unknown character.

use serde_json::{Value, json};

use super::material::target;
use super::qy101_undefined_character::is_known;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy108_held_by_nobody.toml");
    Rule::new("QY108", (Severity::Medium, Category::Consistency, "worldview"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let held = material.story.items().iter().filter_map(|item| Some((item, item.holder.as_ref()?)));
    let by_nobody = held.filter(|(_, holder)| !is_known(material, holder));
    let draft = |(item, holder): (&crate::Item, &String)| {
        FindingDraft::about([handle(item)])
            .say("item", item.name.trim())
            .say("holder", holder.trim())
            .affects(item.name.trim())
            .affects(holder.trim())
            .quote(anchor(PieceKind::Item, item, "holder"), holder.trim())
            .fix("clear", Action::Update, PieceKind::Item, target(item, json!({ "holder": Value::Null })))
    };
    by_nobody.map(draft).collect()
}
