//! QS071: talk of the machine that wrote the text.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs071_machine_talk.toml");
    Rule::new("QS071", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::MachineTalk)
}
