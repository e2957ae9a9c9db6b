//! QY912: places left out in the order of the outline.

use super::material::{anchor, handle};
use super::ordering::{given, renumber};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy912_order_gap.toml");
    Rule::new("QY912", (Severity::Low, Category::Consistency, "outline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let nodes = given(material);
    let mut orders: Vec<u32> = nodes.iter().map(|node| node.order).collect();
    orders.sort_unstable();
    let has_gap = orders.iter().zip(1..).any(|(order, place)| *order != place);
    // With a place taken twice, QY905 has all numbered anew.
    if !has_gap || orders.windows(2).any(|pair| pair[0] == pair[1]) {
        return Vec::new();
    }
    let mut draft = Draft::about(["gap"]).list("orders", orders.iter().map(u32::to_string));
    for (node, _) in nodes.iter().zip(1..).filter(|(node, place)| node.order != *place) {
        draft = draft
            .affects(node.name.trim())
            .quote(anchor(PieceKind::OutlineNode, *node, "order"), format!("{}: {}", handle(*node), node.order));
    }
    vec![renumber(&nodes, draft)]
}
