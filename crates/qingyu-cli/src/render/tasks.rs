//! The result of a task, and the request for permission to change texts.

use qingyu_studio::TaskOutput;
use qingyu_studio::agents::orchestrator::{UndecidedPart, Write, WriteRequest};

use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, TextPage};
use super::wrap::shorten;

/// Maximum displayed length of a changed passage.
const PLACE: usize = 240;
/// Maximum number of passages shown per change.
const PLACES: usize = 12;

/// Draws the answer with its reliability.
pub(crate) fn made(page: &mut TextPage<'_>, made: &TaskOutput) {
    for line in made.output.lines() {
        page.paragraph(0, PLAIN, line);
    }
    page.gap();
    if made.confidence > 0.0 {
        page.labelled(2, "task-confidence", &format!("{:.0} %", made.confidence * 100.0));
    }
}

/// Draws the proposed changes.
pub(crate) fn writes(page: &mut TextPage<'_>, request: &WriteRequest) {
    page.gap();
    page.paragraph(0, CARE.bold(), &page.texts().get("task-writes"));
    for write in &request.writes {
        change(page, write);
    }
}

/// Draws a part whose words do not decide on an agent, with the numbered agents.
pub(crate) fn undecided(page: &mut TextPage<'_>, part: &UndecidedPart) {
    page.gap();
    page.paragraph(0, CARE.bold(), &page.texts().get("task-which-agent"));
    page.lead(2, &format!("{}  ", part.task), NAME, PLAIN, &part.description);
    for (number, agent) in (1_usize..).zip(&part.agents) {
        page.lead(4, &format!("{number}  {}  ", agent.name), NAME, FAINT, &agent.does);
    }
}

fn change(page: &mut TextPage<'_>, write: &Write) {
    let Write { task, proposal, .. } = write;
    page.lead(2, &format!("{task}  "), NAME, PLAIN, &proposal.title);
    for span in proposal.spans.iter().take(PLACES) {
        for (mark, style, text) in [("- ", FAINT, &span.before), ("+ ", GOOD, &span.after)] {
            if !text.trim().is_empty() {
                page.lead(4, mark, style, style, &shorten(text.trim(), PLACE));
            }
        }
    }
    let more = proposal.spans.len().saturating_sub(PLACES);
    if more > 0 {
        page.say(4, FAINT, "task-more-places", &[("count", more.into())]);
    }
}
