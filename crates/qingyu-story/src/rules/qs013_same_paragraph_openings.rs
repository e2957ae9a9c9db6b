//! QS013: many paragraphs of a chapter begin with the same words.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs013_same_paragraph_openings.toml");
    Rule::new("QS013", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chapters::slips(material, SlipKind::SameParagraphOpening)
}
