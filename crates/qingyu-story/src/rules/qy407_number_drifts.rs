//! QY407: two values for one number.

use super::claims::{fix_value, value_contradiction};
use super::single_values::clashes;
use super::{FindingDraft, Rule, RuleMaterial, measures};
use crate::predicate::ValueKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy407_number_drifts.toml");
    Rule::new("QY407", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let numbers = clashes(material, |word| word.value == ValueKind::Number);
    let pairs = numbers.into_iter().chain(measures::drifts(material));
    pairs.map(|pair| fix_value(truth, value_contradiction(truth, pair), pair)).collect()
}
