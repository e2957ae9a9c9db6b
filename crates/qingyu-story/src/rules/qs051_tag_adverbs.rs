//! QS051: speech tags that all say how.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs051_tag_adverbs.toml");
    Rule::new("QS051", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::TagAdverbs)
}
