//! QS062: two chapters begin, or end, with nearly the same sentence.

use std::collections::BTreeSet;

use super::chapters::Place;
use super::{Draft, Material, Rule, chapters};
use crate::{Category, Language, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs062_same_beginning_or_end.toml");
    Rule::new("QS062", (Severity::Low, Category::Quality, "style"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let count = |chapter: usize| material.chapters[chapter].prose.sentences.len();
    // A chapter of one sentence is a beginning only.
    let first = |chapter: usize| (count(chapter) > 0).then_some(Place { chapter, sentence: 0 });
    let last = |chapter: usize| (count(chapter) > 1).then(|| Place { chapter, sentence: count(chapter) - 1 });
    let mut drafts = draw(material, "beginning", (0..material.chapters.len()).filter_map(first).collect());
    drafts.extend(draw(material, "end", (0..material.chapters.len()).filter_map(last).collect()));
    drafts
}

/// What every chapter of a form of novels begins or ends with, and what publishers put there.
const FORMULAS: [&str; 30] = [
    "下回分解", "下囘分解", "下回分說", "下文分解", "下章分解", "下卷分解", "且看下回", "且聽下回", "且听下回", "再聽下回", "再听下回", "且看下文",
    "欲知後事", "欲知后事", "後事如何", "后事如何", "未知如何", "不知如何", "不知後來如何", "不知后来如何", "且待下回", "書接上回", "书接上回", "上回說到",
    "上回说到", "未完待续", "未完待續", "to be continued", "end of chapter", "end of volume",
];

fn is_formula(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    FORMULAS.iter().any(|words| sentence.contains(words))
}

fn draw(material: &Material<'_>, end: &'static str, mut places: Vec<Place>) -> Vec<Draft> {
    places.retain(|place| {
        let chapter = &material.chapters[place.chapter];
        let least = if chapter.prose.language == Language::Zh { 10 } else { 7 };
        let sentence = material.sentence(*place);
        sentence.length >= least && !is_formula(chapter.words(&sentence.range))
    });
    let mut groups = chapters::same(material, places.iter().copied());
    let repeated: BTreeSet<Place> = groups.iter().flatten().copied().collect();
    let others = places.into_iter().filter(|place| !repeated.contains(place));
    groups.extend(chapters::nearly_same(material, others));
    groups.iter().map(|places| chapters::draft_of_places(material, end, places)).collect()
}
