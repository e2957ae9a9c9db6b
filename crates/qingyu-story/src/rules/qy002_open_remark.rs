//! QY002: an unresolved remark by a model about a chapter.

use super::{FindingDraft, Rule, RuleMaterial};
use crate::{Category, Remark, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy002_open_remark.toml");
    Rule::new("QY002", (Severity::Medium, Category::Quality, "style"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for chapter in &material.chapters {
        let document = chapter.document;
        let grave = |remark: &&Remark| remark.severity >= Severity::Medium && !remark.quote.trim().is_empty();
        for remark in document.remarks.iter().filter(grave) {
            let quote = remark.quote.trim();
            let Some(at) = document.text.find(quote) else { continue };
            let fix = if remark.fix.trim().is_empty() { "look" } else { "mend" };
            drafts.push(
                FindingDraft::about([chapter.handle(), remark.title.trim(), quote])
                    .say("title", remark.title.trim())
                    .say("why", remark.why.trim())
                    .say("fix", remark.fix.trim())
                    .affects(chapter.title())
                    .quote(chapter.anchor(&(at..at + quote.len())), quote)
                    .fix_text(fix, document, &[]),
            );
        }
    }
    drafts
}
