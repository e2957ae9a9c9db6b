//! QY702: a plant without a payoff.

use serde_json::json;

use super::material::target;
use super::promises::is_same;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::levels;
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy702_planted_unpaid.toml");
    Rule::new("QY702", (Severity::Low, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    // Chapters still to be planned may pay it.
    if levels::is_open(material.story) {
        return Vec::new();
    }
    let nodes = &material.story.outline_nodes;
    let is_paid = |plant: &String| nodes.iter().flat_map(|node| &node.pays).any(|payment| is_same(plant, payment));
    let plants = nodes.iter().flat_map(|node| node.plants.iter().map(move |plant| (node, plant)));
    let unpaid = plants.filter(|(_, plant)| !plant.trim().is_empty() && !is_paid(plant));
    unpaid.map(|(node, plant)| draft(material, node, plant)).collect()
}

fn draft(material: &RuleMaterial<'_>, node: &OutlineNode, plant: &str) -> FindingDraft {
    let draft = FindingDraft::about([handle(node), fold(plant)])
        .say("promise", plant.trim())
        .say("node", node.name.trim())
        .affects(node.name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "plants"), plant.trim());
    let later = material.reading_order().into_iter().rfind(|other| other.order > node.order);
    let Some(later) = later else { return draft };
    let parameters = target(later, json!({ "add_pays": [plant.trim()] }));
    draft.fix("pay", Action::Update, PieceKind::OutlineNode, parameters).fix_says("later", later.name.trim())
}
