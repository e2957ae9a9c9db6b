//! QS061: a chapter breaks off in the middle of a sentence or a speech, and the next begins as if it had not.

use super::{Draft, Material, Rule, chapters};
use crate::marks;
use crate::prose::Chapter;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs061_broken_seam.toml");
    Rule::new("QS061", (Severity::Medium, Category::Consistency, "style"), texts, run)
}

/// Marks that no text ends with.
const UNFINISHED: [char; 7] = ['，', '、', '；', '：', ',', ';', ':'];
/// Marks with which a text takes up what another left, beside closing ones.
const TAKES_UP: [char; 5] = ['…', '—', '-', '，', '.'];

fn run(material: &Material<'_>) -> Vec<Draft> {
    let written: Vec<&Chapter<'_>> = material.chapters.iter().filter(|chapter| chapter.prose.length > 0).collect();
    written.windows(2).filter_map(|pair| draft(pair[0], pair[1])).collect()
}

fn draft(before: &Chapter<'_>, after: &Chapter<'_>) -> Option<Draft> {
    let (last, first) = (before.prose.paragraphs.last()?, after.prose.paragraphs.first()?);
    let ending = before.words(&last.range);
    // A mark that is missing behind a whole sentence is a slip of the pen (QS042), not the end of a page.
    let is_cut = before.prose.open_at_end.is_some() && !marks::ends_sentence(ending);
    let breaks_off = ending.ends_with(UNFINISHED) || is_cut;
    // A speech may go on over the end of a chapter: then it is opened anew.
    let opener = before.prose.open_at_end.and_then(|at| before.document.text[at..].chars().next());
    let opening = after.words(&first.range);
    let takes_up = opening.starts_with(TAKES_UP) || opening.starts_with(marks::only_closes) || opener.is_some_and(|opener| opening.starts_with(opener));
    if !breaks_off || takes_up || before.document.order == after.document.order {
        return None;
    }
    let last = &before.prose.sentences.last()?.range;
    let draft = Draft::about([before.handle(), after.handle()])
        .say("chapter", before.title())
        .say("next", after.title())
        .affects(before.title())
        .affects(after.title())
        .quotes([chapters::quote(before, last), chapters::quote(after, &after.prose.sentences.first()?.range)]);
    Some(draft.fix_text("rewrite", before.document, &[]))
}
