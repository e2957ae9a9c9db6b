//! Runs, events and errors as the results of tools.

use qingyu_studio::{Error, Outcome, StudioEventKind};
use qingyu_tools::ToolError;
use serde_json::{Value, json};

/// Number of reasoning lines in a short response.
const LINES: usize = 5;

/// Returns a run as JSON, abridged or with all results.
pub(in crate::mcp) fn document(outcome: &Outcome, is_whole: bool) -> Value {
    if is_whole {
        return outcome.document();
    }
    let reasoning = &outcome.reasoning[outcome.reasoning.len().saturating_sub(LINES)..];
    json!({
        "run": outcome.run,
        "project": outcome.project,
        "status": outcome.status,
        "question": outcome.question,
        "reasoning": reasoning,
        "warnings": outcome.warnings,
        "errors": outcome.errors,
        "usage": outcome.usage,
    })
}

/// Returns an event as a line of text.
pub(in crate::mcp) fn line(kind: &StudioEventKind) -> String {
    let event = serde_json::to_value(kind).unwrap_or_default();
    let details = ["agent", "task", "title", "path", "phase", "summary", "message", "step"];
    let text =
        |name: &str| event[name].as_str().or_else(|| event[name]["step"].as_str()).filter(|text| !text.is_empty());
    let details = details.into_iter().filter_map(text).map(|text| text.chars().take(80).collect::<String>());
    let kind = event["kind"].as_str().unwrap_or_default().replace('_', " ");
    std::iter::once(kind).chain(details).collect::<Vec<_>>().join(" · ")
}

/// Converts an error of the studio to a tool error.
pub(in crate::mcp) fn failed(error: &Error) -> ToolError {
    ToolError::Failed { code: error.code().to_owned(), message: error.to_string(), retryable: false }
}
