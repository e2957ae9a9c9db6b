//! QY505: a character was told by a person without the knowledge.

use serde_json::{Value, json};

use super::minds::{all_since, clear, draft, fix_entry, how, is_by_message};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy505_told_by_the_unknowing.toml");
    Rule::new("QY505", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for known in clear(material) {
        let (Some(since), Some(teller)) = (known.since, known.told_by) else { continue };
        let fact = truth.of_fact(known.fact);
        let made_it_up = fact.by == Some(teller) || fact.subject == teller;
        let own: Vec<_> = truth.knowledge_of(teller, known.fact).collect();
        let Some(mut learnt) = all_since(&own).filter(|own| !own.is_empty() && !made_it_up) else { continue };
        let is_late = learnt.iter().all(|(later, _)| truth.timeline.is_before(since, *later));
        if !is_late || !truth.registry.is_clear(teller) || is_by_message(how(truth, known)) {
            continue;
        }
        learnt.sort_by_cached_key(|(_, known)| known.evidence(truth).quote);
        let evidence = learnt[0].1.evidence(truth);
        let draft = draft(truth, known)
            .say("teller", truth.registry.name(teller))
            .say("learns", evidence.quote.clone())
            .affects(truth.registry.name(teller))
            .quote(evidence.anchor, evidence.quote);
        drafts.push(fix_entry(
            truth,
            draft,
            known,
            "teller",
            |knower| knower.told_by = None,
            json!({ "by": Value::Null }),
        ));
    }
    drafts
}
