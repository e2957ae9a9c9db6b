//! QY913: an outline node of which nobody knows what happens.

use serde_json::{Value, json};

use super::chapters::unwritten;
use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity, is_unwritten};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy913_empty_node.toml");
    Rule::new("QY913", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let empty = unwritten(material).filter(|node| !node.name.trim().is_empty() && is_unwritten(&node.description));
    empty.map(draft).collect()
}

fn draft(node: &OutlineNode) -> Draft {
    let open = json!({ "description": Value::Null });
    Draft::about([handle(node)])
        .say("node", node.name.trim())
        .affects(node.name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "description"), node.name.trim())
        .fix("tell", Action::Update, PieceKind::OutlineNode, target(node, open))
}
