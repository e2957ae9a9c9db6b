//! Changes as requests: the operations between two stories, and their execution by a server.

use std::collections::BTreeMap;

use qingyu_story::edit::{self, AppliedEdit, EditStep};
use qingyu_story::production::Field;
use qingyu_story::{Action, Document, Piece, PieceKind, Story, difference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::routes;

/// One request that changes something. Carried out one after the other, they put every piece as it is given: nothing else
/// follows from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WorkspaceOperation")]
pub struct Operation {
    /// What is done.
    pub method: Method,
    /// To what, below the project.
    pub path: String,
    /// Where in its list the piece stands afterwards, from 0; where it stood, or at the end, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// The whole piece; null for what is deleted.
    #[serde(default)]
    pub body: Value,
}

/// What is done by an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(rename = "WorkspaceMethod")]
pub enum Method {
    /// Something is new.
    Post,
    /// Something is put in the place of what is there.
    Put,
    /// Something is taken out.
    Delete,
}

/// The error of an operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OperationError {
    /// No route for the method and path.
    #[error("nothing is changed by {method} at '{path}'")]
    NoRoute {
        /// The method.
        method: &'static str,
        /// The path.
        path: String,
    },
    /// The piece does not exist.
    #[error("there is no {kind} '{id}'")]
    NotThere {
        /// The kind.
        kind: String,
        /// The requested id.
        id: String,
    },
    /// The operation conflicts with existing data.
    #[error("{message}")]
    Clash {
        /// The reason.
        message: String,
    },
    /// The body is not a valid piece.
    #[error("the body does not fit at {path}: {message}")]
    Unfit {
        /// The path.
        path: String,
        /// Description of the error.
        message: String,
    },
}

/// The target of a path.
enum OperationTarget {
    New(PieceKind),
    Only(PieceKind),
    One(PieceKind, String),
    Version(String),
    Waivers,
    Phases,
    Field(String),
}

