//! QY921: two chapters of the outline are planned in almost the same words.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::material::target;
use super::qy916_repeated_scene::{share, word_pairs};
use super::{FindingDraft, Rule, RuleMaterial, ordering};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::placeholder::without_placeholders;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy921_planned_twice.toml");
    Rule::new("QY921", (Severity::Low, Category::Quality, "outline"), texts, run)
}

/// The minimum share of common pairs of words for equal plans.
const SHARED: f64 = 0.8;
/// The minimum number of pairs of words of a plan.
const LEAST_PAIRS: usize = 10;
/// The number of preceding chapters that a similar plan is looked for in; equal plans are found anywhere.
const NEAR: usize = 20;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let plans: Vec<(&OutlineNode, BTreeSet<String>)> = ordering::chapters(material)
        .into_iter()
        .map(|node| (node, word_pairs(&without_placeholders(&node.description))))
        .filter(|(_, pairs)| pairs.len() >= LEAST_PAIRS)
        .collect();
    let mut first: BTreeMap<&BTreeSet<String>, usize> = BTreeMap::new();
    let mut drafts = Vec::new();
    for (at, (node, pairs)) in plans.iter().enumerate() {
        let equal = first.get(pairs).copied();
        let near = || (at.saturating_sub(NEAR)..at).find(|other| share(&plans[*other].1, pairs) >= SHARED);
        if let Some(other) = equal.or_else(near) {
            drafts.push(draft(plans[other].0, node));
        }
        first.entry(pairs).or_insert(at);
    }
    drafts
}

fn draft(first: &OutlineNode, second: &OutlineNode) -> FindingDraft {
    FindingDraft::about([handle(first), handle(second)])
        .say("first", first.name.trim())
        .say("second", second.name.trim())
        .affects(first.name.trim())
        .affects(second.name.trim())
        .quote(anchor(PieceKind::OutlineNode, first, "description"), first.description.trim())
        .quote(anchor(PieceKind::OutlineNode, second, "description"), second.description.trim())
        .fix("plan", Action::Update, PieceKind::OutlineNode, target(second, json!({ "description": Value::Null })))
}
