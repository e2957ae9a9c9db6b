//! Words that have one value at a time.

use super::Material;
use super::claims::{Pair, contradictions, differ, narrated};
use crate::piece::PieceKind;
use crate::predicate::{Predicate, Role};
use crate::truth::{Basis, Statement};

/// The pairs of narrated statements that give such a word two values at one moment.
///
/// A steady word without any time is meant for the whole story. Where things are is left to another rule, and so is
/// what two events say.
pub(super) fn clashes<'t, 's>(material: &'t Material<'s>, is_meant: impl Fn(&Predicate) -> bool) -> Vec<Pair<'t, 's>> {
    let truth = material.truth();
    let mut pairs = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        let Some(word) = truth.predicate(term).filter(|word| word.single && !word.immutable && is_meant(word)) else {
            continue;
        };
        let is_thing_somewhere = word.role == Some(Role::Place) && subject.kind == Some(PieceKind::Item);
        if group.len() < 2 || is_thing_somewhere || !truth.registry.is_clear(subject) {
            continue;
        }
        let statements = narrated(truth, group);
        let is_same = |a, b| match word.steady {
            true => truth.timeline.is_same_day(a, b),
            false => truth.timeline.is_same(a, b),
        };
        let apart = |a: &Statement<'s>, b: &Statement<'s>| {
            let of_events = matches!((a.basis, b.basis), (Basis::Event(..), Basis::Event(..)));
            a.object_of_count() == b.object_of_count() && !of_events && differ(material, a, b)
        };
        pairs.extend(contradictions(truth, &statements, is_same, apart));
        if word.steady || is_one_number(material, &statements) {
            let mut timeless =
                statements.iter().filter(|one| one.span.is_open() && matches!(one.basis, Basis::Fact(_)));
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

/// Measures that do not change within a year, unless a statement says until when it holds.
const LASTING: [&str; 7] = ["height", "length", "width", "depth", "capacity", "siblings", "children"];

/// Whether a count is told without any time and nothing says that it changes: then it is meant for the whole story.
fn is_one_number(material: &Material<'_>, statements: &[&Statement<'_>]) -> bool {
    let truth = material.truth();
    let is_counted = |one: &&Statement<'_>| {
        let role = truth.predicate(one.predicate).and_then(|word| word.role);
        one.number().is_some() && role != Some(Role::Age)
    };
    let is_timeless = |one: &&Statement<'_>| one.span.is_open();
    let changes = |one: &&Statement<'_>| {
        [Role::Gain, Role::Spending].into_iter().any(|role| truth.of_role_by(one.subject, role).next().is_some())
    };
    statements.iter().all(|one| is_counted(one) && is_timeless(one) && !changes(one))
}

/// The pairs of measures that begin within a year of each other and differ, though no end is told of the first.
fn drifts<'t, 's>(material: &Material<'s>, statements: &[&'t Statement<'s>]) -> Vec<Pair<'t, 's>> {
    const YEAR: i64 = 366 * 86_400;
    const GROWN: i32 = 20;
    let truth = material.truth();
    let begins = |one: &Statement<'s>| truth.timeline.moment(one.span.from?);
    let may_change = |one: &Statement<'s>| {
        let grows = one.subject.kind == Some(PieceKind::Character)
            && material.story.characters[one.subject.index].age.is_some_and(|age| age < GROWN);
        let is_rebuilt =
            [Role::Destruction, Role::Repair].into_iter().any(|role| truth.of_role(one.subject, role).next().is_some());
        grows || is_rebuilt
    };
    let is_drift = |first: &Statement<'s>, second: &Statement<'s>| {
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
