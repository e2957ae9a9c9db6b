//! QY913: an outline node without content.

use serde_json::{Value, json};

use super::chapters::unwritten;
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::placeholder::is_unwritten;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy913_empty_node.toml");
    Rule::new("QY913", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let empty = unwritten(material).filter(|node| !node.name.trim().is_empty() && is_unwritten(&node.description));
    empty.map(draft).collect()
}

fn draft(node: &OutlineNode) -> FindingDraft {
    let open = json!({ "description": Value::Null });
    FindingDraft::about([handle(node)])
        .say("node", node.name.trim())
        .affects(node.name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "description"), node.name.trim())
        .fix("tell", Action::Update, PieceKind::OutlineNode, target(node, open))
}
