//! Productions: their phases and fields, what they say, and what to type next.

use std::path::PathBuf;

use qingyu_studio::agents::production::{Asks, Turn};
use qingyu_studio::production::change::Changed;
use qingyu_studio::production::{Row, Status};
use qingyu_studio::{ContentFiles, FieldView, Outcome, PhaseRow, ProductionView, Question, RunStatus, TemplateRow};

use super::lists;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, Page, STRONG};
use super::wrap::shorten;

/// Whether a user has read what a turn says, while it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Said {
    Read,
    Unread,
}

/// How many characters of a list of fields are shown.
const FIELDS: usize = 160;

/// Draws the phases, each with its fields.
pub(crate) fn production(page: &mut Page<'_>, view: &ProductionView) {
    page.heading(&view.title);
    page.labelled(2, "ending-project", &view.project);
    page.labelled(2, "produce-template", &view.template);
    for row in &view.phases {
        phase(page, view, row);
    }
}

fn phase(page: &mut Page<'_>, view: &ProductionView, row: &PhaseRow) {
    let texts = page.texts();
    let (mark, style) = match (row.phase.is_done, row.phase.name == view.current_phase) {
        (_, true) => ("▶ ", NAME),
        (true, false) => ("✓ ", GOOD),
        (false, false) => ("· ", FAINT),
    };
    page.gap();
    let how = texts.word("autonomy", row.phase.autonomy);
    page.lead(0, mark, style, STRONG, &format!("{}  ({}, {how})", row.phase.title, row.phase.name));
    for field in view.fields.iter().filter(|field| field.phase == row.phase.name) {
        line(page, field);
    }
}

fn line(page: &mut Page<'_>, field: &Row) {
    let texts = page.texts();
    let (mark, style) = match field.status {
        Status::Empty => ("○ ", FAINT),
        Status::Draft => ("◐ ", CARE),
        Status::Confirmed => ("● ", GOOD),
        Status::Stale => ("! ", CARE),
    };
    let status = texts.word("field-status", field.status);
    let figures = match field.status {
        Status::Empty => String::new(),
        _ => texts.fill("field-figures", &[("version", field.version.into()), ("length", field.length.into())]),
    };
    page.lead(2, mark, style, PLAIN, &format!("{}  {}  {status}{figures}", field.title, field.path));
}

/// Draws the stale fields, and why they are.
pub(crate) fn stale(page: &mut Page<'_>, rows: &[Row]) {
    if rows.is_empty() {
        page.say(0, FAINT, "produce-nothing-stale", &[]);
    }
    let comma = page.texts().get("list-comma");
    for row in rows {
        line(page, row);
        page.labelled(4, "produce-because", &row.because.join(&comma));
    }
}

/// Draws a field with its value.
pub(crate) fn field(page: &mut Page<'_>, view: &FieldView) {
    let texts = page.texts();
    page.heading(&view.field.title);
    page.labelled(2, "field-path", &view.field.path);
    page.labelled(2, "field-state", &texts.word("field-status", view.status));
    if view.field.version > 0 {
        page.labelled(2, "field-version", &view.field.version.to_string());
    }
    if let Some(maker) = &view.field.made_by {
        let model = maker.model.as_deref().map(|model| format!("  {model}")).unwrap_or_default();
        page.labelled(2, "field-maker", &format!("{}{model}", texts.word("agent", &maker.agent)));
    }
    let comma = texts.get("list-comma");
    page.labelled(2, "field-depends", &shorten(&view.field.depends_on.join(&comma), FIELDS));
    page.labelled(2, "field-dependents", &shorten(&view.dependents.join(&comma), FIELDS));
    page.gap();
    for text in view.text.lines() {
        page.paragraph(0, PLAIN, text);
        if text.trim().is_empty() {
            page.gap();
        }
    }
}

