//! QY407: two values for one number.

use super::claims::{contradiction, fix_value};
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
    let draft = |pair| {
        let (first, second): super::claims::StatementPair<'_, '_> = pair;
        let draft = contradiction(truth, pair).say("one", first.shown(truth)).say("other", second.shown(truth));
        fix_value(truth, draft, pair)
    };
    let numbers = clashes(material, |word| word.value == ValueKind::Number);
    numbers.into_iter().chain(measures::drifts(material)).map(draft).collect()
}
