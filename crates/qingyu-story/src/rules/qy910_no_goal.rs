//! QY910: an outline node that need not achieve anything.

use serde_json::{Value, json};

use super::chapters::unwritten;
use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity, is_unwritten};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy910_no_goal.toml");
    Rule::new("QY910", (Severity::Low, Category::Completeness, "outline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let aimless = unwritten(material).filter(|node| is_unwritten(&node.goal) && !node.name.trim().is_empty());
    aimless.map(draft).collect()
}

fn draft(node: &OutlineNode) -> Draft {
    Draft::about([handle(node)])
        .say("node", node.name.trim())
        .affects(node.name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "goal"), node.name.trim())
        .fix("state", Action::Update, PieceKind::OutlineNode, target(node, json!({ "goal": Value::Null })))
}
