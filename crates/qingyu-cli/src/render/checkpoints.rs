//! The history, the states and the prompts of a run.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use qingyu_studio::{
    CheckpointRow, CheckpointSource, CheckpointState, EditedRun, ForkedRun, NodePrompts, RecordedMessage,
    RecordedPrompt, RunRow, StateField,
};
use serde_json::Value;

use super::lists::moment;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage};
use super::wrap::shorten;
use crate::texts::LocalizedTexts;

/// Maximum number of fields named in a row of the history.
const FIELDS: usize = 4;
/// Maximum displayed length of a value.
const EXCERPT: usize = 160;

/// Draws the checkpoints of a run.
pub(crate) fn history(page: &mut TextPage<'_>, run: &str, rows: &[CheckpointRow]) {
    let texts = page.texts();
    let Some(first) = rows.first() else { return page.say(0, FAINT, "checkpoints-none", &[]) };
    let header = ["checkpoint-number", "column-at", "column-ran", "column-written", "column-next"];
    let header = header.map(|key| texts.get(key));
    let table: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let number = match row.branch {
                0 => row.checkpoint.to_string(),
                branch => format!("{} ({branch})", row.checkpoint),
            };
            let ran = match row.source {
                CheckpointSource::Loop => row.ran.join("\n"),
                source => texts.word("checkpoint-source", source),
            };
            let next = if row.next.is_empty() { texts.get("checkpoint-end") } else { row.next.join("\n") };
            vec![number, row.at.map_or_else(String::new, minute), ran, fields(texts, &row.written), next]
        })
        .collect();
    page.table(&header, &table, &[], &[0]);
    page.say(0, FAINT, "checkpoints-how", &[("run", run.into()), ("checkpoint", first.checkpoint.into())]);
    if let Some(last) = rows.last().filter(|row| row.parent.is_some()) {
        page.say(0, FAINT, "checkpoints-more", &[("run", run.into()), ("checkpoint", last.checkpoint.into())]);
    }
}

/// Draws the state of a run at a checkpoint: fields with a value in a table, then the names of the empty fields.
pub(crate) fn state(page: &mut TextPage<'_>, state: &CheckpointState) {
    let texts = page.texts();
    let comma = texts.get("list-comma");
    let row = &state.checkpoint;
    let head = [("checkpoint", row.checkpoint.into()), ("run", state.run.as_str().into())];
    page.paragraph(0, STRONG, &texts.fill("checkpoint-title", &head));
    page.labelled(2, "column-at", &row.at.map_or_else(String::new, moment));
    page.labelled(2, "column-source", &texts.word("checkpoint-source", row.source));
    page.labelled(2, "column-ran", &row.ran.join(&comma));
    page.labelled(2, "column-written", &row.written.join(&comma));
    page.labelled(2, "checkpoint-next", &row.next.join(&comma));
    match &state.question {
        Some(question) if question.is_breakpoint() => page.say(2, CARE, "breakpoint-title", &[]),
        Some(_) => page.say(2, CARE, "ending-waiting", &[]),
        None => {}
    }
    if let Some(failure) = &state.failure {
        page.labelled(2, "checkpoint-failure", failure);
    }
    page.gap();
    let (mut table, mut empty) = (Vec::new(), Vec::new());
    for StateField { name, is_editable, .. } in &state.fields {
        match state.values.get(name).and_then(|value| in_words(texts, value)) {
            Some(words) => {
                let mark = if *is_editable { "" } else { " *" };
                table.push(vec![format!("{name}{mark}"), words]);
            }
            None => empty.push(name.clone()),
        }
    }
    let header = ["field", "value"].map(|key| texts.get(&format!("column-{key}")));
    page.table(&header, &table, &[], &[]);
    page.say(0, FAINT, "checkpoint-closed", &[]);
    page.labelled(0, "checkpoint-empty", &empty.join(&comma));
    page.labelled(0, "checkpoint-nodes", &state.nodes.join(&comma));
}

/// Draws the prompts of a node.
pub(crate) fn prompts(page: &mut TextPage<'_>, prompts: &NodePrompts) {
    let texts = page.texts();
    if let Some(correction) = &prompts.correction {
        page.paragraph(0, STRONG, &texts.fill("prompt-correction", &[("node", prompts.node.as_str().into())]));
        page.paragraph(2, PLAIN, correction);
    }
    prompts.prompts.iter().for_each(|recorded| prompt(page, recorded));
    if prompts.prompts.is_empty() {
        page.say(0, FAINT, if prompts.is_recorded { "prompts-none" } else { "prompts-unrecorded" }, &[]);
    }
}

