//! QY908: a cycle of plot causes.

use serde_json::json;

use super::graph::cycles;
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, PlotNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy908_cause_cycle.toml");
    Rule::new("QY908", (Severity::High, Category::Rationality, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let nodes = &material.story.plot_nodes;
    let resolve = |name: &String| material.names.resolve(PieceKind::PlotNode, name).map(|named| named.position);
    let edges: Vec<Vec<usize>> = nodes.iter().map(|node| node.causes.iter().filter_map(resolve).collect()).collect();
    let keys: Vec<String> = nodes.iter().map(handle).collect();
    let draft = |positions: Vec<usize>| {
        let cycle: Vec<&PlotNode> = positions.iter().map(|position| &nodes[*position]).collect();
        let last = cycle[cycle.len() - 1];
        let cut: Vec<&String> = last.causes.iter().filter(|name| resolve(name) == Some(positions[0])).collect();
        let mut draft = FindingDraft::about(cycle.iter().map(|node| handle(*node)))
            .list("nodes", cycle.iter().map(|node| node.title.trim().to_owned()))
            .say("last", last.title.trim())
            .say("first", cycle[0].title.trim());
        for node in &cycle {
            draft = draft
                .affects(node.title.trim())
                .quote(anchor(PieceKind::PlotNode, *node, "causes"), node.causes.join(", "));
        }
        draft.fix("cut", Action::Update, PieceKind::PlotNode, target(last, json!({ "remove_causes": cut })))
    };
    cycles(&edges, &keys).into_iter().map(draft).collect()
}
