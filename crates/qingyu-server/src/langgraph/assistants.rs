//! The kinds of runs as assistants, and the server's description.

use axum::extract::Path;
use axum::routing::{get, post};
use axum::{Json, Router};
use qingyu_studio::Studio;
use qingyu_studio::operations::StartRequest;
use serde_json::{Value, json};

use super::error::LangGraphError;
use super::fields::{Fields, check_select, contains, selected};
use crate::chat::ChatKind;
use crate::http::{HttpCaller, HttpProblem};

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/ok", get(async || Json(json!({"ok": true}))))
        .route("/info", get(info))
        .route("/assistants", post(fixed))
        .route("/assistants/search", post(search))
        .route("/assistants/count", post(count))
        .route("/assistants/{assistant}", get(one).patch(fixed).delete(fixed))
        .route("/assistants/{assistant}/versions", post(versions))
        .route("/assistants/{assistant}/latest", post(fixed))
        .route("/assistants/{assistant}/subgraphs", get(subgraphs))
        .route("/assistants/{assistant}/subgraphs/{*namespace}", get(subgraphs))
        .route("/assistants/{assistant}/schemas", get(schemas))
        .route("/assistants/{assistant}/graph", get(graph))
}

/// Returns the kind of run of an assistant.
pub(super) fn kind(assistant: &str) -> Result<ChatKind, LangGraphError> {
    let kind = ChatKind::RUNS.iter().copied().find(|kind| kind.name() == assistant);
    let assistant = assistant.chars().take(80).collect::<String>();
    let known = || ChatKind::RUNS.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    kind.ok_or_else(|| LangGraphError::missing(format!("there is no assistant {assistant}; there are {}", known())))
}

/// The fields of an assistant.
const ASSISTANT: &[&str] = &[
    "assistant_id",
    "graph_id",
    "name",
    "description",
    "config",
    "context",
    "created_at",
    "updated_at",
    "metadata",
    "version",
];

async fn info() -> Json<Value> {
    Json(
        json!({"version": env!("CARGO_PKG_VERSION"), "flags": {"assistants": true, "crons": false, "langsmith": false}}),
    )
}

/// The conditions of a search.
#[derive(Debug)]
struct WantedAssistants {
    graph: Option<String>,
    name: Option<String>,
    metadata: Option<Value>,
}

impl WantedAssistants {
    fn read(fields: &mut Fields) -> Result<Self, LangGraphError> {
        let (graph, name) = (fields.read::<String>("graph_id")?, fields.read::<String>("name")?);
        Ok(Self { graph, name, metadata: fields.metadata("metadata")?.map(Value::from) })
    }

    /// Returns the kinds that meet the conditions, in their own order.
    fn find(&self) -> Vec<ChatKind> {
        let is_met = |kind: &ChatKind| {
            let is_graph = self.graph.as_deref().is_none_or(|id| id == kind.name());
            let is_named = self.name.as_deref().is_none_or(|name| kind.name().contains(&name.to_lowercase()));
            is_graph
                && is_named
                && self.metadata.as_ref().is_none_or(|wanted| contains(&card(*kind)["metadata"], wanted))
        };
        ChatKind::RUNS.iter().copied().filter(is_met).collect()
    }
}

/// Returns the assistants in the order of their kinds, or by name.
async fn search(caller: Result<HttpCaller, HttpProblem>, mut fields: Fields) -> Result<Json<Value>, LangGraphError> {
    caller?;
    let wanted = WantedAssistants::read(&mut fields)?;
    let limit = fields.number("limit", 1_000)?.unwrap_or(10);
    let offset = fields.number("offset", usize::MAX)?.unwrap_or_default();
    let sort = fields.word("sort_by", &["assistant_id", "graph_id", "name", "created_at", "updated_at"])?;
    let order = fields.word("sort_order", &["asc", "desc"])?;
    let select = fields.read::<Vec<String>>("select")?.unwrap_or_default();
    fields.finish()?;
    check_select(&select, ASSISTANT)?;
    let mut kinds = wanted.find();
    if matches!(sort, Some("assistant_id" | "graph_id" | "name")) {
        kinds.sort_by_key(|kind| kind.name());
    }
    if order == Some("desc") && sort.is_some() {
        kinds.reverse();
    }
    let page = kinds.into_iter().skip(offset).take(limit);
    let page: Result<Value, LangGraphError> = page.map(|kind| selected(card(kind), &select, ASSISTANT)).collect();
    Ok(Json(page?))
}

