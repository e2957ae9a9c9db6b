//! QS042: a quotation mark or bracket without its other half.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs042_unbalanced_marks.toml");
    Rule::new("QS042", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::Unbalanced)
}
