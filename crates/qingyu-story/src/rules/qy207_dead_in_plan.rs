//! QY207: a planned chapter has somebody among its participants who is dead by the written text.

use serde_json::json;

use super::material::target;
use super::mortality::{DeadInPlan, found};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy207_dead_in_plan.toml");
    Rule::new("QY207", (Severity::High, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    found(material).into_iter().map(|one| draft(material, &one)).collect()
}

fn draft(material: &RuleMaterial<'_>, one: &DeadInPlan) -> FindingDraft {
    let story = material.story;
    let (card, node) = (&story.characters[one.death.character], &story.outline_nodes[one.node]);
    let document = &story.documents[one.death.document];
    let draft = FindingDraft::about([handle(card), handle(node)])
        .say("name", card.name.trim())
        .say("node", node.name.trim())
        .say("chapter", document.title.trim())
        .say("death", &one.death.quote)
        .affects(card.name.trim())
        .affects(node.name.trim())
        .quote(one.death.anchor.clone(), &one.death.quote)
        .quote(anchor(PieceKind::OutlineNode, node, "participants"), one.name.trim());
    // A locked plan is changed by its author alone.
    if node.locked {
        return draft;
    }
    let change = target(node, json!({ "remove_participants": [one.name] }));
    draft.fix("leave_out", Action::Update, PieceKind::OutlineNode, change)
}
