//! QY409: two values for a single-valued predicate, or two trades of one person.

use super::claims::{doubt_second, fix_span, value_contradiction};
use super::single_values::clashes;
use super::trades::two_trades;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::ValueKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy409_two_values.toml");
    Rule::new("QY409", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let values = clashes(material, |word| word.value != ValueKind::Number);
    let values = values.into_iter().map(|pair| fix_span(truth, value_contradiction(truth, pair), pair));
    let trades = two_trades(material);
    let trades = trades.into_iter().map(|pair| {
        doubt_second(truth, value_contradiction(truth, pair).with_severity(Severity::Low), "take_out", pair)
    });
    values.chain(trades).collect()
}
