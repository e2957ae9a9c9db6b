//! QY415: a number of a character differs from what the changes told since the last one make of it, or a panel from what
//! the author entered for its chapter.

use serde_json::json;

use super::accounting::{NumberAccount, NumberEntry, number_accounts};
use super::claims::{contradiction, fix_fact};
use super::counting::is_off;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::truth::{GroundTruth, LedgerNumber, TruthStatement, ledger_number, plain};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy415_panel_differs.toml");
    Rule::new("QY415", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for account in number_accounts(material) {
        drafts.extend(off_sums(truth, &account));
    }
    drafts.extend(off_entries(material));
    drafts
}

/// Returns the numbers that differ from the number before with the changes between.
fn off_sums<'s>(truth: &GroundTruth<'s>, account: &NumberAccount<'_, 's>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    let mut known: Option<(f64, &TruthStatement<'s>)> = None;
    let mut changes: Vec<(f64, &TruthStatement<'s>)> = Vec::new();
    for NumberEntry { statement, number } in &account.entries {
        let now = match number {
            LedgerNumber::Change(by) => {
                changes.push((*by, statement));
                continue;
            }
            LedgerNumber::Amount(now) => *now,
        };
        if let Some((before, last)) = known.filter(|_| !changes.is_empty()) {
            let sum = before + changes.iter().map(|(by, _)| by).sum::<f64>();
            if is_off(sum, now) {
                let evidence: Vec<_> = changes.iter().map(|(_, change)| change.evidence(truth)).collect();
                let draft = draft(truth, (last, statement), sum)
                    .say("key", truth.word(account.term))
                    .list("changes", evidence.iter().map(|one| one.quote.clone()))
                    .quotes(evidence.into_iter().map(|one| (one.anchor, one.quote)));
                drafts.push(draft);
            }
        }
        known = Some((now, statement));
        changes.clear();
    }
    drafts
}

/// Returns the pairs of an entry made by hand and the numbers that the sentences of its chapter or span give, if none is
/// equal.
fn off_entries(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        if truth.predicate(term).is_some() || !truth.registry.is_clear(subject) {
            continue;
        }
        let amounts: Vec<(f64, &TruthStatement<'_>)> = group
            .iter()
            .map(|index| &truth.statements[*index])
            .filter(|one| one.is_narrated())
            .filter_map(|one| match ledger_number(truth, one)? {
                LedgerNumber::Amount(number) => Some((number, one)),
                LedgerNumber::Change(_) => None,
            })
            .collect();
        let is_quoted = |one: &TruthStatement<'_>| truth.asserting(one).is_some_and(|fact| fact.source.is_some());
        for (entered, by_hand) in amounts.iter().filter(|(_, one)| !is_quoted(one) && one.span.from.is_some()) {
            let holds = |one: &TruthStatement<'_>| {
                let at_once = one.span.from.is_some() && one.span.from == by_hand.span.from;
                at_once || one.span.from.is_some_and(|from| by_hand.span.holds(from, &truth.timeline))
            };
            let told: Vec<_> = amounts.iter().filter(|(_, one)| is_quoted(one) && holds(one)).collect();
            let is_equal = |(number, _): &&(f64, &TruthStatement<'_>)| !is_off(*number, *entered);
            if let Some((_, first)) = told.first().filter(|_| !told.iter().any(is_equal)) {
                let draft = draft(truth, (by_hand, first), *entered).say("key", truth.word(term));
                drafts.push(draft.list("changes", std::iter::empty()));
            }
        }
    }
    drafts
}

fn draft<'s>(
    truth: &GroundTruth<'s>,
    (first, second): (&TruthStatement<'s>, &TruthStatement<'s>),
    sum: f64,
) -> FindingDraft {
    let sum = plain(sum);
    let draft = contradiction(truth, (first, second)).say("sum", sum.to_string()).say("said", second.shown(truth));
    fix_fact(draft, "sum", truth.asserting(second), json!({ "value": sum }))
}
