//! QS023: a sentence does not end.

use super::{Draft, Material, Rule, chapters};
use crate::prose::SlipKind;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs023_endless_sentence.toml");
    Rule::new("QS023", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    chapters::slips(material, SlipKind::EndlessSentence)
}
