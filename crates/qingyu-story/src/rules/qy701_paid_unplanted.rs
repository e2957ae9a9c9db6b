//! QY701: something is paid that was never planted.

use serde_json::json;

use super::material::{anchor, handle, target};
use super::promises::is_same;
use super::{Draft, Material, Rule};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy701_paid_unplanted.toml");
    Rule::new("QY701", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let nodes = &material.story.outline_nodes;
    let is_planted = |payment: &String| nodes.iter().flat_map(|node| &node.plants).any(|plant| is_same(plant, payment));
    let payments = nodes.iter().flat_map(|node| node.pays.iter().map(move |payment| (node, payment)));
    let unplanted = payments.filter(|(_, payment)| !payment.trim().is_empty() && !is_planted(payment));
    unplanted.map(|(node, payment)| draft(material, node, payment)).collect()
}

fn draft(material: &Material<'_>, node: &OutlineNode, payment: &str) -> Draft {
    let draft = Draft::about([handle(node), fold(payment)])
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
