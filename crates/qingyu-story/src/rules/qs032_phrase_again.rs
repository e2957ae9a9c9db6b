//! QS032: the same stock phrase is repeated.

use std::collections::BTreeMap;

use super::{FindingDraft, Rule, RuleMaterial, chapters, wording};
use crate::prose::phrases;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs032_phrase_again.toml");
    Rule::new("QS032", (Severity::Low, Category::Quality, "style"), texts, run)
}

/// The minimum number within [`chapters::NEAR`] to report.
const OFTEN: usize = 5;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let allowed = wording::allowed(material.story);
    let mut used: BTreeMap<&str, Vec<chapters::TextSpot>> = BTreeMap::new();
    for (chapter, read) in material.chapters.iter().enumerate() {
        for (at, range) in &read.prose.phrases {
            let phrase = &phrases()[*at];
            if phrase.weight > 1 && !wording::is_allowed(&allowed, &phrase.text) {
                used.entry(&phrase.text).or_default().push(chapters::TextSpot { chapter, range: range.clone() });
            }
        }
    }
    let often = used.into_iter().filter(|(_, spots)| chapters::come_close(material, spots, OFTEN));
    often.map(|(phrase, spots)| chapters::draft_of_spots(material, phrase.to_owned(), &spots)).collect()
}
