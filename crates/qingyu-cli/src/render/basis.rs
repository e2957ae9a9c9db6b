//! The basis of a verdict: the judges, skipped steps, inapplicable rules and unread chapters.

use qingyu_studio::story::basis::BlindRules;
use qingyu_studio::story::{Basis, ChapterCoverage, Judge, ReadState};

use super::numbers::ranges;
use super::page::{CARE, FAINT, PLAIN, TextPage};
use super::wrap::shorten;

/// Maximum displayed length of a failed step's reason.
const REASON: usize = 200;

/// Draws the basis of a verdict, with weakening facts last.
pub(crate) fn basis(page: &mut TextPage<'_>, indent: usize, basis: &Basis) {
    if !basis.has_checked() {
        page.say(indent, CARE, "basis-nothing", &[]);
        return;
    }
    let judge = page.texts().get(if basis.judge == Judge::Model { "judge-model" } else { "judge-rules" });
    let rules = [("looked", basis.rules.looked().into()), ("run", basis.rules.run.into()), ("judge", judge.into())];
    page.say(indent, FAINT, "basis-checked", &rules);
    if !basis.rules.blind.is_empty() {
        let texts = page.texts();
        let missing = basis.rules.blind.iter().map(|BlindRules { missing, codes }| {
            let kind = texts.word("piece", missing);
            texts.fill("basis-blind-kind", &[("kind", kind.into()), ("count", codes.len().into())])
        });
        let missing = missing.collect::<Vec<_>>().join(&texts.get("list-comma"));
        let count = basis.rules.run - basis.rules.looked();
        page.say(indent, FAINT, "basis-blind", &[("count", count.into()), ("missing", missing.into())]);
    }
    if basis.rules.off > 0 {
        page.say(indent, FAINT, "basis-off", &[("count", basis.rules.off.into())]);
    }
    for step in basis.unfinished() {
        let reason = shorten(step.reason.as_deref().unwrap_or_default(), REASON);
        let agent = step.agent.as_str().into();
        let arguments = [("step", step.step.to_string().into()), ("agent", agent), ("reason", reason.into())];
        page.say(indent, CARE, "basis-step-failed", &arguments);
    }
    chapters(page, indent, &basis.chapters);
}

/// Draws the reading coverage of a project's chapters, and the command to read the rest.
pub(crate) fn readings(page: &mut TextPage<'_>, indent: usize, project: &str, readings: &[ChapterCoverage]) {
    chapters(page, indent, readings);
    if readings.iter().any(|reading| reading.state.is_open()) {
        page.say(indent, FAINT, "reading-how", &[("project", project.into())]);
    }
}

/// Draws the reading coverage, listing the numbers of chapters not read by a model.
fn chapters(page: &mut TextPage<'_>, indent: usize, readings: &[ChapterCoverage]) {
    if readings.is_empty() {
        return;
    }
    let read = readings.iter().filter(|reading| reading.state == ReadState::Read).count();
    let counts = [("total", readings.len().into()), ("read", read.into())];
    page.say(indent, if read == readings.len() { PLAIN } else { CARE }, "reading-chapters", &counts);
    for state in ReadState::ALL.into_iter().filter(|state| state.is_open()) {
        let open: Vec<u32> =
            readings.iter().filter(|reading| reading.state == state).map(|reading| reading.chapter).collect();
        if !open.is_empty() {
            let key = format!("reading-{}", state.name().replace('_', "-"));
            let arguments = [("count", open.len().into()), ("chapters", ranges(&open).into())];
            page.say(indent + 2, CARE, &key, &arguments);
        }
    }
}
