//! QY922: many planned chapters in a row keep no promise.

use super::{FindingDraft, Rule, RuleMaterial, ordering};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity};

use serde_json::{Value, json};

use super::material::target;

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy922_no_payoff.toml");
    Rule::new("QY922", (Severity::Low, Category::Quality, "outline"), texts, run)
}

/// The number of chapters without a kept promise that is reported in a book without a known genre.
const USUAL: usize = 16;
/// The limit as a multiple of what readers of the genre expect.
const PATIENCE: usize = 2;
/// The minimum number of chapters that keep a promise, below which the outline does not record promises.
const RECORDED: usize = 3;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let chapters = ordering::chapters(material);
    let keeps = |node: &OutlineNode| node.pays.iter().any(|promise| !promise.trim().is_empty());
    if chapters.iter().filter(|node| keeps(node)).count() < RECORDED {
        return Vec::new();
    }
    let genres = material.genres();
    let expected = genres.iter().map(|genre| genre.payoff_every as usize * PATIENCE).min();
    let most = expected.unwrap_or(USUAL);
    let mut drafts = Vec::new();
    let mut empty: Vec<&OutlineNode> = Vec::new();
    // What follows the last kept promise may not be planned to its end yet.
    for node in chapters {
        if !keeps(node) {
            empty.push(node);
            continue;
        }
        if empty.len() > most {
            drafts.push(draft(&empty, most));
        }
        empty.clear();
    }
    drafts
}

fn draft(empty: &[&OutlineNode], most: usize) -> FindingDraft {
    let (first, last) = (empty[0], empty[empty.len() - 1]);
    let middle = empty[empty.len() / 2];
    FindingDraft::about([handle(first), handle(last)])
        .say("first", first.name.trim())
        .say("last", last.name.trim())
        .say("count", empty.len().to_string())
        .say("most", most.to_string())
        .affects(first.name.trim())
        .affects(last.name.trim())
        .quote(anchor(PieceKind::OutlineNode, first, "pays"), first.name.trim())
        .quote(anchor(PieceKind::OutlineNode, last, "pays"), last.name.trim())
        .fix("pay", Action::Update, PieceKind::OutlineNode, target(middle, json!({ "pays": Value::Null })))
        .fix_says("middle", middle.name.trim())
}
