//! QY412: a step of a ladder is reached, and what it costs is still there.

use serde_json::json;

use super::accounting::{NumberAccount, number_accounts};
use super::claims::contradiction;
use super::climbing::{Climb, Rung, beginning, climbs, shown};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::{fold, fold_word};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{GroundTruth, LedgerNumber, TruthStatement};
use crate::{Action, Category, Severity, StepCost};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy412_cost_unpaid.toml");
    Rule::new("QY412", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

/// What pays a cost in other words than a number.
const PAYMENTS: [PredicateRole; 4] =
    [PredicateRole::Use, PredicateRole::Spending, PredicateRole::Parting, PredicateRole::Destruction];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let climbs = climbs(material);
    let has_costs =
        |climb: &Climb<'_, '_>| climb.ladder.steps.iter().any(|step| step.costs.iter().any(|cost| cost.amount > 0));
    if !climbs.iter().any(has_costs) {
        return Vec::new();
    }
    let accounts = number_accounts(material);
    let mut drafts = Vec::new();
    for climb in climbs.iter().filter(|climb| has_costs(climb)) {
        for pair in climb.rungs.windows(2) {
            let [before, after]: [Rung<'_, '_>; 2] = [pair[0], pair[1]];
            if after.standing.step <= before.standing.step {
                continue;
            }
            let Some(step) = climb.ladder.step(after.standing) else { continue };
            for cost in step.costs.iter().filter(|cost| cost.amount > 0) {
                let of_cost = |account: &&NumberAccount<'_, '_>| {
                    account.subject == climb.subject && fold_word(truth.word(account.term)) == fold_word(&cost.what)
                };
                let Some(account) = accounts.iter().find(of_cost) else { continue };
                let Some((first, last)) = unpaid(truth, account, (before, after), cost) else { continue };
                let payment = json!({
                    "subject": truth.registry.name(climb.subject), "predicate": cost.what.trim(),
                    "value": format!("-{}", cost.amount), "from": beginning(truth, after.statement),
                });
                let evidence = [first, last].map(|one| one.evidence(truth));
                let draft = contradiction(truth, (before.statement, after.statement))
                    .say("step", shown(truth, after))
                    .say("ladder", climb.ladder.name.trim())
                    .say("cost", format!("{} {}", cost.amount, cost.what.trim()))
                    .say("had", evidence[0].quote.clone())
                    .say("has", evidence[1].quote.clone())
                    .quotes(evidence.into_iter().map(|one| (one.anchor, one.quote)));
                drafts.push(draft.fix("pay", Action::Create, PieceKind::Fact, payment));
            }
        }
    }
    drafts
}

/// Returns the numbers before and after a rise between which less than the cost was used up; `None` if enough was, or if
/// either number is unknown.
fn unpaid<'t, 's>(
    truth: &GroundTruth<'s>,
    account: &NumberAccount<'t, 's>,
    (before, after): (Rung<'_, 's>, Rung<'_, 's>),
    cost: &StepCost,
) -> Option<(&'t TruthStatement<'s>, &'t TruthStatement<'s>)> {
    let amounts =
        account.entries.iter().enumerate().filter(|(_, entry)| matches!(entry.number, LedgerNumber::Amount(_)));
    let amounts: Vec<usize> = amounts.map(|(at, _)| at).collect();
    let is_before = |at: &&usize| truth.begins_earlier(account.entries[**at].statement, after.statement);
    let last_before = amounts.iter().rev().find(is_before)?;
    // The cost may have been paid long before the rise: count from the step before.
    let first = amounts.iter().rev().find(|at| truth.begins_earlier(account.entries[**at].statement, before.statement));
    let first = first.unwrap_or(amounts.first().filter(|at| *at <= last_before)?);
    let last = amounts.iter().find(|at| truth.begins_earlier(after.statement, account.entries[**at].statement))?;
    let mut paid = 0.0;
    let mut expected: Option<f64> = None;
    for entry in &account.entries[*first..=*last] {
        match entry.number {
            LedgerNumber::Amount(now) => {
                paid += expected.map_or(0.0, |expected| (expected - now).max(0.0));
                expected = Some(now);
            }
            LedgerNumber::Change(by) => {
                paid += (-by).max(0.0);
                expected = expected.map(|expected| expected + by);
            }
        }
    }
    let told = PAYMENTS.iter().flat_map(|role| truth.of_role_by(account.subject, *role));
    let is_told = told.into_iter().any(|one| {
        let name = one.object.map(|object| truth.registry.name(object)).or_else(|| one.text()).unwrap_or_default();
        fold(name).contains(&fold(&cost.what)) || one.object.is_none() && one.number().is_some()
    });
    let is_paid = paid + 1e-9 >= f64::from(cost.amount) || is_told;
    (!is_paid).then(|| (account.entries[*first].statement, account.entries[*last].statement))
}
