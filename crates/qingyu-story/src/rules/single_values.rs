//! Single-valued predicates.

use super::RuleMaterial;
use super::claims::{StatementPair, contradictions, differ, narrated};
use crate::piece::PieceKind;
use crate::predicate::{Predicate, PredicateRole};
use crate::truth::{StatementBasis, TruthStatement};

/// Returns the pairs of narrated statements with two values of such a predicate at one moment.
///
/// A steady predicate without a time applies to the whole story. Locations of things and conflicts between two events
/// are left to other rules.
pub(super) fn clashes<'t, 's>(
    material: &'t RuleMaterial<'s>,
    is_meant: impl Fn(&Predicate) -> bool,
) -> Vec<StatementPair<'t, 's>> {
    let truth = material.truth();
    let mut pairs = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        let Some(word) = truth.predicate(term).filter(|word| word.single && !word.immutable && is_meant(word)) else {
            continue;
        };
        let is_thing_somewhere = word.role == Some(PredicateRole::Place) && subject.kind == Some(PieceKind::Item);
        if group.len() < 2 || is_thing_somewhere || !truth.registry.is_clear(subject) {
            continue;
        }
        let statements = narrated(truth, group);
        let is_same = |a, b| match word.steady {
            true => truth.timeline.is_same_day(a, b),
            false => truth.timeline.is_same(a, b),
        };
        let apart = |a: &TruthStatement<'s>, b: &TruthStatement<'s>| {
            let of_events = matches!((a.basis, b.basis), (StatementBasis::Event(..), StatementBasis::Event(..)));
            a.object_of_count() == b.object_of_count() && !of_events && differ(material, a, b)
        };
        pairs.extend(contradictions(truth, &statements, is_same, apart));
        if word.steady || is_one_number(material, &statements) {
            let mut timeless =
                statements.iter().filter(|one| one.span.is_open() && matches!(one.basis, StatementBasis::Fact(_)));
            if let Some(first) = timeless.next() {
                pairs.extend(timeless.filter(|other| apart(first, other)).map(|other| (*first, *other)));
            }
        }
        if LASTING.contains(&word.name.as_str()) {
            pairs.extend(drifts(material, &statements));
        }
    }
    pairs
}

/// Measures constant within a year, unless a statement has an end.
const LASTING: [&str; 7] = ["height", "length", "width", "depth", "capacity", "siblings", "children"];

/// Returns whether a count has no time and no stated change, so the count applies to the whole story.
fn is_one_number(material: &RuleMaterial<'_>, statements: &[&TruthStatement<'_>]) -> bool {
    let truth = material.truth();
    let is_counted = |one: &&TruthStatement<'_>| {
        let role = truth.predicate(one.predicate).and_then(|word| word.role);
        one.number().is_some() && role != Some(PredicateRole::Age)
    };
    let is_timeless = |one: &&TruthStatement<'_>| one.span.is_open();
    let changes = |one: &&TruthStatement<'_>| {
        [PredicateRole::Gain, PredicateRole::Spending]
            .into_iter()
            .any(|role| truth.of_role_by(one.subject, role).next().is_some())
    };
    statements.iter().all(|one| is_counted(one) && is_timeless(one) && !changes(one))
}

/// Returns the pairs of different measures starting within a year of each other, if the first has no end.
fn drifts<'t, 's>(material: &RuleMaterial<'s>, statements: &[&'t TruthStatement<'s>]) -> Vec<StatementPair<'t, 's>> {
    const YEAR: i64 = 366 * 86_400;
    const GROWN: i32 = 20;
    let truth = material.truth();
    let begins = |one: &TruthStatement<'s>| truth.timeline.moment(one.span.from?);
    let may_change = |one: &TruthStatement<'s>| {
        let grows = one.subject.kind == Some(PieceKind::Character)
            && material.story.characters[one.subject.index].age.is_some_and(|age| age < GROWN);
        let is_rebuilt = [PredicateRole::Destruction, PredicateRole::Repair]
            .into_iter()
            .any(|role| truth.of_role(one.subject, role).next().is_some());
        grows || is_rebuilt
    };
    let is_drift = |first: &TruthStatement<'s>, second: &TruthStatement<'s>| {
        let (Some(early), Some(late)) = (begins(first), begins(second)) else { return false };
        let (from, until) = (early.bounds().0.min(late.bounds().0), early.bounds().1.max(late.bounds().1));
        let earlier =
            if truth.timeline.is_before(first.span.from.expect("it begins"), second.span.from.expect("it begins")) {
                first
            } else {
                second
            };
        let is_open = earlier.span.until.is_none() || earlier.span.is_moment();
        early.is_comparable(late) && until - from <= YEAR && is_open && differ(material, first, second)
    };
    let mut pairs = Vec::new();
    for (place, second) in statements.iter().enumerate().filter(|(_, one)| !may_change(one)) {
        let first = statements[..place].iter().find(|first| {
            first.object_of_count() == second.object_of_count()
                && first.span.from != second.span.from
                && is_drift(first, second)
        });
        pairs.extend(first.map(|first| (*first, *second)));
    }
    pairs
}
