//! The numbers of characters under words of their own (`林青 力量 12`, `林青 灵石 -300`), in certain order.

use std::collections::BTreeSet;

use super::RuleMaterial;
use super::climbing::{is_placed, ordered};
use crate::truth::{Entity, LedgerNumber, PredicateTerm, TruthStatement, ledger_number};

/// The numbers of one subject under one word.
pub(super) struct NumberAccount<'t, 's> {
    pub(super) subject: Entity,
    pub(super) term: PredicateTerm,
    pub(super) entries: Vec<NumberEntry<'t, 's>>,
}

/// An entry of an account.
#[derive(Clone, Copy)]
pub(super) struct NumberEntry<'t, 's> {
    pub(super) statement: &'t TruthStatement<'s>,
    pub(super) number: LedgerNumber,
}

/// Returns the accounts with certain order and one unit.
pub(super) fn number_accounts<'t, 's>(material: &'t RuleMaterial<'s>) -> Vec<NumberAccount<'t, 's>> {
    let truth = material.truth();
    let mut accounts = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        if truth.predicate(term).is_some() || !truth.registry.is_clear(subject) {
            continue;
        }
        let statements = group.iter().map(|index| &truth.statements[*index]).filter(|one| one.is_narrated());
        let entry = |statement| Some(NumberEntry { statement, number: ledger_number(truth, statement)? });
        let counted: Vec<NumberEntry<'t, 's>> = statements.filter_map(entry).collect();
        let is_change = |one: &NumberEntry<'t, 's>| matches!(one.number, LedgerNumber::Change(_));
        // A change without a time may occur anywhere; an amount without one is ignored.
        if counted.iter().any(|one| is_change(one) && !is_placed(one.statement)) {
            continue;
        }
        let placed: Vec<NumberEntry<'t, 's>> = counted.into_iter().filter(|one| is_placed(one.statement)).collect();
        let unit = |one: &NumberEntry<'t, 's>| truth.asserting(one.statement).map_or("", |fact| fact.unit.trim());
        let units: BTreeSet<&str> = placed.iter().filter(|one| !is_change(one)).map(unit).collect();
        if units.len() > 1 {
            continue;
        }
        let Some(entries) = ordered(truth, placed.iter().map(|one| one.statement).collect()) else { continue };
        accounts.push(NumberAccount { subject, term, entries: entries.into_iter().filter_map(entry).collect() });
    }
    accounts
}
