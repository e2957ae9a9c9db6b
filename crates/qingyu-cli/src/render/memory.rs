//! What is remembered of the user.

use qingyu_studio::MemoryRow;
use qingyu_studio::memory::long_term::Evidence;

use super::lists::moment;
use super::page::{FAINT, GOOD, NAME, PLAIN, Page, STRONG};
use super::wrap::shorten;

/// How many pieces of evidence are shown, the newest.
const SHOWN: usize = 3;
/// How much of a piece of evidence is shown.
const EXCERPT: usize = 60;

/// All that is remembered.
pub(crate) fn list(page: &mut Page<'_>, rows: &[MemoryRow]) {
    if rows.is_empty() {
        page.say(0, FAINT, "memories-none", &[]);
    }
    for row in rows {
        one(page, row);
    }
    page.gap();
    page.say(0, FAINT, "memories-how", &[]);
}

/// One memory with what it rests on.
pub(crate) fn one(page: &mut Page<'_>, row: &MemoryRow) {
    let texts = page.texts();
    let memory = &row.memory;
    let style = if row.active { STRONG } else { FAINT };
    page.lead(0, &format!("{}  ", memory.id), NAME, style, &memory.text);
    let facts = [
        texts.word("memory-kind", memory.kind),
        texts.word("memory-standing", memory.standing),
        texts.fill("memory-count", &[("count", memory.count.into())]),
        match &memory.project {
            Some(project) => texts.fill("memory-project", &[("project", project.as_str().into())]),
            None => texts.get("memory-everywhere"),
        },
        moment(memory.changed),
    ];
    page.paragraph(4, FAINT, &facts.join(" · "));
    for evidence in memory.evidence.iter().rev().take(SHOWN) {
        let what = texts.word("memory-what", evidence.what);
        let what = if evidence.place.is_empty() { what } else { format!("{what} {}", evidence.place) };
        let words = words(evidence);
        match words.is_empty() {
            true => page.paragraph(4, FAINT, &format!("- {what}")),
            false => {
                let lead = texts.fill("label", &[("name", what.into())]);
                page.lead(4, &format!("- {lead}"), FAINT, PLAIN, &words);
            }
        }
    }
}

fn words(evidence: &Evidence) -> String {
    let (before, after) = (shorten(&evidence.before, EXCERPT), shorten(&evidence.after, EXCERPT));
    match after.is_empty() {
        true => before,
        false => format!("{before} → {after}"),
    }
}

/// That one is gone.
pub(crate) fn forgotten(page: &mut Page<'_>, row: &MemoryRow) {
    page.say(0, GOOD, "memory-forgotten", &[("text", row.memory.text.as_str().into())]);
}

/// That all are gone.
pub(crate) fn all_forgotten(page: &mut Page<'_>, count: usize) {
    page.say(0, GOOD, "memories-forgotten", &[("count", count.into())]);
}
