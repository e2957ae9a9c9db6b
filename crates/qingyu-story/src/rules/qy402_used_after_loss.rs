//! QY402: a thing used or held after its holder lost the thing or gave the thing away.

use serde_json::json;

use super::possession::{draft, later, may_be_undone, of_thing, parted_again, thing};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::predicate::PredicateRole;
use crate::truth::{StatementBasis, TruthStatement};
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
    drafts.extend(within_chapters(material));
    drafts
}

/// Returns the drafts for things given away and held again in the text of one chapter, without a word of how they came back.
fn within_chapters(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let is_told = |one: &&TruthStatement<'_>| one.is_narrated() && !one.is_denied();
    let mut drafts = Vec::new();
    for parting in truth.with_role(PredicateRole::Parting).filter(is_told) {
        let (Some(item), Some((chapter, start))) = (parting.object, told_at(material, parting)) else { continue };
        let of_role = move |role| {
            of_thing(truth, item, role).filter_map(move |one| {
                let (document, at) = told_at(material, one)?;
                (document == chapter && at > start && one.span.from == parting.span.from).then_some((at, one))
            })
        };
        let held = [PredicateRole::Holding, PredicateRole::Use].into_iter().flat_map(of_role);
        let held = held.filter(|(_, one)| one.subject == parting.subject);
        let Some((late_at, late)) = held.min_by_key(|(at, _)| *at) else { continue };
        let is_back = of_role(PredicateRole::Getting)
            .chain(of_role(PredicateRole::Parting))
            .any(|(at, one)| at < late_at && !(one.subject == parting.subject && one.basis == parting.basis));
        if !is_back {
            let (subject, object) = (truth.registry.name(parting.subject), truth.registry.name(item));
            let regain = json!({ "subject": subject, "predicate": "gets", "object": object });
            drafts.push(draft(truth, (parting, late), ("regain", regain)));
        }
    }
    drafts
}

/// Returns the document that tells a fact, and where its sentence begins.
fn told_at<'s>(material: &RuleMaterial<'s>, one: &TruthStatement<'s>) -> Option<(&'s str, u32)> {
    let source = material.truth().asserting(one)?.source.as_ref()?;
    Some((source.document.as_str(), source.start?))
}
