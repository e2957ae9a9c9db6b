//! QY401: a thing with two holders at the same time.

use super::claims::{StatementPair, are_apart, contradiction, contradictions, fix_span, is_member, narrated};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::truth::{Entity, StatementBasis, TruthStatement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy401_two_holders.toml");
    Rule::new("QY401", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for (thing, term, group) in truth.by_object() {
        if group.len() < 2
            || truth.predicate(term).is_none_or(|word| word.role != Some(PredicateRole::Holding))
            || !truth.registry.is_clear(thing)
        {
            continue;
        }
        let held: Vec<_> = narrated(truth, group).into_iter().filter(|one| !one.is_denied()).collect();
        let apart = |a: &TruthStatement<'_>, b: &TruthStatement<'_>| {
            are_apart(material, a.subject, b.subject, false)
                && !is_member(truth, a.subject, b.subject)
                && !is_member(truth, b.subject, a.subject)
        };
        let is_same = |a, b| truth.timeline.is_same(a, b);
        let mut pairs = contradictions(truth, &held, is_same, apart);
        if pairs.is_empty() && !changes_hands(material, thing) {
            pairs.extend(begun_alike(material, &held, apart));
        }
        for pair in pairs {
            let draft = contradiction(truth, pair)
                .say("thing", truth.registry.name(thing))
                .say("one", truth.registry.name(pair.0.subject))
                .say("other", truth.registry.name(pair.1.subject));
            drafts.push(fix_span(truth, draft, pair));
        }
    }
    drafts
}

/// Returns whether any statement is about getting, losing or giving away the thing.
fn changes_hands(material: &RuleMaterial<'_>, thing: Entity) -> bool {
    [PredicateRole::Getting, PredicateRole::Parting]
        .into_iter()
        .any(|role| material.truth().of_role(thing, role).next().is_some())
}

/// Returns the first pair of contradictory holding facts without an end, both without a time or both starting on one
/// day.
fn begun_alike<'t, 's>(
    material: &RuleMaterial<'s>,
    held: &[&'t TruthStatement<'s>],
    apart: impl Fn(&TruthStatement<'s>, &TruthStatement<'s>) -> bool,
) -> Option<StatementPair<'t, 's>> {
    let timeline = &material.truth().timeline;
    let is_alike = |a: &TruthStatement<'s>, b: &TruthStatement<'s>| match (a.span.from, b.span.from) {
        (None, None) => true,
        (Some(one), Some(other)) => timeline.is_same_day(one, other),
        _ => false,
    };
    let is_open = |one: &&&TruthStatement<'s>| matches!(one.basis, StatementBasis::Fact(_)) && one.span.until.is_none();
    let open: Vec<_> = held.iter().filter(is_open).copied().collect();
    let second = |place: usize, first: &TruthStatement<'s>| {
        open[place + 1..].iter().copied().find(|second| is_alike(first, second) && apart(first, second))
    };
    open.iter().enumerate().find_map(|(place, first)| Some((*first, second(place, first)?)))
}
