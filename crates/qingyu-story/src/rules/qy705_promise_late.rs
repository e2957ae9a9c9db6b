//! QY705: a promise paid late.

use serde_json::{Value, json};

use super::keeping::{order, orders, promises};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Promise, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy705_promise_late.toml");
    Rule::new("QY705", (Severity::Medium, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    promises(material).filter(|promise| is_late(material, promise)).map(draft).collect()
}

fn is_late(material: &RuleMaterial<'_>, promise: &Promise) -> bool {
    let due = promise.due.as_deref().and_then(|due| order(material, due));
    let paid = orders(material, &promise.paid).and_then(|paid| paid.into_iter().min());
    due.zip(paid).is_some_and(|(due, paid)| paid > due)
}

fn draft(promise: &Promise) -> FindingDraft {
    let due = promise.due.as_deref().unwrap_or_default().trim();
    FindingDraft::about([handle(promise)])
        .say("promise", promise.name.trim())
        .say("due", due)
        .list("paid", promise.paid.iter().map(|name| name.trim().to_owned()))
        .affects(promise.name.trim())
        .quote(anchor(PieceKind::Promise, promise, "due"), due)
        .quote(anchor(PieceKind::Promise, promise, "paid"), promise.paid.join(", "))
        .fix("defer", Action::Update, PieceKind::Promise, target(promise, json!({ "due": Value::Null })))
}
