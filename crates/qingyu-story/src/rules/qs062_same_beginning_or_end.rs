//! QS062: two chapters begin, or end, with nearly the same sentence.

use std::collections::BTreeSet;

use super::chapters::SentencePosition;
use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::{Category, Language, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs062_same_beginning_or_end.toml");
    Rule::new("QS062", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let count = |chapter: usize| material.chapters[chapter].prose.sentences.len();
    // A chapter of one sentence counts only as a beginning.
    let first = |chapter: usize| (count(chapter) > 0).then_some(SentencePosition { chapter, sentence: 0 });
    let last =
        |chapter: usize| (count(chapter) > 1).then(|| SentencePosition { chapter, sentence: count(chapter) - 1 });
    let mut drafts = draw(material, "beginning", (0..material.chapters.len()).filter_map(first).collect());
    drafts.extend(draw(material, "end", (0..material.chapters.len()).filter_map(last).collect()));
    drafts
}

fn draw(material: &RuleMaterial<'_>, end: &'static str, mut places: Vec<SentencePosition>) -> Vec<FindingDraft> {
    places.retain(|place| {
        let chapter = &material.chapters[place.chapter];
        let least = if chapter.prose.language == Language::Zh { 10 } else { 7 };
        let sentence = material.sentence(*place);
        sentence.length >= least && !chapters::is_formula(chapter.words(&sentence.range))
    });
    let mut groups = chapters::same(material, places.iter().copied());
    let repeated: BTreeSet<SentencePosition> = groups.iter().flatten().copied().collect();
    let others = places.into_iter().filter(|place| !repeated.contains(place));
    groups.extend(chapters::nearly_same(material, others));
    groups.iter().map(|places| chapters::draft_of_places(material, end, places)).collect()
}
