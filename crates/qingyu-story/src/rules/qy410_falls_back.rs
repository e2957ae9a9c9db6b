//! QY410: a character stands lower on a ladder than before, and no fall is told.

use std::cmp::Ordering;

use serde_json::json;

use super::claims::contradiction;
use super::climbing::{Rung, beginning, climbs, may_explain, shown};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy410_falls_back.toml");
    Rule::new("QY410", (Severity::High, Category::Consistency, "plot"), texts, run)
}

/// Roles of the facts that explain a lower place: a fall, a seal, a death with a new life.
const REASONS: [PredicateRole; 4] =
    [PredicateRole::Fall, PredicateRole::Seal, PredicateRole::Death, PredicateRole::Revival];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for climb in climbs(material) {
        for pair in climb.rungs.windows(2) {
            let [before, after]: [Rung<'_, '_>; 2] = [pair[0], pair[1]];
            let falls = after.standing.compare(&before.standing) == Some(Ordering::Less);
            let both = (before.statement, after.statement);
            if !falls || may_explain(truth, climb.subject, &REASONS, both) {
                continue;
            }
            let name = truth.registry.name(climb.subject);
            let fall = json!({
                "subject": name, "predicate": "falls_to", "value": shown(truth, after),
                "from": beginning(truth, after.statement),
            });
            let draft = contradiction(truth, both)
                .say("ladder", climb.ladder.name.trim())
                .say("before", shown(truth, before))
                .say("after", shown(truth, after));
            drafts.push(draft.fix("fall", Action::Create, PieceKind::Fact, fall));
        }
    }
    drafts
}
