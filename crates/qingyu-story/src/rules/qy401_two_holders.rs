//! QY401: a thing is held by two at once.

use super::claims::{are_apart, contradiction, contradictions, fix_span, is_member, narrated};
use super::{Draft, Material, Rule};
use crate::predicate::Role;
use crate::truth::Statement;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy401_two_holders.toml");
    Rule::new("QY401", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for (thing, term, group) in truth.by_object() {
        if group.len() < 2 || truth.predicate(term).is_none_or(|word| word.role != Some(Role::Holding)) || !truth.registry.is_clear(thing) {
            continue;
        }
        let held: Vec<_> = narrated(truth, group).into_iter().filter(|one| !one.is_denied()).collect();
        let apart = |a: &Statement<'_>, b: &Statement<'_>| {
            are_apart(material, a.subject, b.subject, false)
                && !is_member(truth, a.subject, b.subject)
                && !is_member(truth, b.subject, a.subject)
        };
        let is_same = |a, b| truth.timeline.is_same(a, b);
        for pair in contradictions(truth, &held, is_same, apart) {
            let draft = contradiction(truth, pair)
                .say("thing", truth.registry.name(thing))
                .say("one", truth.registry.name(pair.0.subject))
                .say("other", truth.registry.name(pair.1.subject));
            drafts.push(fix_span(truth, draft, pair));
        }
    }
    drafts
}
