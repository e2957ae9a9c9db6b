//! QY701: a payoff without a plant.

use serde_json::json;

use super::material::target;
use super::promises::is_same;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy701_paid_unplanted.toml");
    Rule::new("QY701", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let nodes = &material.story.outline_nodes;
    // The text of a chapter may plant what the outline does not.
    let told = material.story.promises.iter().filter(|promise| !promise.planted.is_empty());
    let told: Vec<&String> = told.map(|promise| &promise.name).collect();
    let is_planted = |payment: &String| {
        let planted = nodes.iter().flat_map(|node| &node.plants);
        planted.chain(told.iter().copied()).any(|plant| is_same(plant, payment))
    };
    let payments = nodes.iter().flat_map(|node| node.pays.iter().map(move |payment| (node, payment)));
    let unplanted = payments.filter(|(_, payment)| !payment.trim().is_empty() && !is_planted(payment));
    unplanted.map(|(node, payment)| draft(material, node, payment)).collect()
}

fn draft(material: &RuleMaterial<'_>, node: &OutlineNode, payment: &str) -> FindingDraft {
    let draft = FindingDraft::about([handle(node), fold(payment)])
        .say("promise", payment.trim())
        .say("node", node.name.trim())
        .affects(node.name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "pays"), payment.trim());
    let Some(earlier) = material.reading_order().into_iter().find(|other| other.order < node.order) else {
        return draft;
    };
    let parameters = target(earlier, json!({ "add_plants": [payment.trim()] }));
    draft.fix("plant", Action::Update, PieceKind::OutlineNode, parameters).fix_says("earlier", earlier.name.trim())
}
