//! QS014: the same comparison comes again and again.

use std::collections::BTreeMap;

use super::{Draft, Material, Rule, chapters};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs014_repeated_simile.toml");
    Rule::new("QS014", (Severity::Low, Category::Quality, "style"), texts, run)
}

/// So many within [`chapters::NEAR`] are noticed.
const OFTEN: usize = 3;

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut images: BTreeMap<u64, Vec<chapters::Spot>> = BTreeMap::new();
    for (chapter, read) in material.chapters.iter().enumerate() {
        for simile in &read.prose.similes {
            images.entry(simile.image).or_default().push(chapters::Spot { chapter, range: simile.range.clone() });
        }
    }
    let often = images.into_iter().filter(|(_, spots)| chapters::come_close(material, spots, OFTEN));
    often.map(|(image, spots)| chapters::draft_of_spots(material, format!("{image:016x}"), &spots)).collect()
}
