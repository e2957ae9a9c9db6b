//! QS061: a chapter breaks off within a sentence or a speech, and the next chapter does not continue the sentence.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::marks;
use crate::prose::AnalyzedChapter;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs061_broken_seam.toml");
    Rule::new("QS061", (Severity::Medium, Category::Consistency, "style"), texts, run)
}

/// Marks never ending a text.
const UNFINISHED: [char; 7] = ['，', '、', '；', '：', ',', ';', ':'];
/// Marks continuing a preceding text, besides closing marks.
const TAKES_UP: [char; 5] = ['…', '—', '-', '，', '.'];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let written: Vec<&AnalyzedChapter<'_>> =
        material.chapters.iter().filter(|chapter| chapter.prose.length > 0).collect();
    written.windows(2).filter_map(|pair| draft(pair[0], pair[1])).collect()
}

fn draft(before: &AnalyzedChapter<'_>, after: &AnalyzedChapter<'_>) -> Option<FindingDraft> {
    let (last, first) = (before.prose.paragraphs.last()?, after.prose.paragraphs.first()?);
    let ending = before.words(&last.range);
    // A mark missing after a complete sentence is a slip (QS042), not a cut text.
    let is_cut = before.prose.open_at_end.is_some() && !marks::ends_sentence(ending) && !ending.ends_with('…');
    let breaks_off = ending.ends_with(UNFINISHED) || is_cut;
    // A speech may continue across a chapter end by repeating its opening mark.
    let opener = before.prose.open_at_end.and_then(|at| before.document.text[at..].chars().next());
    let opening = after.words(&first.range);
    let takes_up = opening.starts_with(TAKES_UP)
        || opening.starts_with(marks::only_closes)
        || opener.is_some_and(|opener| opening.starts_with(opener));
    if !breaks_off || takes_up || before.document.order == after.document.order {
        return None;
    }
    let last = &before.prose.sentences.last()?.range;
    let draft = FindingDraft::about([before.handle(), after.handle()])
        .say("chapter", before.title())
        .say("next", after.title())
        .affects(before.title())
        .affects(after.title())
        .quotes([chapters::quote(before, last), chapters::quote(after, &after.prose.sentences.first()?.range)]);
    Some(draft.fix_text("rewrite", before.document, &[]))
}
