//! QY804: a demand of a world rule is not met.

use serde_json::json;

use super::claims::fix_fact;
use super::clauses::readings;
use super::qy801_forbidden_fact::breach;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy804_demand_unmet.toml");
    Rule::new("QY804", (Severity::Medium, Category::Consistency, "worldview"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for reading in readings(truth, |rule| rule.demands.as_ref()) {
        for statement in reading.met(truth).into_iter().filter(|one| one.is_denied()) {
            let draft = breach(truth, &reading, statement);
            drafts.push(fix_fact(draft, "keep", truth.asserting(statement), json!({ "value": true })));
        }
    }
    drafts
}
