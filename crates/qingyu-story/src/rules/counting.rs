//! Amounts with their gains and expenses, in story time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::RuleMaterial;
use super::claims::in_order;
use crate::names::fold;
use crate::predicate::{self, PredicateRole};
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
    let ordered = in_order(truth, group.iter().map(|(_, one)| *one).collect())?;
    let roles: HashMap<_, PredicateRole> = group.iter().map(|(role, one)| (std::ptr::from_ref(*one), *role)).collect();
    let entry = |one: &'t TruthStatement<'s>| {
        let role = roles.get(&std::ptr::from_ref(one))?;
        let number = in_base(one)?;
        (*role == PredicateRole::Amount || number >= 0.0).then_some((*role, number, one))
    };
    Some(QuantityAccount { entries: ordered.into_iter().map(entry).collect::<Option<_>>()? })
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
