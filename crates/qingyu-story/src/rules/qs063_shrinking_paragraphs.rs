//! QS063: the paragraphs of a book grow shorter from beginning to end.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::AnalyzedChapter;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs063_shrinking_paragraphs.toml");
    Rule::new("QS063", (Severity::Low, Category::Quality, "style"), texts, run)
}

/// The minimum number of chapters to speak of a drift.
const LEAST_CHAPTERS: usize = 9;
/// The minimum number of paragraphs of a chapter to have an average.
const LEAST_PARAGRAPHS: usize = 3;
/// The maximum ratio between neighbouring thirds, in percent.
const STEP: usize = 80;
/// The maximum ratio between the last third and the first, in percent.
const WHOLE: usize = 45;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let measured: Vec<(&AnalyzedChapter<'_>, usize)> =
        material.chapters.iter().filter_map(|chapter| Some((chapter, average(chapter)?))).collect();
    if measured.len() < LEAST_CHAPTERS {
        return Vec::new();
    }
    let third = measured.len() / 3;
    let middle = |part: &[(&AnalyzedChapter<'_>, usize)]| {
        let mut lengths: Vec<usize> = part.iter().map(|(_, length)| *length).collect();
        lengths.sort_unstable();
        lengths[lengths.len() / 2]
    };
    let (begin, centre, end) = (
        middle(&measured[..third]),
        middle(&measured[third..measured.len() - third]),
        middle(&measured[measured.len() - third..]),
    );
    let falls = |from: usize, to: usize, most: usize| to * 100 <= from * most;
    if !(falls(begin, centre, STEP) && falls(centre, end, STEP) && falls(begin, end, WHOLE)) {
        return Vec::new();
    }
    let short = &measured[measured.len() - third..];
    let mut draft = FindingDraft::about(["book"])
        .say("first", measured[0].0.title())
        .say("last", measured[measured.len() - 1].0.title())
        .say("begin", begin.to_string())
        .say("end", end.to_string());
    for (chapter, _) in short {
        draft = draft.affects(chapter.title());
    }
    let quotes = [measured[0].0, measured[measured.len() - 1].0].into_iter();
    draft = draft.quotes(quotes.filter_map(|chapter| {
        let paragraph = chapter.prose.paragraphs.first()?;
        Some(chapters::quote(chapter, &paragraph.range))
    }));
    vec![short.iter().fold(draft, |draft, (chapter, _)| draft.fix_text("rewrite", chapter.document, &[]))]
}

/// Returns the average length of the paragraphs without speech, in words (Chinese characters).
fn average(chapter: &AnalyzedChapter<'_>) -> Option<usize> {
    let told: Vec<usize> = chapter
        .prose
        .paragraphs
        .iter()
        .filter(|paragraph| !chapter.prose.speeches.iter().any(|speech| paragraph.range.contains(&speech.range.start)))
        .map(|paragraph| paragraph.length)
        .filter(|length| *length > 0)
        .collect();
    (told.len() >= LEAST_PARAGRAPHS).then(|| told.iter().sum::<usize>() / told.len())
}
