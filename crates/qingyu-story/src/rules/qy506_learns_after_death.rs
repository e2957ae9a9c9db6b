//! QY506: a character learns something after death.

use super::minds::{clear, death_before, draft, forget_entry, how, is_by_message};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy506_learns_after_death.toml");
    Rule::new("QY506", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for known in clear(material).filter(|known| !is_by_message(how(truth, known))) {
        let Some(death) = known.since.and_then(|since| death_before(truth, known.who, since)) else { continue };
        let draft = draft(truth, known).say("death", death.quote.clone()).quote(death.anchor, death.quote);
        drafts.push(forget_entry(truth, draft, known, "never"));
    }
    drafts
}
