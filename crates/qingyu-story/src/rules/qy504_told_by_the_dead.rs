//! QY504: a character was told by a person dead at the time.

use serde_json::{Value, json};

use super::minds::{clear, death_before, draft, fix_entry, how, is_by_message};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy504_told_by_the_dead.toml");
    Rule::new("QY504", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for known in clear(material) {
        let (Some(since), Some(teller)) = (known.since, known.told_by) else { continue };
        if !truth.registry.is_clear(teller) || is_by_message(how(truth, known)) {
            continue;
        }
        let Some(death) = death_before(truth, teller, since) else { continue };
        let draft = draft(truth, known)
            .say("teller", truth.registry.name(teller))
            .say("death", death.quote.clone())
            .affects(truth.registry.name(teller))
            .quote(death.anchor, death.quote);
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
