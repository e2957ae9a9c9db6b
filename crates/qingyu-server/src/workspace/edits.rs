//! Changes made by tools including their consequences, and results computed by tools.

use axum::response::Response;
use qingyu_story::{Document, PieceKind, Provenance, Story, ids};
use qingyu_tools::workspace::WorkspaceSave;
use qingyu_tools::workspace::remote::routes;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::asked::{PERSON, WorkspaceChange, WorkspaceRequest, bad_request};
use super::to_wire::{self, answer, created};
use super::{exact, reading};
use crate::http::HttpProblem;

/// A tool call, with the key of the piece in its result.
type ToolInvocation = (&'static str, Value, &'static str);

/// Inserts a new piece.
pub(super) async fn create(kind: PieceKind, change: WorkspaceChange) -> Result<Response, HttpProblem> {
    if change.0.provenance()?.is_some() {
        return exact::one(change).await;
    }
    let WorkspaceChange(mut asked) = change;
    check_unused(kind, &asked.body)?;
    let (tool, mut arguments, name) = to_create(kind, std::mem::take(&mut asked.body));
    if let Some(after) = asked.word("after").filter(|_| kind == PieceKind::OutlineNode) {
        arguments["after"] = after.into();
    }
    let (mut result, version) = asked.call(tool, arguments).await?;
    let piece = own_fields(result[name].take());
    let project = &asked.project().row.project;
    let path = routes::piece(kind, piece["id"].as_str().unwrap_or_default());
    Ok(created(&piece, version, &format!("/api/v1/projects/{project}/{path}")))
}

/// Updates fields of a piece, or deletes the piece.
pub(super) async fn put(kind: PieceKind, change: WorkspaceChange) -> Result<Response, HttpProblem> {
    if change.0.provenance()?.is_some() {
        return exact::one(change).await;
    }
    let WorkspaceChange(mut asked) = change;
    check_unused(kind, &asked.body)?;
    let (id, body) = (asked.named(0).to_owned(), std::mem::take(&mut asked.body));
    let (tool, arguments, name) = if asked.is_delete() { to_delete(kind, &id) } else { to_update(kind, &id, body) };
    let (mut result, version) = asked.call(tool, arguments).await?;
    Ok(answer(&own_fields(result[name].take()), version))
}

/// Replaces the whole outline, or a single node by its id.
pub(super) async fn replace_outline(WorkspaceChange(mut asked): WorkspaceChange) -> Result<Response, HttpProblem> {
    let Some(items) = asked.body.remove("items") else {
        let body = std::mem::take(&mut asked.body);
        let id = body.get("id").and_then(Value::as_str).map(str::to_owned);
        let id = id.ok_or_else(|| bad_request("items", "nodes, or the id of one"))?;
        let (tool, arguments, name) = to_update(PieceKind::OutlineNode, &id, body);
        let (mut result, version) = asked.call(tool, arguments).await?;
        return Ok(answer(&own_fields(result[name].take()), version));
    };
    let outline_nodes = serde_path_to_error::deserialize(items)
        .map_err(|error| bad_request(&format!("items{}", error.path()), &error.inner().to_string()))?;
    let loaded = asked.load().await?;
    let mut after = Story { outline_nodes, ..Story::clone(&loaded.story) };
    ids::adopt(&loaded.story, &mut after);
    let provenance = Provenance { agent: PERSON.into(), tool: "outline_tool".into(), ..Provenance::default() };
    let key = asked.key()?.unwrap_or_else(|| Uuid::now_v7().to_string());
    let expected = asked.expected()?.unwrap_or(loaded.version);
    let save = WorkspaceSave { before: loaded.story, after, expected, key, provenance };
    asked.project().workspace.save(save).await.map_err(to_wire::workspace)?;
    reading::list(PieceKind::OutlineNode, asked).await
}

/// Saves the current text as a version; for remote tools, under a given number.
pub(super) async fn keep_version(change: WorkspaceChange) -> Result<Response, HttpProblem> {
    if change.0.provenance()?.is_some() {
        return exact::one(change).await;
    }
    let WorkspaceChange(asked) = change;
    // Only exact changes use the number; others still validate the type.
    if asked.body.get("version").is_some_and(|version| !version.is_null() && !version.is_u64()) {
        return Err(bad_request("version", "a whole number is expected"));
    }
    let label = asked.body.get("label").cloned().unwrap_or_default();
    let arguments = json!({"action": "create_version", "document_id": asked.named(0), "label": label});
    let (mut result, version) = asked.call("document_tool", arguments).await?;
    Ok(answer(&result["document"].take(), version))
}

/// Generates an outline with a structure, from the story's data.
pub(super) async fn generate_outline(WorkspaceChange(asked): WorkspaceChange) -> Result<Response, HttpProblem> {
    worked_out("outline_tool", "generate_auto", &["structure_type", "beats", "preview"], asked).await
}

/// Returns the development of a character: appearances, turning points, gaps.
pub(super) async fn analyze_arc(mut asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let id = asked.named(0).to_owned();
    asked.body.insert("character_id".into(), id.into());
    worked_out("character_tool", "analyze_arc", &["character_id"], asked).await
}

