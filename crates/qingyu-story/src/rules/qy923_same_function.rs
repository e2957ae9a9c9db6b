//! QY923: too many chapters in a row have the same function.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial, ordering};
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::placeholder::is_unwritten;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy923_same_function.toml");
    Rule::new("QY923", (Severity::Low, Category::Quality, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let most = material.sequence_limits().same_function as usize;
    let chapters: Vec<(BTreeSet<String>, &OutlineNode)> =
        ordering::chapters(material).into_iter().map(|node| (functions(&node.function), node)).collect();
    let rows = chapters.chunk_by(|(one, _), (next, _)| !one.is_empty() && one == next);
    rows.filter(|row| row.len() >= most)
        .map(|row| row.iter().map(|(_, node)| *node).collect::<Vec<_>>())
        .map(|row| draft(&row))
        .collect()
}

/// Returns the functions named in the field, without articles and numbers; empty where nothing is said.
fn functions(text: &str) -> BTreeSet<String> {
    if is_unwritten(text) {
        return BTreeSet::new();
    }
    let parts = text.split(['、', '，', ',', '/', '；', ';', '+', '。']).map(|part| {
        let part = part.split(['（', '(']).next().unwrap_or_default().trim();
        let part = fold(part.trim_end_matches(|c: char| c.is_numeric() || c == ' ' || c == '.'));
        let bare = ["a ", "an ", "the ", "another "].iter().find_map(|article| part.strip_prefix(article));
        bare.unwrap_or(&part).trim().to_owned()
    });
    parts.filter(|part| !part.is_empty()).collect()
}

fn draft(row: &[&OutlineNode]) -> FindingDraft {
    let (first, middle, last) = (row[0], row[row.len() / 2], row[row.len() - 1]);
    let quoted =
        |node: &OutlineNode| (anchor(PieceKind::OutlineNode, node, "function"), node.function.trim().to_owned());
    let draft = FindingDraft::about(["function".to_owned(), handle(first)])
        .say("first", first.name.trim())
        .say("last", last.name.trim())
        .say("count", row.len().to_string())
        .say("function", first.function.trim())
        .quotes([quoted(first), quoted(middle), quoted(last)])
        .fix("change", Action::Update, PieceKind::OutlineNode, target(middle, json!({ "function": Value::Null })))
        .fix_says("middle", middle.name.trim());
    row.iter().fold(draft, |draft, node| draft.affects(node.name.trim()))
}
