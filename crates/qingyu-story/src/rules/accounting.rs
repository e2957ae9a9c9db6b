//! The numbers of characters under words of their own (`林青 力量 12`, `林青 灵石 -300`), in certain order.

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
        let counted: Vec<_> = statements.filter(|one| ledger_number(truth, one).is_some()).collect();
        let is_change = |one: &&&TruthStatement<'s>| matches!(ledger_number(truth, one), Some(LedgerNumber::Change(_)));
        // A change without a time may occur anywhere; an amount without one is ignored.
        if counted.iter().filter(is_change).any(|one| !is_placed(one)) {
            continue;
        }
        let placed: Vec<_> = counted.into_iter().filter(|one| is_placed(one)).collect();
        let unit = |one: &TruthStatement<'s>| truth.asserting(one).map_or("", |fact| fact.unit.trim());
        let units: std::collections::BTreeSet<&str> =
            placed.iter().filter(|one| !is_change(one)).map(|one| unit(one)).collect();
        if units.len() > 1 {
            continue;
        }
        let Some(entries) = ordered(truth, placed) else { continue };
        let entry = |statement| Some(NumberEntry { statement, number: ledger_number(truth, statement)? });
        accounts.push(NumberAccount { subject, term, entries: entries.into_iter().filter_map(entry).collect() });
    }
    accounts
}
