//! QS035: a chapter relies on words that readers of its genre are tired of.

use std::ops::Range;

use super::{FindingDraft, Rule, RuleMaterial, chapters, wording};
use crate::genre::Genre;
use crate::language::is_whole_word;
use crate::prose::AnalyzedChapter;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs035_tired_in_genre.toml");
    Rule::new("QS035", (Severity::Low, Category::Quality, "style"), texts, run)
}

/// The minimum number of places in a chapter to report.
const LEAST: usize = 3;
/// The minimum number of places per thousand words (Chinese characters).
const LEAST_PER_THOUSAND: usize = 2;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let genres = material.genres();
    let allowed = wording::allowed(material.story);
    let tired: Vec<(&Genre, &str)> = genres
        .iter()
        .flat_map(|genre| genre.tired.iter().map(move |word| (*genre, word.as_str())))
        .filter(|(_, word)| !wording::is_allowed(&allowed, word))
        .collect();
    if tired.is_empty() {
        return Vec::new();
    }
    material.chapters.iter().filter_map(|chapter| draft(chapter, &tired)).collect()
}

fn draft(chapter: &AnalyzedChapter<'_>, tired: &[(&Genre, &str)]) -> Option<FindingDraft> {
    let text = chapter.document.text.to_ascii_lowercase();
    let places = |word: &str| -> Vec<Range<usize>> {
        let ranges = text.match_indices(word).map(|(at, found)| at..at + found.len());
        ranges.filter(|range| is_whole_word(&text, range)).collect()
    };
    let used: Vec<(&Genre, &str, Vec<Range<usize>>)> = tired
        .iter()
        .map(|(genre, word)| (*genre, *word, places(word)))
        .filter(|(.., places)| !places.is_empty())
        .collect();
    let count: usize = used.iter().map(|(.., places)| places.len()).sum();
    if count < LEAST || count * 1000 < LEAST_PER_THOUSAND * chapter.prose.length {
        return None;
    }
    let mut names: Vec<&str> = used.iter().map(|(genre, ..)| genre.name.as_str()).collect();
    names.dedup();
    let draft = FindingDraft::about([chapter.handle()])
        .say("chapter", chapter.title())
        .say("count", count.to_string())
        .list("genres", names.into_iter().map(str::to_owned))
        .list("words", used.iter().map(|(_, word, _)| (*word).to_owned()).take(chapters::QUOTED))
        .affects(chapter.title())
        .quotes(
            used.iter()
                .flat_map(|(.., places)| places)
                .take(chapters::QUOTED)
                .map(|range| chapters::quote(chapter, range)),
        );
    Some(draft.fix_text("rewrite", chapter.document, &[]))
}
