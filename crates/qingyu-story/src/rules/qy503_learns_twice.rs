//! QY503: a character learns known information as news.

use super::minds::{draft, forget_entry, how, is_heard_again};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::truth::{KnowledgeSource, KnownFact};
use crate::{Category, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy503_learns_twice.toml");
    Rule::new("QY503", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for (who, fact, group) in truth.by_knower() {
        let forgets =
            truth.of_role_by(who, PredicateRole::Forgetting).any(|one| one.object.is_none_or(|of| of.index == fact));
        let is_clear = truth.registry.is_clear(who) && truth.of_fact(fact).mode != Mode::Retconned;
        if forgets || !is_clear {
            continue;
        }
        let before = |a: &KnownFact, b: &KnownFact| matches!((a.since, b.since), (Some(a), Some(b)) if truth.timeline.is_before(a, b));
        for second in group.iter().filter(|known| is_news(known) && !is_heard_again(how(truth, known))) {
            let mut firsts: Vec<_> = group.iter().filter(|first| before(first, second)).collect();
            firsts.sort_by_cached_key(|first| first.evidence(truth).quote);
            if let Some(first) = firsts.first() {
                let evidence = first.evidence(truth);
                let draft =
                    draft(truth, second).say("first", evidence.quote.clone()).quote(evidence.anchor, evidence.quote);
                drafts.push(forget_entry(truth, draft, second, "once"));
            }
        }
    }
    drafts
}

/// Returns whether the knowledge is news to the character, not just present.
fn is_news(known: &KnownFact) -> bool {
    !matches!(known.basis, KnowledgeSource::Stated { is_news: false, .. })
}
