//! QY406: an amount not equal to the previous amount plus gains minus expenses.

use serde_json::json;

use super::claims::{contradiction, fix_fact};
use super::counting::{accounts, in_unit_of, is_off};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy406_sum_is_wrong.toml");
    Rule::new("QY406", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for account in accounts(material) {
        let mut known = None;
        let mut changes = Vec::new();
        for (role, number, statement) in account.entries {
            if role != PredicateRole::Amount {
                changes.push((role, number, statement));
                continue;
            }
            if let Some((before, last)) = known {
                let signed = |(role, number, _): &(PredicateRole, f64, _)| {
                    if *role == PredicateRole::Gain { *number } else { -*number }
                };
                let sum: f64 = before + changes.iter().map(signed).sum::<f64>();
                if !changes.is_empty() && sum >= 0.0 && is_off(sum, number) {
                    let evidence = changes.iter().map(|(_, _, change)| change.evidence(truth));
                    let draft = contradiction(truth, (last, statement))
                        .say("sum", in_unit_of(statement, sum).to_string())
                        .say("said", statement.shown(truth))
                        .list("changes", changes.iter().map(|(_, _, change)| change.evidence(truth).quote))
                        .quotes(evidence.map(|evidence| (evidence.anchor, evidence.quote)));
                    let value = json!({ "value": in_unit_of(statement, sum) });
                    drafts.push(fix_fact(draft, "sum", truth.asserting(statement), value));
                }
            }
            known = Some((number, statement));
            changes.clear();
        }
    }
    drafts
}
