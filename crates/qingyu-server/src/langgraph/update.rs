//! Edits of a thread's state.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::Path;
use qingyu_studio::Right;
use serde_json::{Value, json};

use super::error::LangGraphError;
use super::fields::Fields;
use super::outcome::newest;
use super::thread::Thread;
use super::threads::id_of;
use super::wire;
use crate::http::{HttpCaller, HttpProblem};

/// Edits the state of the newest run of a thread; the response names the checkpoint with the edit. An edit that makes
/// finished nodes run again is made in a fork of the run, which is then the newest run of the thread.
pub(super) async fn update(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    mut fields: Fields,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    studio.scope().demand(Right::Write)?;
    let thread = Thread::find(&studio, &thread).await?;
    let values = fields.read::<BTreeMap<String, Value>>("values")?.unwrap_or_default();
    let as_node = fields.read::<String>("as_node")?.filter(|node| !node.is_empty());
    let mut checkpoint = fields.object("checkpoint")?;
    let given = [fields.read::<String>("checkpoint_id")?, id_of(&mut checkpoint, &thread)?];
    checkpoint.finish()?;
    fields.finish()?;
    let Some(run) = newest(&studio, &thread.project.project).await? else {
        return Err(LangGraphError::unprocessable("the thread has no state to edit: start a run first"));
    };
    if given.iter().flatten().any(|given| !given.is_empty() && *given != run.run) {
        let advice = format!(
            "the newest state of a thread is edited (its id is {}): leave it out; earlier states of a run are edited at \
             /api/v1/runs/RUN/checkpoints",
            run.run
        );
        return Err(LangGraphError::unsupported("checkpoint_id", &advice));
    }
    let Some(last) = studio.checkpoints(&run.run, None, Some(1)).await?.pop() else {
        return Err(LangGraphError::unprocessable("the run has no state yet: wait for its first step"));
    };
    let edited = studio.edit_checkpoint(&run.run, last.checkpoint, values, as_node.as_deref()).await?;
    let checkpoint = wire::checkpoint(&thread, Some(&edited.run));
    Ok(Json(json!({"checkpoint": checkpoint, "configurable": checkpoint})))
}

/// Refuses metadata of a state.
pub(super) async fn patch() -> LangGraphError {
    LangGraphError::unprocessable(
        "states have no metadata of their own: put them into the thread with `threads.update`",
    )
}
