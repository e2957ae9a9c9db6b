//! QY703: a payoff before its plant.

use serde_json::json;

use super::keeping::is_place_clear;
use super::material::target;
use super::promises::is_same;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy703_paid_too_early.toml");
    Rule::new("QY703", (Severity::Medium, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for node in
        material.story.outline_nodes.iter().filter(|node| !node.pays.is_empty() && is_place_clear(material, node))
    {
        for payment in &node.pays {
            let planting: Vec<&OutlineNode> = material
                .story
                .outline_nodes
                .iter()
                .filter(|other| other.plants.iter().any(|plant| is_same(plant, payment)))
                .collect();
            if !planting.is_empty()
                && planting.iter().all(|other| other.order > node.order && is_place_clear(material, other))
            {
                drafts.push(draft(material, node, payment, planting));
            }
        }
    }
    drafts
}

fn draft(
    material: &RuleMaterial<'_>,
    node: &OutlineNode,
    payment: &str,
    mut planting: Vec<&OutlineNode>,
) -> FindingDraft {
    planting.sort_by_key(|other| (other.order, handle(*other)));
    let mut draft = FindingDraft::about([handle(node), fold(payment)])
        .say("promise", payment.trim())
        .say("node", node.name.trim())
        .say("planted", planting[0].name.trim())
        .affects(node.name.trim())
        .affects(planting[0].name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "pays"), payment.trim());
    for other in &planting {
        draft = draft.quote(anchor(PieceKind::OutlineNode, *other, "plants"), other.plants.join(", "));
    }
    let Some(earlier) = material.reading_order().into_iter().find(|other| other.order < node.order) else {
        let pays: Vec<&String> = node.pays.iter().filter(|other| is_same(other, payment)).collect();
        return draft.fix(
            "later",
            Action::Update,
            PieceKind::OutlineNode,
            target(node, json!({ "remove_pays": pays })),
        );
    };
    let parameters = target(earlier, json!({ "add_plants": [payment.trim()] }));
    draft.fix("plant", Action::Update, PieceKind::OutlineNode, parameters).fix_says("earlier", earlier.name.trim())
}
