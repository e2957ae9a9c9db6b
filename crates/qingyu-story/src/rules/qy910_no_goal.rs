//! QY910: an outline node that need not achieve anything.

use serde_json::{Value, json};

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNodeKind, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy910_no_goal.toml");
    Rule::new("QY910", (Severity::Low, Category::Completeness, "outline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let nodes = material.story.outline_nodes.iter();
    let aimless = nodes.filter(|node| {
        node.kind != OutlineNodeKind::Act && node.goal.trim().is_empty() && !node.name.trim().is_empty()
    });
    let draft = |node: &crate::OutlineNode| {
        Draft::about([handle(node)])
            .say("node", node.name.trim())
            .affects(node.name.trim())
            .quote(anchor(PieceKind::OutlineNode, node, "goal"), node.name.trim())
            .fix("state", Action::Update, PieceKind::OutlineNode, target(node, json!({ "goal": Value::Null })))
    };
    aimless.map(draft).collect()
}
