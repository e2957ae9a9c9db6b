//! QY315: a fact ending before its beginning.

use serde_json::json;

use super::claims::fix_fact;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::truth::StatementBasis;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy315_ends_first.toml");
    Rule::new("QY315", (Severity::Medium, Category::Rationality, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for one in truth.statements.iter().filter(|one| matches!(one.basis, StatementBasis::Fact(_)) && one.is_narrated()) {
        let (Some(from), Some(until)) = (one.span.from, one.span.until) else { continue };
        if !truth.timeline.is_before(until, from) {
            continue;
        }
        let Some(fact) = truth.asserting(one) else { continue };
        let evidence = one.evidence(truth);
        let draft = FindingDraft::about([one.basis.piece(truth.story).1])
            .say("fact", fact.sentence(truth.story.language))
            .say("from", fact.from.trim())
            .say("until", fact.until.trim())
            .affects(truth.registry.name(one.subject))
            .affects(one.object.map(|object| truth.registry.name(object)).unwrap_or_default())
            .quote(evidence.anchor, evidence.quote);
        drafts.push(fix_fact(draft, "swap", Some(fact), json!({ "from": fact.until, "until": fact.from })));
    }
    drafts
}
