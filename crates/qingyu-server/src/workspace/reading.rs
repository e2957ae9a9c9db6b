//! Reading of pieces, lists, versions and provenance.

use std::collections::BTreeSet;

use axum::response::Response;
use qingyu_story::{Piece, PieceKind};
use serde_json::{Value, json};

use super::asked::{WorkspaceRequest, bad_request, find, find_each};
use super::to_wire::{self, answer};
use crate::http::HttpProblem;

/// Maximum number of names in the filter of a list.
const MOST_NAMES: usize = 1_000;

/// Returns the project itself, without loading its story.
pub(super) async fn head(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let project = asked.project();
    let row = &project.row;
    let data = json!({
        "id": row.project,
        "title": row.title,
        "premise": row.premise,
        "language": row.language,
        "last_ids": project.last_ids,
    });
    Ok(answer(&data, row.version))
}

/// Returns the whole story.
pub(super) async fn whole(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let loaded = asked.load().await?;
    Ok(answer(&json!(*loaded.story), loaded.version))
}

/// Returns all pieces of a kind, or the pieces in `ids`.
pub(super) async fn list(kind: PieceKind, asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let loaded = asked.load().await?;
    let wanted = match asked.word("ids") {
        Some(ids) => {
            let names: BTreeSet<&str> = ids.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
            if names.len() > MOST_NAMES {
                return Err(bad_request("ids", &format!("at most {MOST_NAMES} can be named at once")));
            }
            Some(find_each(&loaded, kind, &names))
        }
        None => None,
    };
    let pieces = loaded.story.pieces_of(kind).enumerate();
    let pieces = pieces.filter(|(place, _)| wanted.as_ref().is_none_or(|wanted| wanted.contains(place)));
    Ok(answer(&items(pieces.map(|(_, piece)| Value::Object(piece.fields()))), loaded.version))
}

/// Returns a single piece; a missing world or style is null.
pub(super) async fn one(kind: PieceKind, asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let loaded = asked.load().await?;
    let place = if kind.is_single() { 0 } else { find(&loaded, kind, asked.named(0))? };
    let piece = loaded.story.piece(kind, place);
    Ok(answer(&piece.as_ref().map_or(Value::Null, shown), loaded.version))
}

/// Returns a piece with the extra fields expected by programs: the participants of a node, and a text as `content`.
fn shown(piece: &Piece) -> Value {
    let mut fields = piece.fields();
    match piece {
        Piece::OutlineNode(node) => {
            fields.insert("metadata".into(), json!({"participants": node.participants}));
        }
        Piece::Document(document) => {
            fields.insert("content".into(), document.text.as_str().into());
        }
        _ => {}
    }
    Value::Object(fields)
}

/// Returns the timeline's events, or the events told by the node `chapterRef` and its descendants.
pub(super) async fn events(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let Some(node) = asked.word("chapterRef") else { return list(PieceKind::Event, asked).await };
    let every = u32::MAX;
    let arguments = json!({"action": "get_timeline", "outline_node": node, "limit": every});
    let (timeline, _) = asked.call("timeline_tool", arguments).await?;
    let placed = timeline["lines"].as_array().into_iter().flatten().flat_map(|line| line["events"].as_array());
    let told = placed.chain(timeline["not_in_story_time"].as_array()).flatten();
    let told: BTreeSet<&str> = told.filter_map(|event| event["id"].as_str()).collect();
    let loaded = asked.load().await?;
    let events = loaded.story.timeline_events.iter().filter(|event| told.contains(event.id.as_str()));
    Ok(answer(&items(events.map(|event| json!(event))), loaded.version))
}

/// Returns the versions of a text, oldest first.
pub(super) async fn versions(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let loaded = asked.load().await?;
    let place = find(&loaded, PieceKind::Document, asked.named(0))?;
    let document = &loaded.story.documents[place].id;
    let versions = asked.project().workspace.document_versions(document).await.map_err(to_wire::workspace)?;
    Ok(answer(&items(versions.into_iter().map(|version| json!(version))), loaded.version))
}

/// Returns the change that created a piece.
pub(super) async fn provenance(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let (given, id) = (asked.named(0), asked.named(1));
    let kind = PieceKind::parse(given).ok_or_else(|| to_wire::unknown(given, id))?;
    let project = asked.project();
    let made = project.workspace.provenance(kind, id).await.map_err(to_wire::workspace)?;
    let made = made.ok_or_else(|| to_wire::unknown(kind.name(), id))?;
    Ok(answer(&json!(made), project.row.version))
}

/// Returns the waived findings.
pub(super) async fn waivers(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let loaded = asked.load().await?;
    Ok(answer(&items(loaded.story.waivers.iter().map(|waiver| json!(waiver))), loaded.version))
}

/// Returns the phases of the production; null without a production.
pub(super) async fn phases(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let loaded = asked.load().await?;
    Ok(answer(&json!(loaded.story.production), loaded.version))
}

/// Returns the fields of the production.
pub(super) async fn fields(asked: WorkspaceRequest) -> Result<Response, HttpProblem> {
    let loaded = asked.load().await?;
    Ok(answer(&items(loaded.story.fields.iter().map(|field| json!(field))), loaded.version))
}

fn items(items: impl Iterator<Item = Value>) -> Value {
    let items: Vec<Value> = items.collect();
    json!({"total": items.len(), "items": items})
}
