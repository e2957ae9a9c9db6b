//! QS033: the prose uses a word forbidden by the style guide.

use aho_corasick::AhoCorasick;

use super::{FindingDraft, Rule, RuleMaterial, chapters, wording};
use crate::language::is_whole_word;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs033_forbidden_word.toml");
    Rule::new("QS033", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let words = wording::forbidden(material.story);
    if words.is_empty() {
        return Vec::new();
    }
    let builder = AhoCorasick::builder().ascii_case_insensitive(true).build(&words);
    let automaton = builder.expect("a style guide forbids few and short words");
    let mut spots: Vec<Vec<chapters::TextSpot>> = vec![Vec::new(); words.len()];
    for (chapter, read) in material.chapters.iter().enumerate() {
        let text = &read.document.text;
        for found in automaton.find_iter(text) {
            if is_whole_word(text, &found.range()) {
                spots[found.pattern().as_usize()].push(chapters::TextSpot { chapter, range: found.range() });
            }
        }
    }
    let used = words.into_iter().zip(spots).filter(|(_, spots)| !spots.is_empty());
    used.map(|(word, spots)| chapters::draft_of_spots(material, word, &spots)).collect()
}
