//! QS073: a place left to be filled.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs073_placeholder.toml");
    Rule::new("QS073", (Severity::Medium, Category::Completeness, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::Placeholder)
}
