//! QY402: a thing used or held after its holder lost the thing or gave the thing away.

use serde_json::json;

use super::possession::{draft, later, may_be_undone, of_thing, parted_again, thing};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::truth::StatementBasis;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy402_used_after_loss.toml");
    Rule::new("QY402", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for parting in truth.with_role(PredicateRole::Parting).filter(|one| one.is_narrated() && !one.is_denied()) {
        let (Some(end), Some(_)) = (parting.span.from, parting.object) else { continue };
        let item = thing(parting);
        let all = later(truth, item, end).into_iter().chain(parted_again(truth, item, end));
        for late in all.filter(|one| one.subject == parting.subject) {
            let gets = of_thing(truth, item, PredicateRole::Getting).filter(|one| one.subject == parting.subject);
            // The holder on a card has the thing at the beginning, so the card explains no later holding.
            let holds = of_thing(truth, item, PredicateRole::Holding).filter(|one| {
                let is_other = one.basis != late.basis && !matches!(one.basis, StatementBasis::Item(_));
                one.subject == parting.subject && is_other && !one.span.is_moment()
            });
            let given = of_thing(truth, item, PredicateRole::Parting).filter(|one| one.subject != parting.subject);
            if may_be_undone(truth, (end, late), gets.chain(holds).chain(given)) {
                continue;
            }
            let (subject, object) = (truth.registry.name(parting.subject), truth.registry.name(item));
            let regain = json!({ "subject": subject, "predicate": "gets", "object": object });
            drafts.push(draft(truth, (parting, late), ("regain", regain)));
        }
    }
    drafts
}
