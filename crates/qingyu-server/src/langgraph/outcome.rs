//! The runs of a thread, and their outcomes as states.

use qingyu_studio::{Error, Noun, Outcome, RunRow, Studio};
use serde_json::Value;

use super::error::LangGraphError;
use super::interrupt;
use super::thread::Thread;

/// Returns a run of a thread.
pub(super) async fn row(studio: &Studio, thread: &Thread, run: &str) -> Result<RunRow, LangGraphError> {
    let found = match studio.run(run).await {
        Ok(row) => Some(row).filter(|row| row.run == run && row.project == thread.project.project),
        Err(Error::Unknown { what: Noun::Run, .. } | Error::Ambiguous { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let run = run.chars().take(80).collect::<String>();
    found.ok_or_else(|| LangGraphError::missing(format!("the thread has no run {run}")))
}

/// Returns the newest run of a project.
pub(super) async fn newest(studio: &Studio, project: &str) -> Result<Option<RunRow>, Error> {
    studio.newest_run(project).await
}

/// Returns the state of a run: its document, with its question under `__interrupt__`; at a breakpoint the list is empty.
pub(super) async fn values(studio: &Studio, run: &str) -> Result<Value, Error> {
    Ok(told(&studio.outcome(run).await?))
}

/// Returns an outcome or its question as a state.
pub(super) fn told(outcome: &Outcome) -> Value {
    let mut values = outcome.document();
    if let Some(question) = &outcome.question {
        values["__interrupt__"] = interrupt::interrupts(&outcome.run, question);
    }
    values
}
