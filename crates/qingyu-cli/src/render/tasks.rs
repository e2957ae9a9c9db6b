//! What came of a task, and the question whether texts may be changed.

use qingyu_studio::TaskMade;
use qingyu_studio::agents::orchestrator::{Write, WriteRequest};

use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, Page};
use super::wrap::shorten;

/// How much of a place that changes is shown.
const PLACE: usize = 240;
/// How many places of a change are shown.
const PLACES: usize = 12;

/// Draws the answer, and what of it can be relied on.
pub(crate) fn made(page: &mut Page<'_>, made: &TaskMade) {
    for line in made.output.lines() {
        page.paragraph(0, PLAIN, line);
    }
    page.gap();
    if made.confidence > 0.0 {
        page.labelled(2, "task-confidence", &format!("{:.0} %", made.confidence * 100.0));
    }
}

/// Draws what would be changed.
pub(crate) fn writes(page: &mut Page<'_>, request: &WriteRequest) {
    page.gap();
    page.paragraph(0, CARE.bold(), &page.texts().get("task-writes"));
    for write in &request.writes {
        change(page, write);
    }
}

fn change(page: &mut Page<'_>, write: &Write) {
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
