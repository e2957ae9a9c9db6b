//! QS012: two long sentences differ only in a few words.

use super::{Draft, Material, Rule, chapters};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs012_near_repetition.toml");
    Rule::new("QS012", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let sketched = material.sentences().filter(|(_, sentence)| sentence.sketch.is_some()).map(|(place, _)| place);
    let groups = chapters::nearly_same(material, sketched).into_iter();
    groups
        .filter(|places| !material.are_ends(places))
        .map(|places| chapters::draft_of_places(material, "nearly", &places))
        .collect()
}
