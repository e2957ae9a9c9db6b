//! Changes applied exactly as sent, by remote tools that have computed all consequences.

use axum::http::StatusCode;
use axum::response::Response;
use qingyu_story::{Provenance, Story};
use qingyu_tools::workspace::WorkspaceSave;
use qingyu_tools::workspace::remote::operation::{Operation, carry_out};
use serde_json::Value;
use uuid::Uuid;

use super::asked::{PERSON, WorkspaceChange, WorkspaceRequest, bad_request};
use super::to_wire::{self, answer};
use crate::http::HttpProblem;

/// The default author of exact changes.
const WORKSPACE: &str = "workspace";

/// Applies a single change.
pub(super) async fn one(WorkspaceChange(mut asked): WorkspaceChange) -> Result<Response, HttpProblem> {
    let operation = asked.operation()?;
    let expected = asked.expected()?;
    save(&asked, |story| carry_out(story, &operation).map_err(to_wire::refusal), expected).await
}

/// Applies several changes in a transaction.
pub(super) async fn batch(WorkspaceChange(mut asked): WorkspaceChange) -> Result<Response, HttpProblem> {
    let operations = asked.body.remove("operations").unwrap_or_default();
    let operations: Vec<Operation> = serde_path_to_error::deserialize(operations)
        .map_err(|error| bad_request(&format!("operations{}", error.path()), &error.inner().to_string()))?;
    let expected = asked.expected()?.or_else(|| asked.body.get("expected")?.as_u64());
    let all = |story: &mut Story| {
        let carried_out = |(place, operation)| {
            carry_out(story, operation).map_err(|refusal| to_wire::refusal(refusal).with("operation", place))
        };
        operations.iter().enumerate().try_for_each(carried_out)
    };
    save(&asked, all, expected).await
}

/// Saves the story changed by `change`. Saving again with the same idempotency key changes nothing.
///
/// Fails with 428 without an expected version: a result computed from a story must not overwrite a newer version.
async fn save(
    asked: &WorkspaceRequest,
    change: impl FnOnce(&mut Story) -> Result<(), HttpProblem>,
    expected: Option<u64>,
) -> Result<Response, HttpProblem> {
    let expected = expected.ok_or_else(|| {
        let title = "such a change names the version that it is made for, in If-Match";
        HttpProblem::new(StatusCode::PRECONDITION_REQUIRED, "precondition_required", title)
    })?;
    let provenance = match asked.provenance()? {
        Some(provenance) => provenance,
        None => Provenance { agent: PERSON.into(), tool: WORKSPACE.into(), ..Provenance::default() },
    };
    let key = asked.key()?.unwrap_or_else(|| Uuid::now_v7().to_string());
    let loaded = asked.load().await?;
    let mut after = Story::clone(&loaded.story);
    // Another version is a conflict, or already saved: the store decides.
    if loaded.version == expected {
        change(&mut after)?;
    }
    let save = WorkspaceSave { before: loaded.story, after, expected, key, provenance };
    let version = asked.project().workspace.save(save).await.map_err(to_wire::workspace)?;
    Ok(answer(&Value::Null, version))
}