async fn count(caller: Result<HttpCaller, HttpProblem>, mut fields: Fields) -> Result<Json<usize>, LangGraphError> {
    caller?;
    let wanted = WantedAssistants::read(&mut fields)?;
    fields.finish()?;
    Ok(Json(wanted.find().len()))
}

async fn fixed() -> LangGraphError {
    LangGraphError::unprocessable(
        "the assistants are the kinds of runs, and are neither made, changed nor deleted: pass what shall be different \
         in the `input` of a run",
    )
}

/// Returns the only version of an assistant.
async fn versions(
    caller: Result<HttpCaller, HttpProblem>,
    Path(assistant): Path<String>,
    mut fields: Fields,
) -> Result<Json<Value>, LangGraphError> {
    caller?;
    let card = card(kind(&assistant)?);
    let metadata = fields.metadata("metadata")?.map(Value::from);
    let limit = fields.number("limit", 1_000)?.unwrap_or(10);
    let offset = fields.number("offset", usize::MAX)?.unwrap_or_default();
    fields.finish()?;
    let is_meant = metadata.is_none_or(|wanted| contains(&card["metadata"], &wanted));
    Ok(Json(if is_meant && limit > 0 && offset == 0 { json!([card]) } else { json!([]) }))
}

/// Returns no subgraphs: a run is one graph.
async fn subgraphs(
    caller: Result<HttpCaller, HttpProblem>,
    Path(places): Path<Vec<String>>,
) -> Result<Json<Value>, LangGraphError> {
    caller?;
    kind(places.first().map_or("", String::as_str))?;
    Ok(Json(json!({})))
}

async fn one(
    caller: Result<HttpCaller, HttpProblem>,
    Path(assistant): Path<String>,
) -> Result<Json<Value>, LangGraphError> {
    caller?;
    Ok(Json(card(kind(&assistant)?)))
}

async fn schemas(
    caller: Result<HttpCaller, HttpProblem>,
    Path(assistant): Path<String>,
) -> Result<Json<Value>, LangGraphError> {
    caller?;
    let kind = kind(&assistant)?;
    let input = schemars::schema_for!(StartRequest).to_value();
    Ok(Json(json!({
        "graph_id": kind.name(), "input_schema": input, "output_schema": null, "state_schema": null,
        "config_schema": null, "context_schema": null,
    })))
}

/// Returns the graph executed by runs of a kind.
async fn graph(
    caller: Result<HttpCaller, HttpProblem>,
    Path(assistant): Path<String>,
) -> Result<Json<Value>, LangGraphError> {
    caller?;
    let drawing = Studio::graph(graph_of(kind(&assistant)?))?;
    let node = |id: &str, kind: &str| json!({"id": id, "type": kind, "data": {"name": id}});
    let inner = drawing.nodes.iter().map(|inner| node(&inner.name, "runnable"));
    let nodes: Vec<Value> =
        [node("__start__", "schema")].into_iter().chain(inner).chain([node("__end__", "schema")]).collect();
    let edges = drawing.connections.iter().flat_map(|connection| {
        let is_conditional = !matches!(json!(connection.kind).as_str(), Some("edge" | "join"));
        let edge = move |from: &String| json!({"source": from, "target": connection.to, "conditional": is_conditional});
        connection.from.iter().map(edge)
    });
    Ok(Json(json!({"nodes": nodes, "edges": edges.collect::<Vec<_>>()})))
}

/// Returns the name of the graph executed by runs of a kind.
pub(super) fn graph_of(kind: ChatKind) -> &'static str {
    match kind {
        ChatKind::Create => "pipeline",
        ChatKind::Write => "writing",
        ChatKind::Produce => "production",
        kind => kind.name(),
    }
}

fn card(kind: ChatKind) -> Value {
    let epoch = "1970-01-01T00:00:00Z";
    json!({
        "assistant_id": kind.name(), "graph_id": kind.name(), "name": kind.name(), "description": null, "config": {},
        "context": {}, "metadata": {"created_by": "system"}, "version": 1, "created_at": epoch, "updated_at": epoch,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_graph() {
        for kind in [ChatKind::Create, ChatKind::Write, ChatKind::Task, ChatKind::Produce] {
            let drawing = Studio::graph(graph_of(kind)).unwrap();
            assert!(drawing.nodes.len() > 3, "{}", kind.name());
        }
    }
}
