//! QS046: speech in two styles of quotation marks.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs046_mixed_quotes.toml");
    Rule::new("QS046", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chapters::slips(material, SlipKind::MixedQuotes)
}
