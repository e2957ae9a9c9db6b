//! QS071: remarks of a language model in the text.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs071_machine_talk.toml");
    Rule::new("QS071", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chapters::slips(material, SlipKind::MachineTalk)
}
