//! Amounts with their gains and expenses, in story time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::RuleMaterial;
use super::claims::in_order;
use crate::Mode;
use crate::names::fold;
use crate::predicate::{self, PredicateRole};
use crate::settlement::number_places;
use crate::truth::{Entity, GroundTruth, TruthStatement};

/// The amounts of a thing held by one owner, with all changes, in certain order.
pub(super) struct QuantityAccount<'t, 's> {
    pub(super) entries: Vec<(PredicateRole, f64, &'t TruthStatement<'s>)>,
}

/// The key of a count: owner, thing and unit.
type CountedGroup = (Entity, Option<Entity>, String);

/// Returns all accounts with certain order and certain numbers.
pub(super) fn accounts<'t, 's>(material: &'t RuleMaterial<'s>) -> Vec<QuantityAccount<'t, 's>> {
    let truth = material.truth();
    let mut groups: BTreeMap<CountedGroup, Vec<(PredicateRole, &TruthStatement<'s>)>> = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for role in [PredicateRole::Amount, PredicateRole::Gain, PredicateRole::Spending] {
        for statement in truth.with_role(role).filter(|one| one.is_narrated()) {
            let timeless = statement.span.from.is_none();
            match unit(statement).filter(|_| !timeless) {
                Some(unit) => {
                    let counted = (statement.subject, statement.object, unit);
                    groups.entry(counted).or_default().push((role, statement));
                }
                // An amount without a time is ignored; a change without a time may occur anywhere.
                None if role != PredicateRole::Amount => {
                    unclear.insert((statement.subject, statement.object));
                }
                None => {}
            }
        }
    }
    groups
        .retain(|(subject, object, _), _| truth.registry.is_clear(*subject) && !unclear.contains(&(*subject, *object)));
    groups.into_values().filter_map(|group| account(truth, &group)).collect()
}

fn account<'t, 's>(
    truth: &'t GroundTruth<'s>,
    group: &[(PredicateRole, &'t TruthStatement<'s>)],
) -> Option<QuantityAccount<'t, 's>> {
    let roles: HashMap<_, PredicateRole> = group.iter().map(|(role, one)| (std::ptr::from_ref(*one), *role)).collect();
    let role_of = |one: &TruthStatement<'s>| roles.get(&std::ptr::from_ref(one)).copied();
    let all: Vec<_> = group.iter().map(|(_, one)| *one).collect();
    let ordered = in_order(truth, all.clone()).or_else(|| in_told_order(truth, all, role_of))?;
    let (first, last) = (ordered.first()?, ordered.last()?);
    if has_memory_between(truth, first, last) {
        return None;
    }
    let entry = |one: &'t TruthStatement<'s>| {
        let role = role_of(one)?;
        let number = in_base(one)?;
        (role == PredicateRole::Amount || number >= 0.0).then_some((role, number, one))
    };
    Some(QuantityAccount { entries: ordered.into_iter().map(entry).collect::<Option<_>>()? })
}

/// Same as [`in_order`], where statements of one time are told in one chapter: then the order of their sentences decides, and
/// within a sentence that of its numbers.
///
/// Of one time, an amount must be told last: changes told behind it may be those that led to it. Gains come before expenses
/// told beside them.
fn in_told_order<'t, 's>(
    truth: &GroundTruth<'s>,
    mut statements: Vec<&'t TruthStatement<'s>>,
    role_of: impl Fn(&TruthStatement<'s>) -> Option<PredicateRole>,
) -> Option<Vec<&'t TruthStatement<'s>>> {
    let timeline = &truth.timeline;
    let time = |one: &TruthStatement<'s>| one.span.from.and_then(|from| timeline.place(from));
    let line = time(statements.first()?)?.0;
    if !statements.iter().all(|one| time(one).is_some_and(|(other, ..)| other == line)) {
        return None;
    }
    let told = |one: &TruthStatement<'s>| {
        let (document, start) = truth.sentence_of(one)?;
        let quote = truth.asserting(one)?.source.as_ref()?.quote.as_str();
        Some((fold(document), start, number_places(quote, one.number()?.0)?))
    };
    statements.sort_by_cached_key(|one| (time(one), told(one), one.basis.key(truth.story)));
    let is_amount = |one: &TruthStatement<'s>| role_of(one) == Some(PredicateRole::Amount);
    let mut ordered = Vec::with_capacity(statements.len());
    for together in statements.chunk_by(|first, second| time(first) == time(second)) {
        let are_told = together.windows(2).all(|pair| {
            let places = told(pair[0]).zip(told(pair[1]));
            places.is_some_and(|(first, second)| {
                // A number that stands several times in its sentence is before another if all of them are.
                let is_before = first.1 < second.1 || first.1 == second.1 && first.2.1 < second.2.0;
                first.0 == second.0 && is_before
            })
        });
        let ends_well = together.iter().all(|one| !is_amount(one)) || together.last().is_some_and(|one| is_amount(one));
        if together.len() > 1 && !(are_told && ends_well) {
            return None;
        }
        for mut changes in together.chunk_by(|first, _| !is_amount(first)).map(<[_]>::to_vec) {
            changes.sort_by_key(|one| match role_of(one) {
                Some(PredicateRole::Gain) => 0,
                Some(PredicateRole::Spending) => 1,
                _ => 2,
            });
            ordered.extend(changes);
        }
    }
    let is_before = |first: &TruthStatement<'s>, second: &TruthStatement<'s>| {
        let times = first.span.from.zip(second.span.from);
        time(first) == time(second) || times.is_some_and(|(first, second)| timeline.is_before(first, second))
    };
    ordered.windows(2).all(|pair| is_before(pair[0], pair[1])).then_some(ordered)
}

/// Returns whether a memory tells a change of the same thing that may lie between the two statements.
fn has_memory_between<'s>(truth: &GroundTruth<'s>, first: &TruthStatement<'s>, last: &TruthStatement<'s>) -> bool {
    let timeline = &truth.timeline;
    let is_outside = |one: &TruthStatement<'s>| {
        let times = one.span.from.zip(first.span.from.zip(last.span.from));
        times.is_some_and(|(at, (first, last))| timeline.is_before(at, first) || timeline.is_before(last, at))
    };
    let changes = [PredicateRole::Gain, PredicateRole::Spending].into_iter().flat_map(|role| truth.with_role(role));
    changes
        .filter(|one| one.mode == Mode::Flashback && (one.subject, one.object) == (first.subject, first.object))
        .any(|one| !is_outside(one))
}

/// Returns the unit for adding the statement's number to others.
fn unit(statement: &TruthStatement<'_>) -> Option<String> {
    let (number, unit) = statement.number()?;
    Some(predicate::in_base_unit(number, unit).map_or_else(|| fold(unit), |(_, base)| base.to_owned()))
}

fn in_base(statement: &TruthStatement<'_>) -> Option<f64> {
    let (number, unit) = statement.number()?;
    Some(predicate::in_base_unit(number, unit).map_or(number, |(number, _)| number))
}

/// Converts the number to the statement's unit.
pub(super) fn in_unit_of(statement: &TruthStatement<'_>, number: f64) -> f64 {
    let size =
        statement.number().and_then(|(_, unit)| predicate::in_base_unit(1.0, unit)).map_or(1.0, |(size, _)| size);
    // Rounding removes conversion errors in the last digits.
    (number / size * 1e6).round() / 1e6
}

/// Returns whether two sums differ by more than conversion errors.
pub(super) fn is_off(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-6 * a.abs().max(b.abs()).max(1.0)
}
