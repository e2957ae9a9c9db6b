//! QS012: two long sentences differ only in a few words.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs012_near_repetition.toml");
    Rule::new("QS012", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let sketched = material.sentences().filter(|(_, sentence)| sentence.sketch.is_some()).map(|(place, _)| place);
    let groups = chapters::nearly_same(material, sketched).into_iter();
    let groups: Vec<_> = groups.filter(|places| !material.are_ends(places)).collect();
    chapters::drafts_of_groups(material, "nearly", &groups)
}
