//! QY408: two values for an immutable predicate, or a mark on either side of the body.

use super::body_sides::{lost_limbs_used, two_sides};
use super::claims::{differ, doubt_second, fix_value, narrated, value_contradiction, written};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy408_immutable_changes.toml");
    Rule::new("QY408", (Severity::High, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        let is_immutable = truth.predicate(term).is_some_and(|word| word.immutable && word.single);
        if !is_immutable || group.len() < 2 || !truth.registry.is_clear(subject) {
            continue;
        }
        let statements = narrated(truth, group);
        let Some((first, others)) = statements.split_first() else { continue };
        for other in others.iter().filter(|other| differ(material, first, other)) {
            let pair = (*first, *other);
            drafts.push(fix_value(truth, value_contradiction(truth, pair), pair));
        }
    }
    // Somebody may lose the other eye later.
    let sides = two_sides(truth).into_iter().map(|pair| (pair, value_contradiction(truth, pair)));
    let limbs = lost_limbs_used(truth).into_iter().map(|pair| {
        let loss = written(truth, pair.0);
        (pair, value_contradiction(truth, pair).say("predicate", loss).say("other", truth.quote(pair.1)))
    });
    let doubts = sides.chain(limbs);
    drafts
        .extend(doubts.map(|(pair, draft)| doubt_second(truth, draft.with_severity(Severity::Low), "take_out", pair)));
    drafts
}
