//! QS073: a placeholder in the text.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs073_placeholder.toml");
    Rule::new("QS073", (Severity::Medium, Category::Completeness, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chapters::slips(material, SlipKind::Placeholder)
}
