//! QS044: an ellipsis or a dash of the wrong form.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs044_ellipsis_or_dash.toml");
    Rule::new("QS044", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::EllipsisOrDash)
}
