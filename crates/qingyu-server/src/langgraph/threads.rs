//! Projects as threads.

use std::collections::HashMap;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use qingyu_studio::story::Story;
use qingyu_studio::{Error, Outcome, Right, RunRow, RunStatus, RunsRequest, StoryFile, Studio};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::wire::{self, Failure};
use crate::http::{Caller, Problem};

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/threads", post(create))
        .route("/threads/search", post(search))
        .route("/threads/{thread}", get(one).patch(change).delete(delete))
        .route("/threads/{thread}/state", get(state).post(update))
        .route("/threads/{thread}/history", get(history).post(history))
}

/// The newest run of a project.
pub(super) async fn newest(studio: &Studio, project: &str) -> Result<Option<RunRow>, Error> {
    studio.newest_run(project).await
}

/// The state of a run: its document, and what it asks under `__interrupt__`.
pub(super) async fn values(studio: &Studio, run: &str) -> Result<Value, Error> {
    Ok(told(&studio.outcome(run).await?))
}

/// What a run ended with, or asks, as a state.
pub(super) fn told(outcome: &Outcome) -> Value {
    let mut values = outcome.document();
    if let Some(question) = &outcome.question {
        values["__interrupt__"] = json!([{"value": question, "id": outcome.run}]);
    }
    values
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct New {
    thread_id: Option<String>,
    if_exists: Option<String>,
    metadata: Option<Map<String, Value>>,
}

async fn create(caller: Result<Caller, Problem>, Json(new): Json<New>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    studio.scope().demand(Right::Write)?;
    if let Some(wanted) = new.thread_id {
        let there = studio.projects().await?.into_iter().find(|project| project.project == wanted);
        return match (there, new.if_exists.as_deref()) {
            (Some(project), Some("do_nothing")) => Ok(Json(wire::thread(&project, None))),
            (Some(_), _) => Err(Failure::new(StatusCode::CONFLICT, "the thread exists")),
            (None, _) => Err(Failure::unprocessable("ids of threads are given by the server: leave thread_id out")),
        };
    }
    let mut metadata = new.metadata.unwrap_or_default();
    let title = metadata.remove("title").and_then(|title| title.as_str().map(str::to_owned));
    // The SDK notes the assistant here; it is named again with each run.
    metadata.retain(|name, _| !matches!(name.as_str(), "graph_id" | "assistant_id"));
    if !metadata.is_empty() {
        return Err(Failure::unprocessable("the only metadata of a thread that can be set is its title"));
    }
    let empty = StoryFile { story: Story::default(), unknown: Vec::new() };
    let made = studio.import(empty, title).await?;
    Ok(Json(wire::thread(&made.project, None)))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Search {
    limit: Option<usize>,
    offset: usize,
    status: Option<String>,
}

async fn search(caller: Result<Caller, Problem>, Json(search): Json<Search>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    let (projects, runs) = (studio.projects().await?, studio.newest_runs().await?);
    let newest: HashMap<&str, &RunRow> = runs.iter().map(|run| (run.project.as_str(), run)).collect();
    let threads = projects.iter().map(|project| wire::thread(project, newest.get(project.project.as_str()).copied()));
    let wanted = threads.filter(|thread| search.status.as_deref().is_none_or(|status| thread["status"] == status));
    Ok(Json(wanted.skip(search.offset).take(search.limit.unwrap_or(10)).collect()))
}

async fn one(caller: Result<Caller, Problem>, Path(thread): Path<String>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    let project = studio.project(&thread).await?;
    let newest = newest(&studio, &project.project).await?;
    let mut thread = wire::thread(&project, newest.as_ref());
    if let Some(run) = newest {
        thread["values"] = values(&studio, &run.run).await?;
    }
    Ok(Json(thread))
}

async fn change() -> Failure {
    Failure::unprocessable("the metadata of a thread are those of its project, which has its own API")
}

async fn delete() -> Failure {
    Failure::unprocessable("projects are not deleted at this door")
}

async fn update() -> Failure {
    Failure::unprocessable("a state is changed by a run, or by the API of the project")
}

async fn state(caller: Result<Caller, Problem>, Path(thread): Path<String>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    let project = studio.project(&thread).await?;
    let newest = newest(&studio, &project.project).await?;
    Ok(Json(snapshot(&studio, &project.project, newest.as_ref()).await?))
}

/// How the thread stood after each of its runs, newest first.
async fn history(caller: Result<Caller, Problem>, Path(thread): Path<String>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    let project = studio.project(&thread).await?;
    let mut states = Vec::new();
    let newest = RunsRequest { project: Some(project.project.clone()), limit: Some(10), ..RunsRequest::default() };
    for run in studio.runs_by(&newest).await? {
        states.push(snapshot(&studio, &project.project, Some(&run)).await?);
    }
    Ok(Json(states.into()))
}

async fn snapshot(studio: &Studio, project: &str, run: Option<&RunRow>) -> Result<Value, Failure> {
    let values = match run {
        Some(run) => values(studio, &run.run).await?,
        None => json!({}),
    };
    let interrupts = values.get("__interrupt__").cloned().unwrap_or_else(|| json!([]));
    let waits = run.is_some_and(|run| run.status == RunStatus::Waiting);
    let next: &[&str] = if waits { &["human"] } else { &[] };
    let tasks = if waits {
        json!([{"id": run.map(|run| &run.run), "name": "human", "interrupts": interrupts}])
    } else {
        json!([])
    };
    let checkpoint = json!({"thread_id": project, "checkpoint_ns": "", "checkpoint_id": run.map(|run| &run.run)});
    Ok(json!({
        "values": values, "next": next, "tasks": tasks, "interrupts": interrupts, "checkpoint": checkpoint,
        "metadata": {"run_id": run.map(|run| &run.run)}, "created_at": run.map(|run| run.ended.unwrap_or(run.started)),
        "parent_checkpoint": null,
    }))
}
