//! QY414: a panel works out a number wrongly.

use super::{FindingDraft, Rule, RuleMaterial};
use crate::panel::blocks::panels;
use crate::prose::AnalyzedChapter;
use crate::truth::plain;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy414_panel_sum.toml");
    Rule::new("QY414", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    material.chapters.iter().flat_map(drafts).collect()
}

fn drafts(chapter: &AnalyzedChapter<'_>) -> Vec<FindingDraft> {
    let text = &chapter.document.text;
    let all = panels(text);
    let entries = all.iter().flat_map(|panel| &panel.entries);
    let wrong = entries.filter_map(|entry| entry.wrong_sum().map(|sums| (entry, sums)));
    wrong
        .map(|(entry, (sum, said))| {
            let line = text[entry.range.clone()].trim();
            FindingDraft::about([chapter.handle(), line])
                .say("chapter", chapter.title())
                .say("line", line)
                .say("key", entry.key.clone())
                .say("sum", plain(sum).to_string())
                .say("said", plain(said).to_string())
                .affects(chapter.title())
                .quotes([super::chapters::quote(chapter, &entry.range)])
                .fix_text("sum", chapter.document, &[])
        })
        .collect()
}
