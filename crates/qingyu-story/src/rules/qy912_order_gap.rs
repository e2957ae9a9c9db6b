//! QY912: a gap in the order of the outline.

use super::ordering::{given, renumber};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy912_order_gap.toml");
    Rule::new("QY912", (Severity::Low, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let nodes = given(material);
    let mut orders: Vec<u32> = nodes.iter().map(|node| node.order).collect();
    orders.sort_unstable();
    // In a book planned as it is written, the orders of chapters still to come are kept free.
    if nodes.iter().any(|node| node.kind.is_group() && node.chapters.is_some()) {
        return Vec::new();
    }
    let has_gap = orders.iter().zip(1..).any(|(order, place)| *order != place);
    // On a duplicate order, QY905 renumbers all nodes.
    if !has_gap || orders.windows(2).any(|pair| pair[0] == pair[1]) {
        return Vec::new();
    }
    let mut draft = FindingDraft::about(["gap"]).list("orders", orders.iter().map(u32::to_string));
    for (node, _) in nodes.iter().zip(1..).filter(|(node, place)| node.order != *place) {
        draft = draft
            .affects(node.name.trim())
            .quote(anchor(PieceKind::OutlineNode, *node, "order"), format!("{}: {}", handle(*node), node.order));
    }
    vec![renumber(&nodes, draft)]
}
