//! QS043: a mark that stands twice.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs043_doubled_marks.toml");
    Rule::new("QS043", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::DoubledMark)
}
