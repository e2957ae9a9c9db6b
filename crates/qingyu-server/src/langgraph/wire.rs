//! Shared response shapes.

use qingyu_studio::{RunRow, RunStatus};
use serde_json::{Map, Value, json};

use super::thread::Thread;

/// The fields of a thread.
pub(super) const THREAD: &[&str] = &[
    "thread_id",
    "created_at",
    "updated_at",
    "state_updated_at",
    "metadata",
    "status",
    "config",
    "context",
    "values",
    "interrupts",
    "error",
];

/// The states of a thread.
pub(super) const THREAD_STATUS: &[&str] = &["idle", "busy", "interrupted", "error"];

/// Returns a thread in the format of the API. `newest` is the newest run of its project.
pub(super) fn thread(thread: &Thread, newest: Option<&RunRow>) -> Value {
    let project = &thread.project;
    json!({
        "thread_id": thread.id,
        "created_at": project.created,
        "updated_at": project.updated,
        "state_updated_at": project.updated,
        "metadata": thread.metadata(),
        "status": thread_status(newest),
        "config": {},
        "context": {},
        "values": null,
        "interrupts": {},
        "error": null,
    })
}

/// Returns the state of a thread from its newest run.
pub(super) fn thread_status(newest: Option<&RunRow>) -> &'static str {
    newest.map_or("idle", |run| match run.status {
        RunStatus::Running => "busy",
        RunStatus::Waiting => "interrupted",
        RunStatus::Failed => "error",
        RunStatus::Done | RunStatus::Interrupted => "idle",
    })
}

/// Returns the checkpoint of a thread after a run.
pub(super) fn checkpoint(thread: &Thread, run: Option<&str>) -> Value {
    json!({"thread_id": thread.id, "checkpoint_ns": "", "checkpoint_id": run, "checkpoint_map": null})
}

/// The fields of a run.
pub(super) const RUN: &[&str] = &[
    "run_id",
    "thread_id",
    "assistant_id",
    "created_at",
    "updated_at",
    "status",
    "metadata",
    "kwargs",
    "multitask_strategy",
    "cancel_reason",
];

/// The states of a run in the vocabulary of the API.
pub(super) const RUN_STATUS: &[&str] = &["pending", "running", "error", "success", "timeout", "interrupted"];

/// Returns a run of a thread in the format of the API.
pub(super) fn run(row: &RunRow, thread: &Thread) -> Value {
    let note = thread.note.of_run(&row.run);
    let mut metadata = note.map(|note| note.metadata.clone()).unwrap_or_default();
    metadata.insert("requirement".into(), json!(row.requirement));
    metadata.insert("model".into(), json!(row.model));
    let config = note.map(|note| note.config.clone()).unwrap_or_default();
    let kwargs = if config.is_empty() { Map::new() } else { Map::from_iter([("config".to_owned(), config.into())]) };
    json!({
        "run_id": row.run,
        "thread_id": thread.id,
        "assistant_id": row.kind.name(),
        "created_at": row.started,
        "updated_at": row.ended.unwrap_or(row.started),
        "metadata": metadata,
        "status": run_status(row.status),
        "kwargs": kwargs,
        "multitask_strategy": "enqueue",
        "cancel_reason": null,
    })
}

/// Returns the run status in the vocabulary of the API.
pub(super) fn run_status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Running => "running",
        RunStatus::Done => "success",
        RunStatus::Failed => "error",
        RunStatus::Waiting | RunStatus::Interrupted => "interrupted",
    }
}
