//! QS033: the prose uses a word that the style guide forbids.

use aho_corasick::AhoCorasick;

use super::{Draft, Material, Rule, chapters, wording};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs033_forbidden_word.toml");
    Rule::new("QS033", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let words = wording::forbidden(material.story);
    if words.is_empty() {
        return Vec::new();
    }
    let builder = AhoCorasick::builder().ascii_case_insensitive(true).build(&words);
    let automaton = builder.expect("a style guide forbids few and short words");
    let mut spots: Vec<Vec<chapters::Spot>> = vec![Vec::new(); words.len()];
    for (chapter, read) in material.chapters.iter().enumerate() {
        let text = &read.document.text;
        for found in automaton.find_iter(text) {
            if wording::stands_alone(text, &found.range()) {
                spots[found.pattern().as_usize()].push(chapters::Spot { chapter, range: found.range() });
            }
        }
    }
    let used = words.into_iter().zip(spots).filter(|(_, spots)| !spots.is_empty());
    used.map(|(word, spots)| chapters::draft_of_spots(material, word, &spots)).collect()
}
