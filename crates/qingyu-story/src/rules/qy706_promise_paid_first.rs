//! QY706: a promise paid before planting.

use serde_json::json;

use super::keeping::{named, orders, promises};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Promise, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy706_promise_paid_first.toml");
    Rule::new("QY706", (Severity::Medium, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    promises(material).filter_map(|promise| early(material, promise).map(|early| draft(promise, early))).collect()
}

/// Returns the node of the payoff, if planted only later or nowhere.
fn early<'s>(material: &RuleMaterial<'_>, promise: &'s Promise) -> Option<&'s str> {
    let first = named(&promise.paid).next()?;
    if named(&promise.planted).next().is_none() {
        return Some(first);
    }
    let planted = orders(material, &promise.planted)?.into_iter().min()?;
    let paid = named(&promise.paid).map(|name| Some((super::keeping::order(material, name)?, name)));
    let (order, name) = paid.collect::<Option<Vec<_>>>()?.into_iter().min()?;
    (order < planted).then_some(name)
}

fn draft(promise: &Promise, early: &str) -> FindingDraft {
    let draft = FindingDraft::about([handle(promise)])
        .say("promise", promise.name.trim())
        .say("paid", early)
        .affects(promise.name.trim())
        .quote(anchor(PieceKind::Promise, promise, "planted"), promise.planted.join(", "))
        .quote(anchor(PieceKind::Promise, promise, "paid"), promise.paid.join(", "));
    draft.fix("plant", Action::Update, PieceKind::Promise, target(promise, json!({ "add_planted": [early] })))
}
