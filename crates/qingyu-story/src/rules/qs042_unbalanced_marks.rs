//! QS042: an unmatched quotation mark or bracket.

use super::{FindingDraft, Rule, RuleMaterial, chapters};
use crate::prose::{ProseSlip, SlipKind};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qs042_unbalanced_marks.toml");
    Rule::new("QS042", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    // A long tale told aloud goes on in the next chapter, which opens the mark anew.
    let goes_on = |at: usize, slip: &ProseSlip| {
        let chapter = &material.chapters[at];
        let mark = chapter.document.text[slip.range.start..].chars().next();
        let next = material.chapters.get(at + 1).map(|next| next.document.text.trim_start());
        chapter.prose.open_at_end == Some(slip.range.start)
            && mark.zip(next).is_some_and(|(mark, next)| next.starts_with(mark))
    };
    chapters::slips_where(material, SlipKind::Unbalanced, |at, slip| !goes_on(at, slip))
}
