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
        if pairs.is_empty() {
            let changes = hand_overs(material, thing);
            pairs.extend(begun_alike(material, &held, &changes, apart));
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

/// A statement about getting, losing or giving away the thing.
struct HandOver {
    /// Who gets it; `None` for losing and giving away.
    to: Option<Entity>,
    /// Who no longer has it, if somebody is named.
    from: Option<Entity>,
    told: ToldPlace,
}

/// The chapter of a statement in reading order, and the first character of its sentence; `None` if unknown.
type ToldPlace = (Option<u32>, Option<u32>);

/// Returns all statements about getting, losing or giving away the thing.
fn hand_overs(material: &RuleMaterial<'_>, thing: Entity) -> Vec<HandOver> {
    let truth = material.truth();
    let who = |one: &TruthStatement<'_>| Some(one.subject).filter(|who| *who != thing);
    let gets = truth.of_role(thing, PredicateRole::Getting);
    let gets = gets.map(|one| HandOver { to: who(one), from: None, told: told_place(material, one) });
    let parts = truth.of_role(thing, PredicateRole::Parting);
    let parts = parts.map(|one| HandOver { to: None, from: who(one), told: told_place(material, one) });
    gets.chain(parts).collect()
}

fn told_place<'s>(material: &RuleMaterial<'s>, one: &TruthStatement<'s>) -> ToldPlace {
    let source = material.truth().asserting(one).and_then(|fact| fact.source.as_ref());
    (one.order, source.and_then(|source| source.start))
}

impl HandOver {
    /// Returns whether the thing may have gone from one holder to the other by it.
    ///
    /// Of two holders on one day, or of one chapter, it must be told from the one to the other; of others, a hand-over
    /// anywhere is enough. A hand-over told at an unknown place explains all.
    fn may_explain<'s>(&self, material: &RuleMaterial<'s>, a: &TruthStatement<'s>, b: &TruthStatement<'s>) -> bool {
        let (at_a, at_b) = (told_place(material, a), told_place(material, b));
        let (Some(chapter_a), Some(chapter_b), Some(chapter)) = (at_a.0, at_b.0, self.told.0) else { return true };
        let is_dated = a.span.from.is_some() && b.span.from.is_some();
        if chapter_a != chapter_b && !is_dated {
            return true;
        }
        if !(chapter_a.min(chapter_b)..=chapter_a.max(chapter_b)).contains(&chapter) {
            return false;
        }
        if chapter_a == chapter_b && (at_a.1.is_none() || at_b.1.is_none()) {
            return true;
        }
        // Who had it first got it before, and who has it last parts with it later.
        let (first, last) = if at_a <= at_b { (a, b) } else { (b, a) };
        let is_of_first = self.to.is_some_and(|to| to == first.subject);
        let is_of_last = self.from.is_some_and(|from| from == last.subject);
        !is_of_first && !is_of_last
    }
}

/// Returns the first pair of contradictory holding facts without an end, both without a time or both starting on one
/// day, that none of `changes` explains.
fn begun_alike<'t, 's>(
    material: &RuleMaterial<'s>,
    held: &[&'t TruthStatement<'s>],
    changes: &[HandOver],
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
        let is_explained =
            |second: &TruthStatement<'s>| changes.iter().any(|change| change.may_explain(material, first, second));
        let mut others = open[place + 1..].iter().copied();
        others.find(|second| is_alike(first, second) && apart(first, second) && !is_explained(second))
    };
    open.iter().enumerate().find_map(|(place, first)| Some((*first, second(place, first)?)))
}
