//! QY502: a character knows something before it is so.

use serde_json::json;

use super::minds::{clear, draft, fix_entry, how, is_foreseen};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy502_knows_before_it_is_so.toml");
    Rule::new("QY502", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for known in clear(material) {
        let fact = truth.of_fact(known.fact);
        let (Some(since), Some(from)) = (known.since, fact.span.from) else { continue };
        let is_own = known.who == fact.subject || fact.by == Some(known.who);
        let is_early = fact.is_narrated() && truth.timeline.is_before(since, from);
        if !is_early || is_own || is_foreseen(how(truth, known)) || is_planned(material, known.fact) {
            continue;
        }
        let from = truth.story.facts[known.fact].from.trim();
        let draft = draft(truth, known).say("from", from);
        let late = |knower: &mut crate::Knower| from.clone_into(&mut knower.since);
        drafts.push(fix_entry(truth, draft, known, "since", late, json!({ "from": from })));
    }
    drafts
}

/// Returns whether the same statement is also told as a plan, dream, belief or prophecy, or the fact is itself about
/// knowing.
fn is_planned(material: &RuleMaterial<'_>, position: usize) -> bool {
    let truth = material.truth();
    let fact = truth.of_fact(position);
    let is_of_minds = truth.predicate(fact.predicate).is_some_and(|word| {
        matches!(
            word.role,
            Some(
                PredicateRole::Knowing
                    | PredicateRole::Learning
                    | PredicateRole::Speaking
                    | PredicateRole::Forgetting
                    | PredicateRole::Denial
            )
        )
    });
    let told_otherwise = truth
        .about(fact.subject, fact.predicate)
        .any(|other| !other.is_narrated() && (other.object == fact.object || other.object.is_none()));
    is_of_minds || told_otherwise
}
