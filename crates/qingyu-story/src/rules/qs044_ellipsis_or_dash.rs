//! QS044: an ellipsis or a dash of the wrong form.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs044_ellipsis_or_dash.toml");
    Rule::new("QS044", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    chapters::slips(material, SlipKind::EllipsisOrDash)
}