/// Draws what a change of a field did.
pub(crate) fn change(page: &mut Page<'_>, project: &str, change: &Changed) {
    let texts = page.texts();
    let version = ("version", change.version.into());
    page.say(0, GOOD, "produce-updated", &[("path", change.path.as_str().into()), version]);
    let comma = texts.get("list-comma");
    page.labelled(2, "produce-added", &change.added.join(&comma));
    page.labelled(2, "produce-removed", &change.removed.join(&comma));
    page.labelled(2, "produce-stale", &change.stale.join(&comma));
    if !change.stale.is_empty() {
        page.command(2, &format!("produce regenerate {project}"));
        page.say(6, FAINT, "next-regenerate", &[]);
    }
}

/// What a run says to its user.
pub(crate) fn words(outcome: &Outcome) -> Option<&Turn> {
    match &outcome.question {
        Some(Question::Turn { turn }) => Some(turn),
        _ => outcome.content_made().map(|made| &made.turn),
    }
}

/// Draws what a run says.
pub(crate) fn turn(page: &mut Page<'_>, outcome: &Outcome) {
    let Some(said) = words(outcome) else { return };
    page.gap();
    let style = if said.asks == Asks::Confirm { STRONG } else { PLAIN };
    for line in said.text.lines() {
        page.paragraph(0, style, line);
        if line.trim().is_empty() {
            page.gap();
        }
    }
}

/// Draws what a run warns of.
pub(crate) fn warnings(page: &mut Page<'_>, warnings: &[String]) {
    for warning in warnings {
        page.lead(2, "! ", CARE, PLAIN, warning);
    }
}

/// Draws how a production stands at the end of a run, and what to type next.
pub(crate) fn ending(page: &mut Page<'_>, outcome: &Outcome, view: &ProductionView, said: Said) {
    page.gap();
    page.line(&"─".repeat(page.width()));
    production(page, view);
    page.gap();
    lists::usage(page, &outcome.usage);
    warnings(page, &outcome.warnings);
    if said == Said::Unread {
        turn(page, outcome);
    }
    page.gap();
    let project = &outcome.project;
    let mut lines = vec![(format!("produce chat {project}"), "next-chat")];
    if outcome.status == RunStatus::Done {
        lines.push((format!("produce export {project} --format docx"), "next-export-content"));
    }
    lines.push((format!("produce read {project} …"), "next-read"));
    page.paragraph(0, STRONG, &page.texts().get("next-title"));
    for (command, key) in lines {
        page.command(2, &command);
        page.say(6, FAINT, key, &[]);
    }
}

/// Draws what is left when the user leaves a conversation.
pub(crate) fn left(page: &mut Page<'_>, project: &str) {
    page.gap();
    page.say(0, FAINT, "produce-left", &[]);
    page.command(2, &format!("produce chat {project}"));
}

/// Draws what can be typed in a conversation beside words.
pub(crate) fn help(page: &mut Page<'_>) {
    for name in ["fields", "read", "go", "phase", "make", "stale", "research", "auto", "wait", "quit", "end"] {
        page.lead(2, &format!("/{name}  "), NAME, PLAIN, &page.texts().get(&format!("slash-{name}")));
    }
}

/// Draws the templates.
pub(crate) fn templates(page: &mut Page<'_>, rows: &[TemplateRow]) {
    for row in rows {
        page.gap();
        page.lead(0, &format!("{}  ", row.name), NAME, STRONG, &row.title);
        page.paragraph(2, PLAIN, &row.description);
        page.paragraph(2, FAINT, &row.phases.join(" → "));
    }
}

/// Draws what was written.
pub(crate) fn exported(page: &mut Page<'_>, paths: &[PathBuf], content: &ContentFiles) {
    for path in paths {
        page.say(0, GOOD, "produce-written", &[("path", path.display().to_string().into())]);
    }
    let comma = page.texts().get("list-comma");
    page.labelled(2, "produce-missing", &content.missing.join(&comma));
    page.labelled(2, "produce-stale", &content.stale.join(&comma));
    for text in &content.too_long {
        let arguments =
            [("channel", text.channel.as_str().into()), ("length", text.length.into()), ("limit", text.limit.into())];
        page.say(2, CARE, "produce-too-long", &arguments);
    }
}
