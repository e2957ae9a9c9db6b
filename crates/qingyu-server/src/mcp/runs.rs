//! Runs: begun, followed, answered and stopped by clients of the protocol.
//!
//! The tools (`start_run`, `get_run`, `answer_run`, `cancel_run`, `list_runs`, `list_events`) are tools of the engine
//! like all others, and give an answer at once. What the protocol has for work that takes long is added around them:
//!
//! - a call that names `wait_seconds` is answered when the run has ended or asks, with news on the way;
//! - a client that knows tasks is given the run as a task, by the run's id, which outlives this process as runs do;
//! - what a run asks is asked of the person in front of the client, if the client can ask one.

pub(super) mod question;
mod start;
pub(super) mod tasks;
pub(super) mod tools;
pub(super) mod waiting;

use qingyu_studio::{Error, EventKind, Outcome, Studio, StudioEvent};
use qingyu_tools::{Engine, ToolError};
use serde_json::{Value, json};

/// The name of the tool that begins runs.
pub(super) const START: &str = "start_run";
/// The name of the tool that shows one.
pub(super) const GET: &str = "get_run";
/// The name of the tool that answers what one asks.
pub(super) const ANSWER: &str = "answer_run";

/// Whether a tool of that name is for runs.
pub(super) fn is_for_runs(tool: &str) -> bool {
    matches!(tool, START | GET | ANSWER)
}

/// How many lines of reasoning a short answer has.
const LINES: usize = 5;

/// The runs of a studio.
#[derive(Debug, Clone)]
pub(super) struct Runs {
    pub(super) studio: Studio,
}

/// How far a run's log is.
pub(super) struct Log {
    /// Its first event.
    pub(super) first: Option<StudioEvent>,
    /// Its last event.
    pub(super) last: Option<StudioEvent>,
}

impl Runs {
    /// The runs of that studio, and their tools, which are added to `engine`.
    pub(super) fn new(studio: &Studio, engine: &mut Engine) -> Self {
        for tool in tools::all(studio) {
            if let Err(error) = engine.register(tool) {
                tracing::warn!(%error, "a tool for runs cannot be offered");
            }
        }
        Self { studio: studio.clone() }
    }

    /// The run as it stands, and the beginning and end of its log.
    pub(super) async fn look(&self, run: &str) -> Result<(Outcome, Log), Error> {
        let outcome = self.studio.outcome(run).await?;
        let mut log = Log { first: None, last: None };
        loop {
            let after = log.last.as_ref().map_or(0, |event| event.seq);
            let mut page = self.studio.events(&outcome.run, after).await?.into_iter();
            if log.first.is_none() {
                log.first = page.next();
                log.last.clone_from(&log.first);
            }
            match page.next_back() {
                Some(last) => log.last = Some(last),
                None => return Ok((outcome, log)),
            }
        }
    }
}

impl Log {
    /// The place of the last event; 0 if there is none.
    pub(super) fn end(&self) -> u64 {
        self.last.as_ref().map_or(0, |event| event.seq)
    }
}

/// A run in short, or with all that it made.
pub(super) fn document(outcome: &Outcome, is_whole: bool) -> Value {
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

/// An event in a line, for people who watch.
pub(super) fn line(kind: &EventKind) -> String {
    let event = serde_json::to_value(kind).unwrap_or_default();
    let details = ["agent", "task", "title", "path", "phase", "summary", "message", "step"];
    let text =
        |name: &str| event[name].as_str().or_else(|| event[name]["step"].as_str()).filter(|text| !text.is_empty());
    let details = details.into_iter().filter_map(text).map(|text| text.chars().take(80).collect::<String>());
    let kind = event["kind"].as_str().unwrap_or_default().replace('_', " ");
    std::iter::once(kind).chain(details).collect::<Vec<_>>().join(" · ")
}

/// A failure of the studio as that of a call.
pub(super) fn failed(error: &Error) -> ToolError {
    ToolError::Failed { code: error.code().to_owned(), message: error.to_string(), retryable: false }
}
