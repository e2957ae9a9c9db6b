//! Amounts, and what is added to them and taken away, in story time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Material;
use super::claims::in_order;
use crate::names::fold;
use crate::predicate::{self, Role};
use crate::truth::{Entity, GroundTruth, Statement};

/// The amounts and changes of one thing that somebody has, in a certain order.
pub(super) struct Account<'t, 's> {
    pub(super) entries: Vec<(Role, f64, &'t Statement<'s>)>,
}

/// What is counted: whose, of what, in which unit.
type Counted = (Entity, Option<Entity>, String);

/// All accounts whose order and numbers are certain throughout.
pub(super) fn accounts<'t, 's>(material: &'t Material<'s>) -> Vec<Account<'t, 's>> {
    let truth = material.truth();
    let mut groups: BTreeMap<Counted, Vec<(Role, &Statement<'s>)>> = BTreeMap::new();
    let mut unclear = BTreeSet::new();
    for role in [Role::Amount, Role::Gain, Role::Spending] {
        for statement in truth.with_role(role).filter(|one| one.is_narrated()) {
            let timeless = statement.span.from.is_none();
            match unit(statement).filter(|_| !timeless) {
                Some(unit) => {
                    let counted = (statement.subject, statement.object, unit);
                    groups.entry(counted).or_default().push((role, statement));
                }
                // An amount of unknown time says nothing; a change of unknown time may fall anywhere.
                None if role != Role::Amount => {
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

fn account<'t, 's>(truth: &'t GroundTruth<'s>, group: &[(Role, &'t Statement<'s>)]) -> Option<Account<'t, 's>> {
    let ordered = in_order(truth, group.iter().map(|(_, one)| *one).collect())?;
    let roles: HashMap<_, Role> = group.iter().map(|(role, one)| (std::ptr::from_ref(*one), *role)).collect();
    let entry = |one: &'t Statement<'s>| {
        let role = roles.get(&std::ptr::from_ref(one))?;
        let number = in_base(one)?;
        (*role == Role::Amount || number >= 0.0).then_some((*role, number, one))
    };
    Some(Account { entries: ordered.into_iter().map(entry).collect::<Option<_>>()? })
}

/// The unit in which the statement's number can be added to others.
fn unit(statement: &Statement<'_>) -> Option<String> {
    let (number, unit) = statement.number()?;
    Some(predicate::in_base_unit(number, unit).map_or_else(|| fold(unit), |(_, base)| base.to_owned()))
}

fn in_base(statement: &Statement<'_>) -> Option<f64> {
    let (number, unit) = statement.number()?;
    Some(predicate::in_base_unit(number, unit).map_or(number, |(number, _)| number))
}

/// The number in the unit of the statement.
pub(super) fn in_unit_of(statement: &Statement<'_>, number: f64) -> f64 {
    let size =
        statement.number().and_then(|(_, unit)| predicate::in_base_unit(1.0, unit)).map_or(1.0, |(size, _)| size);
    // Conversions leave dust in the last digits.
    (number / size * 1e6).round() / 1e6
}

/// Whether two sums differ by more than the dust of conversions.
pub(super) fn is_off(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-6 * a.abs().max(b.abs()).max(1.0)
}
