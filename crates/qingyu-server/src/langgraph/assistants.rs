//! The kinds of runs as assistants, and what the server says of itself.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use qingyu_studio::operations::Start;
use serde::Deserialize;
use serde_json::{Value, json};

use super::wire::Failure;
use crate::chat::Kind;
use crate::http::{Caller, Problem};

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/ok", get(async || Json(json!({"ok": true}))))
        .route("/info", get(info))
        .route("/assistants/search", post(search))
        .route("/assistants/{assistant}", get(one))
        .route("/assistants/{assistant}/schemas", get(schemas))
        .route("/assistants/{assistant}/graph", get(graph))
}

/// The kind of run that an assistant stands for.
pub(super) fn kind(assistant: &str) -> Result<Kind, Failure> {
    let kind = Kind::RUNS.iter().copied().find(|kind| kind.name() == assistant);
    kind.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, format!("there is no assistant {assistant}")))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Search {
    graph_id: Option<String>,
    limit: Option<usize>,
    offset: usize,
}

async fn info() -> Json<Value> {
    Json(
        json!({"version": env!("CARGO_PKG_VERSION"), "flags": {"assistants": true, "crons": false, "langsmith": false}}),
    )
}

async fn search(caller: Result<Caller, Problem>, Json(search): Json<Search>) -> Result<Json<Value>, Failure> {
    caller?;
    let runs = Kind::RUNS.iter().copied();
    let wanted = runs.filter(|kind| search.graph_id.as_deref().is_none_or(|id| id == kind.name()));
    let page = wanted.skip(search.offset).take(search.limit.unwrap_or(10));
    Ok(Json(page.map(card).collect()))
}

async fn one(caller: Result<Caller, Problem>, Path(assistant): Path<String>) -> Result<Json<Value>, Failure> {
    caller?;
    Ok(Json(card(kind(&assistant)?)))
}

async fn schemas(caller: Result<Caller, Problem>, Path(assistant): Path<String>) -> Result<Json<Value>, Failure> {
    caller?;
    let kind = kind(&assistant)?;
    let input = schemars::schema_for!(Start).to_value();
    Ok(Json(json!({
        "graph_id": kind.name(), "input_schema": input, "output_schema": null, "state_schema": null,
        "config_schema": null, "context_schema": null,
    })))
}

/// The graph of a kind as one node: which nodes it has inside depends on the plan of each run.
async fn graph(caller: Result<Caller, Problem>, Path(assistant): Path<String>) -> Result<Json<Value>, Failure> {
    caller?;
    let name = kind(&assistant)?.name();
    let node = |id: &str, kind: &str| json!({"id": id, "type": kind, "data": {"name": id}});
    Ok(Json(json!({
        "nodes": [node("__start__", "schema"), node(name, "runnable"), node("__end__", "schema")],
        "edges": [{"source": "__start__", "target": name}, {"source": name, "target": "__end__"}],
    })))
}

fn card(kind: Kind) -> Value {
    let epoch = "1970-01-01T00:00:00Z";
    json!({
        "assistant_id": kind.name(), "graph_id": kind.name(), "name": kind.name(), "description": null, "config": {},
        "context": {}, "metadata": {"created_by": "system"}, "version": 1, "created_at": epoch, "updated_at": epoch,
    })
}