/// Returns the characters with their relations.
pub(super) async fn show_graph(mut asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let limit = asked.number("limit")?.map(Value::from);
    let at = asked.word("at").map(Value::from);
    asked.body =
        [("limit", limit), ("at", at)].into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect();
    worked_out("relationship_tool", "get_graph", &["at", "limit"], asked).await
}

/// Returns the central characters and the groups.
pub(super) async fn analyze_relationships(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    worked_out("relationship_tool", "analyze", &["at", "limit"], asked).await
}

/// Returns contradictions among the requested events.
pub(super) async fn check_conflicts(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    worked_out("timeline_tool", "check_conflicts", &["participant", "outline_node"], asked).await
}

/// Calls an action of a tool with the accepted arguments of the request.
async fn worked_out(
    tool: &str,
    action: &str,
    taken: &[&str],
    mut asked: WorkspaceRequest,
) -> Result<Response, HttpProblem> {
    let mut arguments = std::mem::take(&mut asked.body);
    arguments.retain(|name, _| taken.contains(&name.as_str()));
    arguments.insert("action".into(), action.into());
    let (result, version) = asked.call(tool, Value::Object(arguments)).await?;
    Ok(answer(&result, version))
}

fn to_create(kind: PieceKind, mut body: Map<String, Value>) -> ToolInvocation {
    match kind {
        PieceKind::Character => ("character_tool", json!({"action": "create", "character_data": body}), "character"),
        PieceKind::OutlineNode => {
            ("outline_tool", json!({"action": "create", "outline_data": own(body)}), "outline_node")
        }
        PieceKind::Event => ("timeline_tool", json!({"action": "create_event", "event_data": body}), "event"),
        PieceKind::Relation => {
            for (field, argument) in [("from", "from_character"), ("to", "to_character"), ("type", "relationship_type")]
            {
                if let Some(value) = body.remove(field) {
                    body.insert(argument.into(), value);
                }
            }
            body.insert("action".into(), "create".into());
            ("relationship_tool", Value::Object(body), "relationship")
        }
        PieceKind::Document => {
            let mut work = text(body);
            work.insert("action".into(), "write".into());
            ("document_tool", Value::Object(work), "document")
        }
        kind => ("story_tool", json!({"action": "create", "kind": kind, "data": body}), "piece"),
    }
}

fn to_update(kind: PieceKind, id: &str, body: Map<String, Value>) -> ToolInvocation {
    match kind {
        PieceKind::Character => {
            ("character_tool", json!({"action": "update", "character_id": id, "character_data": body}), "character")
        }
        PieceKind::OutlineNode => {
            let arguments = json!({"action": "update", "node_id": id, "outline_data": own(body)});
            ("outline_tool", arguments, "outline_node")
        }
        PieceKind::Event => {
            ("timeline_tool", json!({"action": "update_event", "event_id": id, "event_data": body}), "event")
        }
        PieceKind::Document => {
            let mut work = text(body);
            let action = if work.contains_key("content") { "write" } else { "update" };
            work.insert("action".into(), action.into());
            work.insert("document_id".into(), id.into());
            ("document_tool", Value::Object(work), "document")
        }
        kind => {
            let id = Some(id).filter(|_| !kind.is_single());
            ("story_tool", json!({"action": "update", "kind": kind, "id": id, "data": body}), "piece")
        }
    }
}

fn to_delete(kind: PieceKind, id: &str) -> ToolInvocation {
    let id = Some(id).filter(|_| !kind.is_single());
    ("story_tool", json!({"action": "delete", "kind": kind, "id": id}), "deleted")
}

/// Returns the fields of a node without the extra fields of a response.
fn own(mut body: Map<String, Value>) -> Map<String, Value> {
    body.remove("metadata");
    body
}

/// The fields of a request that change a document.
const OF_DOCUMENT: [&str; 6] = ["content", "append", "replacements", "title", "order", "outline_node"];

/// Returns the changes of a document. Its text may be called `content`, as in the tool, or `text`, as in the piece.
fn text(mut body: Map<String, Value>) -> Map<String, Value> {
    if let Some(text) = body.remove("text") {
        body.entry("content").or_insert(text);
    }
    body.retain(|name, _| OF_DOCUMENT.contains(&name.as_str()));
    body
}

/// Fails with 400 if a field set by the studio itself (a document's id, version, settlement) has a wrong type, since
/// the tool does not validate such fields.
fn check_unused(kind: PieceKind, body: &Map<String, Value>) -> Result<(), HttpProblem> {
    if kind != PieceKind::Document {
        return Ok(());
    }
    let unused = body.iter().filter(|(name, _)| *name != "text" && !OF_DOCUMENT.contains(&name.as_str()));
    let unused: Map<String, Value> = unused.map(|(name, value)| (name.clone(), value.clone())).collect();
    serde_path_to_error::deserialize::<_, Document>(Value::Object(unused))
        .map_err(|error| bad_request(&error.path().to_string(), &error.inner().to_string()))?;
    Ok(())
}

/// Returns a piece from a tool's result with only its own fields.
fn own_fields(mut piece: Value) -> Value {
    if let Value::Object(fields) = &mut piece {
        fields.remove("kind_of_piece");
    }
    piece
}
