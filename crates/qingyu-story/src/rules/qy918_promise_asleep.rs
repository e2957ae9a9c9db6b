//! QY918: a promise not mentioned for too long.

use serde_json::json;

use super::keeping::{order, promises};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Promise, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy918_promise_asleep.toml");
    Rule::new("QY918", (Severity::Low, Category::Quality, "outline"), texts, run)
}

/// The maximum number of chapters between two mentions of a promise.
const LONGEST: usize = 12;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let chapters = material.reading_order();
    promises(material).filter_map(|promise| draft(material, &chapters, promise)).collect()
}

fn draft(material: &RuleMaterial<'_>, chapters: &[&OutlineNode], promise: &Promise) -> Option<FindingDraft> {
    let places = promise.planted.iter().chain(&promise.advanced).chain(&promise.paid);
    let orders = places.filter(|name| !name.trim().is_empty()).map(|name| order(material, name));
    let mut orders = orders.collect::<Option<Vec<u32>>>()?;
    orders.sort_unstable();
    let between = |pair: &[u32]| -> Vec<&OutlineNode> {
        chapters.iter().copied().filter(|node| pair[0] < node.order && node.order < pair[1]).collect()
    };
    let asleep = orders.windows(2).map(between).find(|asleep| asleep.len() > LONGEST)?;
    let middle = asleep[asleep.len() / 2];
    let (first, last) = (asleep[0], asleep[asleep.len() - 1]);
    Some(
        FindingDraft::about([handle(promise)])
            .say("promise", promise.name.trim())
            .say("count", asleep.len().to_string())
            .say("first", first.name.trim())
            .say("last", last.name.trim())
            .say("middle", middle.name.trim())
            .affects(promise.name.trim())
            .quote(anchor(PieceKind::Promise, promise, "planted"), promise.planted.join(", "))
            .quote(anchor(PieceKind::Promise, promise, "paid"), promise.paid.join(", "))
            .fix(
                "remind",
                Action::Update,
                PieceKind::Promise,
                target(promise, json!({ "add_advanced": [handle(middle)] })),
            ),
    )
}
