//! QY704: an unpaid promise.

use serde_json::json;

use super::keeping::{is_whole, named, order, promises, told_until};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Promise, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy704_promise_unpaid.toml");
    Rule::new("QY704", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let open = promises(material).filter(|promise| {
        named(&promise.paid).next().is_none() && named(&promise.planted).next().is_some() && is_due(material, promise)
    });
    open.map(|promise| draft(material, promise)).collect()
}

/// Returns whether the book has reached the promise's due node, or its own end.
fn is_due(material: &RuleMaterial<'_>, promise: &Promise) -> bool {
    match promise.due.as_deref().map(str::trim).filter(|due| !due.is_empty()) {
        Some(due) => order(material, due).zip(told_until(material)).is_some_and(|(due, told)| due <= told),
        None => is_whole(material),
    }
}

fn draft(material: &RuleMaterial<'_>, promise: &Promise) -> FindingDraft {
    let due = promise.due.as_deref().map(str::trim).filter(|due| !due.is_empty());
    let last = material.reading_order().last().map(|node| node.name.trim());
    let place = due.or(last).unwrap_or_default();
    let mut draft = FindingDraft::about([handle(promise)])
        .say("promise", promise.name.trim())
        .say("due", place)
        .affects(promise.name.trim())
        .quote(anchor(PieceKind::Promise, promise, "planted"), promise.planted.join(", "));
    if let Some(due) = due {
        draft = draft.quote(anchor(PieceKind::Promise, promise, "due"), due);
    }
    draft.fix("pay", Action::Update, PieceKind::Promise, target(promise, json!({ "add_paid": [place] })))
}
