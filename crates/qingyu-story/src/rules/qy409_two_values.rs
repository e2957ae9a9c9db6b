//! QY409: what has one value at a time has two.

use super::claims::{contradiction, fix_span};
use super::single_values::clashes;
use super::{Draft, Material, Rule};
use crate::predicate::ValueKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy409_two_values.toml");
    Rule::new("QY409", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let truth = material.truth();
    let draft = |pair| {
        let (first, second): super::claims::Pair<'_, '_> = pair;
        let draft =
            contradiction(truth, pair).say("one", first.shown(truth)).say("other", second.shown(truth));
        fix_span(truth, draft, pair)
    };
    clashes(material, |word| word.value != ValueKind::Number).into_iter().map(draft).collect()
}
