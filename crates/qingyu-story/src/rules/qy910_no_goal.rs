//! QY910: an outline node without a goal.

use serde_json::{Value, json};

use super::chapters::unwritten;
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::placeholder::is_unwritten;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy910_no_goal.toml");
    Rule::new("QY910", (Severity::Low, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let aimless = unwritten(material).filter(|node| is_unwritten(&node.goal) && !node.name.trim().is_empty());
    aimless.map(draft).collect()
}

fn draft(node: &OutlineNode) -> FindingDraft {
    FindingDraft::about([handle(node)])
        .say("node", node.name.trim())
        .affects(node.name.trim())
        .quote(anchor(PieceKind::OutlineNode, node, "goal"), node.name.trim())
        .fix("state", Action::Update, PieceKind::OutlineNode, target(node, json!({ "goal": Value::Null })))
}
