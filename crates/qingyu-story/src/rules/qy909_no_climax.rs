//! QY909: a plot without a climax or a resolution.

use serde_json::json;

use super::kinds::{kind_name, kind_shown};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::levels;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, PlotKind, PlotNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy909_no_climax.toml");
    Rule::new("QY909", (Severity::Medium, Category::Completeness, "plot"), texts, run)
}

/// The minimum number of nodes; a shorter plot is unfinished.
const FEWEST: usize = 3;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let nodes = &material.story.plot_nodes;
    if nodes.len() < FEWEST || levels::is_open(material.story) {
        return Vec::new();
    }
    let lacks = |kind: PlotKind| nodes.iter().all(|node| node.kind != kind);
    let mut open = in_order(material);
    open.retain(|node| !matches!(node.kind, PlotKind::Climax | PlotKind::Resolution));
    let mut drafts = Vec::new();
    for kind in [PlotKind::Resolution, PlotKind::Climax].into_iter().filter(|kind| lacks(*kind)) {
        let mut draft = FindingDraft::about([kind_name(kind)])
            .say("kind", kind_shown(kind, material.story.language))
            .say("count", nodes.len().to_string());
        for node in nodes {
            draft = draft
                .affects(node.title.trim())
                .quote(anchor(PieceKind::PlotNode, node, "kind"), kind_shown(node.kind, material.story.language));
        }
        // The last open node becomes the resolution, the previous open node the climax.
        if let Some(node) = open.pop() {
            let parameters = target(node, json!({ "type": kind }));
            draft =
                draft.fix("raise", Action::Update, PieceKind::PlotNode, parameters).fix_says("node", node.title.trim());
        }
        drafts.push(draft);
    }
    drafts
}

/// Returns the plot nodes in the order of their outline nodes.
fn in_order<'s>(material: &RuleMaterial<'s>) -> Vec<&'s PlotNode> {
    let order = |node: &PlotNode| {
        node.outline_node.as_deref().and_then(|name| material.outline_node(name)).map(|node| node.order)
    };
    let mut nodes: Vec<&PlotNode> =
        material.story.plot_nodes.iter().filter(|node| !node.title.trim().is_empty()).collect();
    nodes.sort_by_key(|node| (order(node).unwrap_or_default(), handle(*node), node.description.clone()));
    nodes
}
