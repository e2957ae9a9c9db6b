//! QS014: the same comparison is repeated.

use std::collections::BTreeMap;

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs014_repeated_simile.toml");
    Rule::new("QS014", (Severity::Low, Category::Quality, "style"), texts, run)
}

/// The minimum number within [`chapters::NEAR`] to report.
const OFTEN: usize = 3;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut images: BTreeMap<u64, Vec<chapters::TextSpot>> = BTreeMap::new();
    for (chapter, read) in material.chapters.iter().enumerate() {
        for simile in &read.prose.similes {
            images.entry(simile.image).or_default().push(chapters::TextSpot { chapter, range: simile.range.clone() });
        }
    }
    let often = images.into_iter().filter(|(_, spots)| chapters::come_close(material, spots, OFTEN));
    often.map(|(image, spots)| chapters::draft_of_spots(material, format!("{image:016x}"), &spots)).collect()
}