impl Method {
    /// Returns the method's name in a request.
    pub fn name(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// Returns the operations from `before` to `after`; empty if equal. The premise and the language belong to the project
/// and are not included.
pub fn operations(before: &Story, after: &Story) -> Vec<Operation> {
    let mut lists: BTreeMap<PieceKind, Vec<String>> = BTreeMap::new();
    let listed = |kind| before.pieces_of(kind).map(|piece| piece.handle().to_owned()).collect();
    let mut operations = Vec::new();
    for change in difference(before, after) {
        let (kind, path) = (change.kind(), routes::piece(change.kind(), &change.id));
        if change.is_deletion() {
            operations.push(Operation { method: Method::Delete, path, position: None, body: Value::Null });
            continue;
        }
        let (new, piece) = (change.action == Action::Create, &change.piece);
        let body = Value::Object(piece.fields());
        if kind.is_single() {
            operations.push(Operation { method: Method::Put, path, position: None, body });
            continue;
        }
        let list = lists.entry(kind).or_insert_with(|| listed(kind));
        let previous = change.position.checked_sub(1).and_then(|previous| after.piece(kind, previous));
        let (stood, stands) = move_behind(list, &change.id, previous.as_ref().map(Piece::handle));
        let stays = stood == Some(stands);
        operations.push(match (new, piece) {
            (true, _) => {
                let path = routes::create(kind).to_owned();
                Operation { method: Method::Post, path, position: Some(stands), body }
            }
            (false, Piece::Document(document)) if stays && is_new_version_only(before, document) => {
                let body = json!({"version": document.version});
                Operation { method: Method::Post, path: format!("{path}/versions"), position: None, body }
            }
            _ => Operation { method: Method::Put, path, position: Some(stands), body },
        });
    }
    operations.extend(of_production(before, after));
    operations
}

/// Returns the operations on waivers, phases and fields.
fn of_production(before: &Story, after: &Story) -> Vec<Operation> {
    let put = |path: String, position, body| Operation { method: Method::Put, path, position, body };
    let delete = |path: String| Operation { method: Method::Delete, path, position: None, body: Value::Null };
    let mut operations = Vec::new();
    if before.waivers != after.waivers {
        operations.push(put(routes::WAIVERS.into(), None, json!({"items": after.waivers})));
    }
    if before.production != after.production {
        let path = routes::PHASES.to_owned();
        operations.push(match &after.production {
            Some(production) => put(path, None, json!(production)),
            None => delete(path),
        });
    }
    let mut list: Vec<String> = before.fields.iter().map(|field| field.path.clone()).collect();
    let mut gone: BTreeMap<&str, (usize, &Field)> =
        before.fields.iter().enumerate().map(|(place, field)| (field.path.as_str(), (place, field))).collect();
    let (mut reached, mut previous) = (0, None);
    for field in &after.fields {
        match gone.remove(field.path.as_str()) {
            Some((place, known)) if known == field && place >= reached => reached = place,
            _ => {
                let (_, stands) = move_behind(&mut list, &field.path, previous);
                operations.push(put(routes::field(&field.path), Some(stands), json!(field)));
            }
        }
        previous = Some(field.path.as_str());
    }
    operations.extend(gone.into_keys().map(|path| delete(routes::field(path))));
    operations
}

/// Moves or inserts `handle` right after `previous`, or at the front; returns the old position, if any, and the new
/// position.
fn move_behind(list: &mut Vec<String>, handle: &str, previous: Option<&str>) -> (Option<usize>, usize) {
    let stood = list.iter().position(|other| other == handle);
    if let Some(stood) = stood {
        list.remove(stood);
    }
    let behind = |previous: &str| list.iter().position(|other| other == previous).map_or(list.len(), |place| place + 1);
    let stands = previous.map_or(0, behind);
    list.insert(stands, handle.to_owned());
    (stood, stands)
}

/// Returns whether `after` is a document with the next version number and no other change.
fn is_new_version_only(before: &Story, after: &Document) -> bool {
    let known = before.documents.iter().find(|known| known.id == after.id);
    known.is_some_and(|known| {
        known.version < after.version && Document { version: after.version, ..known.clone() } == *after
    })
}

/// Executes an operation. On failure, the story is unchanged.
pub fn carry_out(story: &mut Story, operation: &Operation) -> Result<(), OperationError> {
    let Operation { method, path, position, body } = operation;
    let no_route = || OperationError::NoRoute { method: method.name(), path: path.clone() };
    match (method, place(path).ok_or_else(no_route)?) {
        (Method::Post, OperationTarget::New(kind)) => put(story, None, *position, piece(kind, None, body)?),
        (Method::Post, OperationTarget::Version(id)) => {
            let (place, before) = find(story, PieceKind::Document, &id)?;
            let version = body.get("version").cloned().ok_or_else(|| unfit("version", "it is missing"))?;
            let after = before.with_field("version", version).map_err(|error| unfit("version", &error.to_string()))?;
            put(story, Some((place, before)), None, after)
        }
        (Method::Put, OperationTarget::Only(kind)) => {
            let known = story.piece(kind, 0).map(|piece| (0, piece));
            put(story, known, None, piece(kind, None, body)?)
        }
        (Method::Put, OperationTarget::One(kind, id)) => {
            let known = find(story, kind, &id)?;
            put(story, Some(known), *position, piece(kind, Some(&id), body)?)
        }
        (Method::Delete, OperationTarget::Only(kind)) => delete(story, kind, kind.name()),
        (Method::Delete, OperationTarget::One(kind, id)) => delete(story, kind, &id),
        (Method::Put, OperationTarget::Waivers) => {
            story.waivers = read(body.get("items").unwrap_or(body))?;
            Ok(())
        }
        (Method::Put, OperationTarget::Phases) => {
            story.production = Some(read(body)?);
            Ok(())
        }
        (Method::Delete, OperationTarget::Phases) => {
            story.production = None;
            Ok(())
        }
        (Method::Put, OperationTarget::Field(path)) => put_field(story, &path, *position, read(body)?),
        (Method::Delete, OperationTarget::Field(path)) => {
            let known = story.fields.iter().position(|field| field.path == path);
            story.fields.remove(known.ok_or_else(|| not_there("field", &path))?);
            Ok(())
        }
        _ => Err(no_route()),
    }
}

fn place(path: &str) -> Option<OperationTarget> {
    match path {
        routes::WAIVERS => return Some(OperationTarget::Waivers),
        routes::PHASES => return Some(OperationTarget::Phases),
        _ => {}
    }
    if let Some(kind) = PieceKind::ALL.into_iter().find(|kind| routes::create(*kind) == path) {
        return Some(if kind.is_single() { OperationTarget::Only(kind) } else { OperationTarget::New(kind) });
    }
    let (list, id) = path.rsplit_once('/').filter(|(_, id)| !id.is_empty())?;
    let id = routes::unescaped(id).into_owned();
    if list == routes::FIELDS {
        return Some(OperationTarget::Field(id));
    }
    let of_list = |list: &str| {
        let is_it = |kind: &PieceKind| !kind.is_single() && routes::piece(*kind, "").strip_suffix('/') == Some(list);
        PieceKind::ALL.into_iter().find(is_it)
    };
    match (of_list(list), list.rsplit_once('/')) {
        (Some(kind), _) => Some(OperationTarget::One(kind, id)),
        (None, Some((list, document))) if id == "versions" && of_list(list) == Some(PieceKind::Document) => {
            Some(OperationTarget::Version(routes::unescaped(document).into_owned()))
        }
        _ => None,
    }
}

/// Parses the piece in a body, with the required `id`, if given.
fn piece(kind: PieceKind, id: Option<&str>, body: &Value) -> Result<Piece, OperationError> {
    let mut fields: Map<String, Value> =
        body.as_object().cloned().ok_or_else(|| unfit(".", "an object is expected"))?;
    if let Some(id) = id {
        let given = fields.entry("id").or_insert_with(|| id.into());
        if given.as_str() != Some(id) {
            return Err(unfit("id", "it is not the one of the address"));
        }
    }
    let known = Piece::empty(kind).fields();
    if let Some(stranger) = fields.keys().find(|field| !known.contains_key(*field)) {
        return Err(unfit(stranger, "there is no such field"));
    }
    read(&json!({"kind": kind, "piece": fields}))
}

fn read<T: serde::de::DeserializeOwned>(body: &Value) -> Result<T, OperationError> {
    serde_path_to_error::deserialize(body).map_err(|error| unfit(&error.path().to_string(), &error.inner().to_string()))
}

/// Finds a piece by id, or by name if the piece has no id.
fn find(story: &Story, kind: PieceKind, id: &str) -> Result<(usize, Piece), OperationError> {
    let found = story.pieces_of(kind).enumerate().find(|(_, piece)| piece.handle() == id);
    found.ok_or_else(|| not_there(kind.name(), id))
}

/// Replaces the known piece by `after`, at `position`; new pieces without a position are appended.
fn put(
    story: &mut Story,
    known: Option<(usize, Piece)>,
    position: Option<usize>,
    after: Piece,
) -> Result<(), OperationError> {
    let kind = after.kind();
    let mut steps = Vec::new();
    if lives_in_world(kind) && story.worldview.is_none() {
        steps.push(EditStep { position: 0, before: None, after: Some(Piece::empty(PieceKind::Worldview)) });
    }
    let last = story.count(kind);
    match known {
        Some((place, before)) if position.is_none_or(|position| position == place) => {
            steps.push(EditStep { position: place, before: Some(before), after: Some(after) });
        }
        Some((place, before)) => {
            steps.push(EditStep { position: place, before: Some(before), after: None });
            steps.push(EditStep { position: position.unwrap_or(place), before: None, after: Some(after) });
        }
        None => steps.push(EditStep { position: position.unwrap_or(last), before: None, after: Some(after) }),
    }
    apply(story, steps)
}

fn lives_in_world(kind: PieceKind) -> bool {
    kind.list().starts_with("worldview/")
}

fn delete(story: &mut Story, kind: PieceKind, id: &str) -> Result<(), OperationError> {
    let (position, before) = find(story, kind, id)?;
    if kind == PieceKind::Worldview && story.worldview.as_ref().is_some_and(|world| !world.is_bare()) {
        return Err(OperationError::Clash { message: edit::Error::NotEmpty { kind }.to_string() });
    }
    apply(story, vec![EditStep { position, before: Some(before), after: None }])
}

fn apply(story: &mut Story, steps: Vec<EditStep>) -> Result<(), OperationError> {
    AppliedEdit { steps }.apply(story).map_err(|error| OperationError::Clash { message: error.to_string() })
}

fn put_field(story: &mut Story, path: &str, position: Option<usize>, field: Field) -> Result<(), OperationError> {
    if field.path != path {
        return Err(unfit("path", "it is not the one of the address"));
    }
    let known = story.fields.iter().position(|field| field.path == path);
    if let Some(known) = known {
        story.fields.remove(known);
    }
    let place = position.or(known).unwrap_or(story.fields.len()).min(story.fields.len());
    story.fields.insert(place, field);
    Ok(())
}

fn not_there(kind: &str, id: &str) -> OperationError {
    OperationError::NotThere { kind: kind.to_owned(), id: id.to_owned() }
}

fn unfit(path: &str, message: &str) -> OperationError {
    OperationError::Unfit { path: path.to_owned(), message: message.to_owned() }
}
