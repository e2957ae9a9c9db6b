//! QY501: a character speaks of, or acts on, something learned only later.

use serde_json::json;

use super::claims::{contradiction, fix_fact, written};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::{Category, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy501_speaks_too_early.toml");
    Rule::new("QY501", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for speech in truth.with_role(PredicateRole::Speaking).filter(|one| one.is_narrated() && !one.is_denied()) {
        let fact = speech.object.filter(|object| object.kind == Some(PieceKind::Fact));
        let (Some(fact), Some(spoken)) = (fact, speech.span.from) else { continue };
        let said = truth.of_fact(fact.index);
        let is_own = said.by == Some(speech.subject) || said.mode == Mode::Retconned;
        let known: Vec<_> = truth.knowledge_of(speech.subject, fact.index).collect();
        let Some(mut since) = super::minds::all_since(&known).filter(|since| !since.is_empty() && !is_own) else {
            continue;
        };
        if since.iter().any(|(since, _)| !truth.timeline.is_before(spoken, *since)) {
            continue;
        }
        since.sort_by_cached_key(|(_, known)| known.evidence(truth).quote);
        // The earliest, if the order is known.
        let earliest = since
            .iter()
            .find(|(one, _)| since.iter().all(|(other, _)| other == one || !truth.timeline.is_before(*other, *one)));
        let (_, learnt) = earliest.unwrap_or(&since[0]);
        let evidence = learnt.evidence(truth);
        let draft = contradiction(truth, (speech, said))
            .say("word", written(truth, speech))
            .say("since", learnt.since_words(truth))
            .say("learns", evidence.quote.clone())
            .quote(evidence.anchor, evidence.quote);
        let later = json!({ "from": learnt.since_words(truth) });
        drafts.push(fix_fact(draft, "later", truth.asserting(speech), later));
    }
    drafts
}
