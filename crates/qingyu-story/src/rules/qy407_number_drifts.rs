//! QY407: a number is told in two ways.

use super::claims::{contradiction, fix_value};
use super::single_values::clashes;
use super::{Draft, Material, Rule};
use crate::predicate::ValueKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy407_number_drifts.toml");
    Rule::new("QY407", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let truth = material.truth();
    let draft = |pair| {
        let (first, second): super::claims::Pair<'_, '_> = pair;
        let draft =
            contradiction(truth, pair).say("one", first.shown(truth)).say("other", second.shown(truth));
        fix_value(truth, draft, pair)
    };
    clashes(material, |word| word.value == ValueKind::Number).into_iter().map(draft).collect()
}
