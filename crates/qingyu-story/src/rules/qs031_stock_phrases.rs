//! QS031: a chapter relies on stock phrases.

use super::{FindingDraft, Rule, RuleMaterial, chapters, wording};
use crate::prose::{AnalyzedChapter, phrases};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs031_stock_phrases.toml");
    Rule::new("QS031", (Severity::Low, Category::Quality, "style"), texts, run)
}

/// The minimum total weight in a chapter to report, if also high relative to length.
const HEAVY: u32 = 8;
/// The minimum weight per thousand words (Chinese characters).
const HEAVY_PER_THOUSAND: usize = 6;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let allowed = wording::allowed(material.story);
    material.chapters.iter().filter_map(|chapter| draft(chapter, &allowed)).collect()
}

fn draft(chapter: &AnalyzedChapter<'_>, allowed: &[String]) -> Option<FindingDraft> {
    let used: Vec<_> = chapter
        .prose
        .phrases
        .iter()
        .map(|(at, range)| (&phrases()[*at], range))
        .filter(|(phrase, _)| !wording::is_allowed(allowed, &phrase.text))
        .collect();
    let weight: u32 = used.iter().map(|(phrase, _)| phrase.weight).sum();
    if weight < HEAVY || weight as usize * 1000 < HEAVY_PER_THOUSAND * chapter.prose.length {
        return None;
    }
    let mut phrases: Vec<String> = used.iter().map(|(phrase, _)| phrase.text.clone()).collect();
    phrases.sort();
    phrases.dedup();
    phrases.truncate(chapters::QUOTED);
    let draft = FindingDraft::about([chapter.handle()])
        .say("chapter", chapter.title())
        .say("count", used.len().to_string())
        .list("phrases", phrases)
        .affects(chapter.title())
        .quotes(used.iter().take(chapters::QUOTED).map(|(_, range)| chapters::quote(chapter, range)));
    Some(draft.fix_text("rewrite", chapter.document, &[]))
}
