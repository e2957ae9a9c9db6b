//! Changes that are made exactly as they are given: by tools at a distance, which have worked out what follows from them.

use axum::http::StatusCode;
use axum::response::Response;
use qingyu_story::Story;
use qingyu_tools::workspace::remote::operation::{Operation, carry_out};
use qingyu_tools::workspace::{Provenance, Save};
use serde_json::Value;
use uuid::Uuid;

use super::asked::{Asked, Change, PERSON, bad_request};
use super::to_wire::{self, answer};
use crate::http::Problem;

/// By what such changes are made, if they do not say.
const WORKSPACE: &str = "workspace";

/// One change.
pub(super) async fn one(Change(mut asked): Change) -> Result<Response, Problem> {
    let operation = asked.operation()?;
    let expected = asked.expected()?;
    save(&asked, |story| carry_out(story, &operation).map_err(to_wire::refusal), expected).await
}

/// Several changes, all or none, in one transaction.
pub(super) async fn batch(Change(mut asked): Change) -> Result<Response, Problem> {
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

/// Saves what `change` makes of the story. Saving again under a key that was saved before changes nothing.
///
/// Fails with 428 if no version is expected: what was worked out from a story must not be put in the place of another.
async fn save(
    asked: &Asked,
    change: impl FnOnce(&mut Story) -> Result<(), Problem>,
    expected: Option<u64>,
) -> Result<Response, Problem> {
    let expected = expected.ok_or_else(|| {
        let title = "such a change names the version that it is made for, in If-Match";
        Problem::new(StatusCode::PRECONDITION_REQUIRED, "precondition_required", title)
    })?;
    let provenance = match asked.provenance()? {
        Some(provenance) => provenance,
        None => Provenance { agent: PERSON.into(), tool: WORKSPACE.into(), ..Provenance::default() },
    };
    let key = asked.key()?.unwrap_or_else(|| Uuid::now_v7().to_string());
    let loaded = asked.load().await?;
    let mut after = Story::clone(&loaded.story);
    // Made for another version, it is a conflict, or has been saved already: the store knows which.
    if loaded.version == expected {
        change(&mut after)?;
    }
    let save = Save { before: loaded.story, after, expected, key, provenance };
    let version = asked.project().workspace.save(save).await.map_err(to_wire::workspace)?;
    Ok(answer(&Value::Null, version))
}
