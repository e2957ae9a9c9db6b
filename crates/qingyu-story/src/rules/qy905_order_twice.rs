//! QY905: two outline nodes with a duplicate order.

use std::collections::BTreeMap;

use super::ordering::{given, renumber};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy905_order_twice.toml");
    Rule::new("QY905", (Severity::Medium, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let nodes = given(material);
    let mut places: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for node in &nodes {
        places.entry(node.order).or_default().push(*node);
    }
    let shared: Vec<_> = places.into_values().filter(|nodes| nodes.len() > 1).flatten().collect();
    if shared.is_empty() {
        return Vec::new();
    }
    let mut names: Vec<String> = shared.iter().map(|node| node.name.trim().to_owned()).collect();
    names.sort();
    let mut draft = FindingDraft::about(["order"]).list("nodes", names);
    for node in &shared {
        draft = draft.affects(node.name.trim()).quote(
            anchor(PieceKind::OutlineNode, *node, "order"),
            format!("{}: {}", node.name.trim(), if node.order == 0 { handle(*node) } else { node.order.to_string() }),
        );
    }
    vec![renumber(&nodes, draft)]
}
