//! QY925: a chapter of a genre that lives by hooks ends with nothing left open.

use super::endings::ChapterEnd;
use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::{Category, Severity, levels};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy925_nothing_pulls.toml");
    Rule::new("QY925", (Severity::Low, Category::Quality, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if !material.sequence_limits().every_ending_pulls {
        return Vec::new();
    }
    let genres = material.genres();
    let asking = genres.iter().filter(|genre| genre.sequence.every_ending_pulls).map(|genre| genre.name.clone());
    let asking: Vec<String> = asking.collect();
    let ends = ChapterEnd::all(material);
    // The book may end; a chapter after which more is planned may not.
    let last = if levels::is_open(material.story) { ends.len() } else { ends.len().saturating_sub(1) };
    ends[..last].iter().filter_map(|end| draft(end, &asking)).collect()
}

fn draft(end: &ChapterEnd<'_, '_>, asking: &[String]) -> Option<FindingDraft> {
    let (text, ending) = end.text.filter(|(_, ending)| ending.is_closed && !end.has_hook())?;
    let draft = FindingDraft::about([text.handle()])
        .say("chapter", text.title())
        .list("genres", asking.iter().cloned())
        .affects(text.title())
        .quotes([chapters::quote(text, &ending.range)]);
    Some(draft.fix_text("rewrite", text.document, &[]))
}
