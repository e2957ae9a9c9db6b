//! Shapes that several routes give, and errors.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use qingyu_studio::{Error, ProjectRow, RunRow, RunStatus};
use serde_json::{Value, json};

use crate::http::{Problem, status};

/// What went wrong, as `{"detail": …}`.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    pub(super) detail: String,
}

impl Failure {
    pub(super) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into() }
    }

    /// Something that these servers can and ours cannot, or a value that is wrong.
    pub(super) fn unprocessable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::new(status(error.kind()), format!("{}: {error}", error.code()))
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        let document = problem.document();
        let status = StatusCode::from_u16(document.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::new(status, format!("{}: {}", document.code, document.title))
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"detail": self.detail}))).into_response()
    }
}

/// A project as a thread. `newest` is its newest run.
pub(super) fn thread(project: &ProjectRow, newest: Option<&RunRow>) -> Value {
    json!({
        "thread_id": project.project,
        "created_at": project.created,
        "updated_at": project.updated,
        "metadata": {"title": project.title, "premise": project.premise, "language": project.language},
        "status": newest.map_or("idle", |run| match run.status {
            RunStatus::Running => "busy",
            RunStatus::Waiting => "interrupted",
            RunStatus::Failed => "error",
            RunStatus::Done | RunStatus::Interrupted => "idle",
        }),
        "config": {},
        "values": null,
        "interrupts": {},
    })
}

/// A run as theirs.
pub(super) fn run(row: &RunRow) -> Value {
    json!({
        "run_id": row.run,
        "thread_id": row.project,
        "assistant_id": "",
        "created_at": row.started,
        "updated_at": row.ended.unwrap_or(row.started),
        "metadata": {"requirement": row.requirement, "model": row.model},
        "status": run_status(row.status),
        "kwargs": {},
        "multitask_strategy": "reject",
    })
}

/// How a run stands, in their words.
pub(super) fn run_status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Running => "running",
        RunStatus::Done => "success",
        RunStatus::Failed => "error",
        RunStatus::Waiting | RunStatus::Interrupted => "interrupted",
    }
}
