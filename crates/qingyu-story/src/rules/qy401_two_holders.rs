//! QY401: a thing is held by two at once.

use super::claims::{Pair, are_apart, contradiction, contradictions, fix_span, is_member, narrated};
use super::{Draft, Material, Rule};
use crate::predicate::Role;
use crate::truth::{Basis, Entity, Statement};
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

/// Whether anything is said of getting, losing or giving away the thing.
fn changes_hands(material: &Material<'_>, thing: Entity) -> bool {
    [Role::Getting, Role::Parting].into_iter().any(|role| material.truth().of_role(thing, role).next().is_some())
}

/// Two facts of holding that both say no time, or both begin on one day, and neither when it ends.
fn begun_alike<'t, 's>(
    material: &Material<'s>,
    held: &[&'t Statement<'s>],
    apart: impl Fn(&Statement<'s>, &Statement<'s>) -> bool,
) -> Option<Pair<'t, 's>> {
    let timeline = &material.truth().timeline;
    let is_alike = |a: &Statement<'s>, b: &Statement<'s>| match (a.span.from, b.span.from) {
        (None, None) => true,
        (Some(one), Some(other)) => timeline.is_same_day(one, other),
        _ => false,
    };
    let is_open = |one: &&&Statement<'s>| matches!(one.basis, Basis::Fact(_)) && one.span.until.is_none();
    let open: Vec<_> = held.iter().filter(is_open).copied().collect();
    let second = |place: usize, first: &Statement<'s>| {
        open[place + 1..].iter().copied().find(|second| is_alike(first, second) && apart(first, second))
    };
    open.iter().enumerate().find_map(|(place, first)| Some((*first, second(place, first)?)))
}