fn prompt(page: &mut TextPage<'_>, prompt: &RecordedPrompt) {
    let texts = page.texts();
    let head = [("superstep", prompt.superstep.into()), ("purpose", prompt.purpose.as_str().into())];
    page.heading(&texts.fill("prompt-title", &head));
    for RecordedMessage { role, text } in &prompt.messages {
        page.paragraph(2, NAME, &texts.word("prompt-role", role));
        page.paragraph(4, PLAIN, text);
    }
    page.paragraph(2, NAME, &texts.get("prompt-answer"));
    page.paragraph(4, PLAIN, &prompt.answer);
}

/// Draws an edited run.
pub(crate) fn edited(page: &mut TextPage<'_>, edited: &EditedRun) {
    let arguments = [("checkpoint", edited.checkpoint.into()), ("run", edited.run.as_str().into())];
    page.say(0, GOOD, if edited.is_fork { "checkpoint-edited-fork" } else { "checkpoint-edited" }, &arguments);
    due_nodes(page, &edited.run, &edited.next);
}

/// Draws a forked run.
pub(crate) fn forked(page: &mut TextPage<'_>, forked: &ForkedRun) {
    page.say(0, GOOD, "checkpoint-forked", &[("run", forked.run.as_str().into())]);
    due_nodes(page, &forked.run, &forked.next);
}

/// Draws who may answer the run.
pub(crate) fn approver(page: &mut TextPage<'_>, row: &RunRow) {
    let run = ("run", row.run.as_str().into());
    match &row.approver {
        Some(name) => page.say(0, PLAIN, "run-approver", &[("name", name.as_str().into()), run]),
        None => page.say(0, PLAIN, "run-no-approver", &[run]),
    }
}

/// Draws the due nodes and the command that continues the run.
fn due_nodes(page: &mut TextPage<'_>, run: &str, next: &[String]) {
    let comma = page.texts().get("list-comma");
    if next.is_empty() {
        return page.say(2, FAINT, "checkpoint-end", &[]);
    }
    page.labelled(2, "checkpoint-next", &next.join(&comma));
    page.command(2, &format!("resume {run}"));
    page.say(6, FAINT, "next-resume", &[]);
}

/// Returns the first of the written fields, a line each, and the number of the others.
fn fields(texts: &LocalizedTexts, written: &[String]) -> String {
    let named = written.iter().take(FIELDS).cloned().collect::<Vec<_>>().join("\n");
    match written.len().saturating_sub(FIELDS) {
        0 => named,
        more => format!("{named}\n{}", texts.fill("checkpoint-more-fields", &[("count", more.into())])),
    }
}

/// Formats a time in the local time zone without the year.
fn minute(at: Timestamp) -> String {
    at.to_zoned(TimeZone::system()).strftime("%m-%d %H:%M").to_string()
}

/// Returns a value in words; `None` for an empty value.
fn in_words(texts: &LocalizedTexts, value: &Value) -> Option<String> {
    let name = |item: &Value| {
        let named = ["name", "title", "text", "id"].into_iter().find_map(|key| item.get(key)?.as_str());
        named.or_else(|| item.as_str()).map(str::to_owned)
    };
    let comma = texts.get("list-comma");
    match value {
        Value::Null => None,
        Value::String(text) => Some(shorten(text, EXCERPT)).filter(|text| !text.is_empty()),
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => {
            let names = items.iter().filter_map(name).collect::<Vec<_>>().join(&comma);
            let values = [("count", items.len().into()), ("names", shorten(&names, EXCERPT).into())];
            Some(texts.fill(if names.is_empty() { "checkpoint-count" } else { "made-count" }, &values))
        }
        Value::Object(fields) if fields.is_empty() => None,
        Value::Object(fields) => {
            let names = fields.keys().cloned().collect::<Vec<_>>().join(&comma);
            let values = [("count", fields.len().into()), ("names", shorten(&names, EXCERPT).into())];
            Some(texts.fill("made-count", &values))
        }
        plain => Some(plain.to_string()),
    }
}
