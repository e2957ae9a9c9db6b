//! QS072: markup in prose.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs072_markup.toml");
    Rule::new("QS072", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::Markup)
}
