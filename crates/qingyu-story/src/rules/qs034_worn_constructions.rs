//! QS034: a chapter returns to the same few constructions.

use std::ops::Range;

use super::constructions::{self, Construction};
use super::{FindingDraft, Rule, RuleMaterial, chapters, wording};
use crate::prose::AnalyzedChapter;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs034_worn_constructions.toml");
    Rule::new("QS034", (Severity::Low, Category::Quality, "style"), texts, run)
}

/// The minimum number of uses of one construction in a chapter to report.
const OFTEN: usize = 3;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let allowed = wording::allowed(material.story);
    material.chapters.iter().filter_map(|chapter| draft(chapter, &allowed)).collect()
}

fn draft(chapter: &AnalyzedChapter<'_>, allowed: &[String]) -> Option<FindingDraft> {
    let is_allowed = |construction: &&Construction| !wording::is_allowed(allowed, &construction.name);
    let used: Vec<(&Construction, Vec<Range<usize>>)> = constructions::of(chapter.prose.language)
        .filter(is_allowed)
        .map(|construction| (construction, construction.uses(&chapter.document.text, &chapter.prose)))
        .filter(|(construction, uses)| {
            uses.len() >= OFTEN && uses.len() * 1000 > construction.most * chapter.prose.length
        })
        .collect();
    if used.is_empty() {
        return None;
    }
    let count: usize = used.iter().map(|(_, uses)| uses.len()).sum();
    let names = used.iter().map(|(construction, uses)| format!("{} ×{}", construction.name, uses.len()));
    let draft = FindingDraft::about([chapter.handle()])
        .say("chapter", chapter.title())
        .say("count", count.to_string())
        .list("constructions", names)
        .affects(chapter.title())
        .quotes(
            used.iter().flat_map(|(_, uses)| uses).take(chapters::QUOTED).map(|range| chapters::quote(chapter, range)),
        );
    Some(draft.fix_text("rewrite", chapter.document, &[]))
}
