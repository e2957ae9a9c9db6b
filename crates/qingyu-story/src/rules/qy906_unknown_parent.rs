//! QY906: an outline node with a missing parent.

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy906_unknown_parent.toml");
    Rule::new("QY906", (Severity::Medium, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let nodes = material.story.outline_nodes.iter();
    let with_parent = nodes.filter_map(|node| Some((node, node.parent.as_deref()?.trim())));
    let orphans =
        with_parent.filter(|(_, parent)| !parent.is_empty() && !material.names.knows(PieceKind::OutlineNode, parent));
    let draft = |(node, parent): (&crate::OutlineNode, &str)| {
        FindingDraft::about([handle(node)])
            .say("node", node.name.trim())
            .say("parent", parent)
            .affects(node.name.trim())
            .quote(anchor(PieceKind::OutlineNode, node, "parent"), parent)
            .fix("clear", Action::Update, PieceKind::OutlineNode, target(node, json!({ "parent": Value::Null })))
    };
    orphans.map(draft).collect()
}
