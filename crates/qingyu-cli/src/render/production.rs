//! Productions: phases, fields, replies and the next commands.

use std::path::PathBuf;

use qingyu_studio::agents::production::{Asks, Order, Turn};
use qingyu_studio::production::change::Changed;
use qingyu_studio::production::{Row, Status};
use qingyu_studio::story::production::{GlossaryTerm, Voice};
use qingyu_studio::{
    ContentFiles, FieldView, InputView, Outcome, PhaseRow, ProductionView, RunQuestion, RunStatus, ScheduleStatus,
    ScheduledRun, TemplateRow,
};

use super::failure::FailureText;
use super::lists::{self, moment};
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage};
use super::wrap::shorten;

/// Whether the reply of a turn was already shown by streaming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplyState {
    Read,
    Unread,
}

/// Maximum displayed length of a list of fields, in characters.
const FIELDS: usize = 160;

/// Draws the phases, each with its fields.
pub(crate) fn production(page: &mut TextPage<'_>, view: &ProductionView) {
    page.heading(&view.title);
    page.labelled(2, "ending-project", &view.project);
    page.labelled(2, "produce-template", &view.template);
    for row in &view.phases {
        phase(page, view, row);
    }
}

fn phase(page: &mut TextPage<'_>, view: &ProductionView, row: &PhaseRow) {
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

fn line(page: &mut TextPage<'_>, field: &Row) {
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

/// Draws the stale fields with reasons.
pub(crate) fn stale(page: &mut TextPage<'_>, rows: &[Row]) {
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
pub(crate) fn field(page: &mut TextPage<'_>, view: &FieldView) {
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
    for InputView { input, title, tokens, .. } in &view.inputs {
        let tokens = texts.fill("field-input-tokens", &[("tokens", (*tokens).into())]);
        page.labelled(2, "field-input", &format!("{title}  {input}{tokens}"));
    }
    page.gap();
    for text in view.text.lines() {
        page.paragraph(0, PLAIN, text);
        if text.trim().is_empty() {
            page.gap();
        }
    }
}

/// Draws the effect of changing a field.
pub(crate) fn change(page: &mut TextPage<'_>, project: &str, change: &Changed) {
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

/// Returns the reply of a run to its user.
pub(crate) fn words(outcome: &Outcome) -> Option<&Turn> {
    match &outcome.question {
        Some(RunQuestion::Turn { turn }) => Some(turn),
        _ => outcome.content_made().map(|made| &made.turn),
    }
}

/// Draws the reply of a run.
pub(crate) fn turn(page: &mut TextPage<'_>, outcome: &Outcome) {
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

/// Draws the warnings of a run.
pub(crate) fn warnings(page: &mut TextPage<'_>, warnings: &[String]) {
    for warning in warnings {
        page.lead(2, "! ", CARE, PLAIN, warning);
    }
}

/// Draws the status of a production at the end of a run, and the next commands.
pub(crate) fn ending(page: &mut TextPage<'_>, outcome: &Outcome, view: &ProductionView, said: ReplyState) {
    page.gap();
    page.line(&"─".repeat(page.width()));
    production(page, view);
    page.gap();
    lists::usage(page, &outcome.usage);
    warnings(page, &outcome.warnings);
    if said == ReplyState::Unread {
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

/// Draws the closing note of a conversation.
pub(crate) fn left(page: &mut TextPage<'_>, project: &str) {
    page.gap();
    page.say(0, FAINT, "produce-left", &[]);
    page.command(2, &format!("produce chat {project}"));
}

/// Draws the commands available in a conversation.
pub(crate) fn help(page: &mut TextPage<'_>) {
    for name in ["fields", "read", "go", "phase", "make", "stale", "research", "auto", "wait", "quit", "end"] {
        page.lead(2, &format!("/{name}  "), NAME, PLAIN, &page.texts().get(&format!("slash-{name}")));
    }
}

/// Draws the voice of a production.
pub(crate) fn voice(page: &mut TextPage<'_>, voice: &Voice) {
    if voice.is_empty() {
        page.say(0, FAINT, "produce-no-voice", &[]);
    }
    page.labelled(0, "voice-client", &voice.client);
    for sample in &voice.samples {
        page.labelled(0, "voice-sample", &shorten(sample, FIELDS));
    }
    let comma = page.texts().get("list-comma");
    page.labelled(0, "voice-forbidden", &voice.forbidden.join(&comma));
    for GlossaryTerm { term, instead_of } in &voice.glossary {
        page.labelled(0, "voice-term", &format!("{term}  ≠ {}", instead_of.join(&comma)));
    }
}

/// Draws a schedule with what came of the last turn.
pub(crate) fn schedule(page: &mut TextPage<'_>, status: &ScheduleStatus) {
    let (Some(every), Some(next)) = (&status.every, status.next) else {
        page.say(0, FAINT, "schedule-none", &[]);
        return;
    };
    page.say(0, PLAIN, "schedule-every", &[("every", every.as_str().into()), ("next", moment(next).into())]);
    let order = match &status.order {
        None => page.texts().get("schedule-next-phase"),
        Some(Order::MakeStale) => page.texts().get("schedule-stale"),
        Some(order) => order.words().unwrap_or_default().to_owned(),
    };
    page.labelled(0, "schedule-order", &order);
    if let Some(last) = &status.last {
        scheduled_run(page, last);
    }
}

fn scheduled_run(page: &mut TextPage<'_>, last: &ScheduledRun) {
    let at = ("at", moment(last.at).into());
    match (&last.failure, &last.run) {
        (Some(failure), _) => {
            let worded = FailureText::of(page.texts(), failure);
            page.say(0, CARE, "schedule-failed", &[at, ("message", worded.message.as_str().into())]);
            if let Some(hint) = &worded.hint {
                let lead = page.label("hint");
                page.lead(2, &lead, NAME, PLAIN, hint);
            }
        }
        (None, Some(run)) => {
            let state = last.status.map_or_else(String::new, |status| page.texts().word("status", status));
            page.say(0, PLAIN, "schedule-last", &[at, ("run", run.as_str().into()), ("status", state.into())]);
        }
        (None, None) => page.say(0, CARE, "schedule-lost", &[at]),
    }
}

/// Draws the templates.
pub(crate) fn templates(page: &mut TextPage<'_>, rows: &[TemplateRow]) {
    for row in rows {
        page.gap();
        page.lead(0, &format!("{}  ", row.name), NAME, STRONG, &row.title);
        page.paragraph(2, PLAIN, &row.description);
        page.paragraph(2, FAINT, &row.phases.join(" → "));
    }
}

/// Draws the exported files.
pub(crate) fn exported(page: &mut TextPage<'_>, paths: &[PathBuf], content: &ContentFiles) {
    for path in paths {
        page.say(0, GOOD, "produce-written", &[("path", path.display().to_string().into())]);
    }
    for problem in &content.problems {
        page.lead(2, "! ", CARE, PLAIN, &problem.text(page.texts().language()));
    }
    for text in &content.too_long {
        let arguments =
            [("channel", text.channel.as_str().into()), ("length", text.length.into()), ("limit", text.limit.into())];
        page.say(2, CARE, "produce-too-long", &arguments);
    }
}
