//! The memories kept about the user.

use qingyu_studio::memory::long_term::Evidence;
use qingyu_studio::{MemoryRow, SessionTurn, SessionTurnRow};

use super::lists::moment;
use super::page::{FAINT, GOOD, NAME, PLAIN, STRONG, TextPage};
use super::wrap::shorten;

/// Maximum number of pieces of evidence shown, newest first.
const SHOWN: usize = 3;
/// Maximum displayed length of a piece of evidence.
const EXCERPT: usize = 60;

/// Draws all memories.
pub(crate) fn list(page: &mut TextPage<'_>, rows: &[MemoryRow]) {
    if rows.is_empty() {
        page.say(0, FAINT, "memories-none", &[]);
    }
    for row in rows {
        one(page, row);
    }
    page.gap();
    page.say(0, FAINT, "memories-how", &[]);
}

/// Draws a memory with its evidence.
pub(crate) fn one(page: &mut TextPage<'_>, row: &MemoryRow) {
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

/// Draws a note about a deleted memory.
pub(crate) fn forgotten(page: &mut TextPage<'_>, row: &MemoryRow) {
    page.say(0, GOOD, "memory-forgotten", &[("text", row.memory.text.as_str().into())]);
}

/// Draws a note about deleting all memories.
pub(crate) fn all_forgotten(page: &mut TextPage<'_>, count: usize) {
    page.say(0, GOOD, "memories-forgotten", &[("count", count.into())]);
}

/// Draws the remembered turns of a session.
pub(crate) fn turns(page: &mut TextPage<'_>, rows: &[SessionTurnRow]) {
    if rows.is_empty() {
        page.say(0, FAINT, "session-none", &[]);
    }
    for SessionTurnRow { turn, expires } in rows {
        let SessionTurn { project, said, answered, .. } = turn;
        page.lead(0, "> ", NAME, STRONG, said);
        page.paragraph(2, PLAIN, answered);
        let until = page.texts().fill("session-until", &[("time", moment(*expires).into())]);
        page.paragraph(2, FAINT, &format!("{project} · {until}"));
    }
}

/// Draws a note about forgetting a session.
pub(crate) fn session_forgotten(page: &mut TextPage<'_>, count: usize) {
    page.say(0, GOOD, "session-forgotten", &[("count", count.into())]);
}
