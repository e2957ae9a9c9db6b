//! QY907: outline nodes containing each other.

use serde_json::{Value, json};

use super::graph::cycles;
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy907_parent_cycle.toml");
    Rule::new("QY907", (Severity::High, Category::Rationality, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let nodes = &material.story.outline_nodes;
    let parent = |node: &crate::OutlineNode| material.names.resolve(PieceKind::OutlineNode, node.parent.as_deref()?);
    let edges: Vec<Vec<usize>> =
        nodes.iter().map(|node| parent(node).map(|named| named.position).into_iter().collect()).collect();
    let keys: Vec<String> = nodes.iter().map(handle).collect();
    let draft = |cycle: Vec<usize>| {
        let cycle: Vec<_> = cycle.iter().map(|position| &nodes[*position]).collect();
        let mut draft = FindingDraft::about(cycle.iter().map(|node| handle(*node)))
            .list("nodes", cycle.iter().map(|node| node.name.trim().to_owned()))
            .say("node", cycle[0].name.trim());
        for node in &cycle {
            let parent = node.parent.as_deref().unwrap_or_default();
            draft =
                draft.affects(node.name.trim()).quote(anchor(PieceKind::OutlineNode, *node, "parent"), parent.trim());
        }
        draft.fix("clear", Action::Update, PieceKind::OutlineNode, target(cycle[0], json!({ "parent": Value::Null })))
    };
    cycles(&edges, &keys).into_iter().map(draft).collect()
}
