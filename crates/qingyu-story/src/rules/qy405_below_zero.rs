//! QY405: more spent than available.

use serde_json::json;

use super::claims::{contradiction, fix_fact, written};
use super::counting::{accounts, in_unit_of, is_off};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy405_below_zero.toml");
    Rule::new("QY405", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for account in accounts(material) {
        let mut left = None;
        for (role, number, statement) in account.entries {
            match (role, left) {
                (PredicateRole::Amount, _) => left = Some((number, statement)),
                (PredicateRole::Gain, Some((before, last))) => left = Some((before + number, last)),
                (PredicateRole::Spending, Some((before, last))) if number > before && is_off(number, before) => {
                    let draft = contradiction(truth, (last, statement))
                        .say("word", written(truth, statement))
                        .say("spent", statement.shown(truth))
                        .say("left", in_unit_of(statement, before).to_string());
                    let rest = json!({ "value": in_unit_of(statement, before.max(0.0)) });
                    drafts.push(fix_fact(draft, "less", truth.asserting(statement), rest));
                    left = None;
                }
                (PredicateRole::Spending, Some((before, last))) => left = Some((before - number, last)),
                _ => {}
            }
        }
    }
    drafts
}
