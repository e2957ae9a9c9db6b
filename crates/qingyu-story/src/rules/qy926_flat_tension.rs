//! QY926: the tension stays flat over many chapters.

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial, ordering};
use crate::genre::sequence::SequenceLimits;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy926_flat_tension.toml");
    Rule::new("QY926", (Severity::Low, Category::Quality, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let most = material.sequence_limits().flat_tension as usize;
    let chapters: Vec<(Option<u8>, &OutlineNode)> =
        ordering::chapters(material).into_iter().map(|node| (node.tension, node)).collect();
    let (mut drafts, mut first) = (Vec::new(), 0);
    let tensions: Vec<Option<u8>> = chapters.iter().map(|(tension, _)| *tension).collect();
    while first < chapters.len() {
        let row = &chapters[first..first + SequenceLimits::flat_row(&tensions[first..])];
        if row.len() >= most {
            drafts.push(draft(row));
        }
        first += if row.len() >= most { row.len() } else { 1 };
    }
    drafts
}

fn draft(row: &[(Option<u8>, &OutlineNode)]) -> FindingDraft {
    let nodes: Vec<&OutlineNode> = row.iter().map(|(_, node)| *node).collect();
    let (first, middle, last) = (nodes[0], nodes[nodes.len() / 2], nodes[nodes.len() - 1]);
    let told = |node: &OutlineNode| node.tension.unwrap_or_default().to_string();
    let quoted = |node: &OutlineNode| (anchor(PieceKind::OutlineNode, node, "tension"), told(node));
    let draft = FindingDraft::about(["tension".to_owned(), handle(first)])
        .say("first", first.name.trim())
        .say("last", last.name.trim())
        .say("count", nodes.len().to_string())
        .say("tension", told(first))
        .quotes([quoted(first), quoted(middle), quoted(last)])
        .fix("change", Action::Update, PieceKind::OutlineNode, target(middle, json!({ "tension": Value::Null })))
        .fix_says("middle", middle.name.trim());
    nodes.iter().fold(draft, |draft, node| draft.affects(node.name.trim()))
}
