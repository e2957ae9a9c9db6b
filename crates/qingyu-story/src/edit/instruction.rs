//! Parsing of the parameters of a correction instruction.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::command::{Edit, EditTarget};
use super::error::Error;
use super::lists::FieldUpdate;
use crate::piece::{Piece, PieceKind};
use crate::{Action, Agent, CorrectionInstruction};

/// Parses the parameters of `instruction` into an edit.
///
/// - `kind` is the kind of piece; by default the instruction's agent decides (see [`PieceKind::agent`]: a character
///   unless `from` and `to` exist, an event unless `events` or `causes` exist, the world's own fields), whatever the agent
///   for the truth of the world and the secret of a character.
/// - `id` or `name` (also `title`) identifies the piece; a relation has `id`, or `from` and `to`, with `type` if the
///   pair has several. Beside an `id`, `name` is an ordinary field.
/// - `new_name` renames.
/// - The rest are fields to set. The `kind` field of outline and plot nodes is written `type`. `null` clears an
///   optional field; for another field `null` leaves the value to the agent, and is ignored. `add_` or `remove_` before
///   the name of a list inserts or removes entries; `replace_` before the name of a text applies
///   [`Replacement`](super::Replacement)s.
///
/// Unknown fields return an error with their path. Values are validated when the edit is applied, except for
/// [`Action::Create`], validated here.
pub fn from_instruction(instruction: &CorrectionInstruction) -> Result<Edit, Error> {
    let Parameters { kind, target, fields, .. } = Parameters::read(instruction)?;
    if instruction.action == Action::Create {
        let mut piece = Piece::empty(kind);
        for (field, value) in fields {
            piece = piece.with_field(&field, value)?;
        }
        let has_name = !piece.needs_name() || !piece.name().trim().is_empty();
        return if has_name { Ok(Edit::Create { piece }) } else { Err(Error::NoName { kind }) };
    }
    let target = target.ok_or(Error::NoTarget { kind })?;
    match instruction.action {
        Action::Delete => Ok(Edit::Delete { kind, target }),
        _ => {
            let empty = Piece::empty(kind);
            if let Some(unknown) = fields.keys().find(|field| FieldUpdate::read(&empty, field).is_none()) {
                return Err(Error::UnknownField { path: format!("parameters/{unknown}") });
            }
            Ok(Edit::Update { kind, target, fields })
        }
    }
}

/// Returns whether an instruction changes fields of a piece and gives all their values, so that no agent is needed.
pub fn is_plain_update(instruction: &CorrectionInstruction) -> bool {
    let is_whole = || Parameters::read(instruction).is_ok_and(|parameters| parameters.left_open.is_empty());
    matches!(from_instruction(instruction), Ok(Edit::Update { fields, .. }) if !fields.is_empty()) && is_whole()
}

/// Returns the names of the fields that an instruction sets or leaves to its agent, without those that only identify the
/// piece; empty if the parameters cannot be parsed.
pub fn changed_fields(instruction: &CorrectionInstruction) -> BTreeSet<String> {
    let Ok(Parameters { target, fields, left_open, .. }) = Parameters::read(instruction) else {
        return BTreeSet::new();
    };
    let is_renamed = ["new_name", "new_title"].iter().any(|key| instruction.parameters.get(*key).is_some());
    let is_pair = matches!(target, Some(EditTarget::Pair { .. }));
    let identifies = |field: &str| match field {
        "id" => true,
        "name" | "title" => !is_renamed,
        "from" | "to" | "type" => is_pair,
        _ => false,
    };
    fields.into_keys().chain(left_open).filter(|field| !identifies(field)).collect()
}

/// The parsed parameters of an instruction.
#[derive(Debug)]
pub(super) struct Parameters {
    pub(super) kind: PieceKind,
    /// The target piece, if given.
    pub(super) target: Option<EditTarget>,
    /// The fields to set, by the piece's own field names.
    pub(super) fields: BTreeMap<String, Value>,
    /// The fields left to the agent.
    pub(super) left_open: BTreeSet<String>,
}

impl Parameters {
    pub(super) fn read(instruction: &CorrectionInstruction) -> Result<Self, Error> {
        let given = object(instruction)?;
        let own_kind = given.get("kind").and_then(Value::as_str).and_then(PieceKind::parse);
        let kind = own_kind.unwrap_or_else(|| default_kind(instruction.target_agent, &given));
        let name_field =
            if matches!(kind, PieceKind::Event | PieceKind::PlotNode | PieceKind::Document) { "title" } else { "name" };
        let create = instruction.action == Action::Create;
        let own_fields = Piece::empty(kind).fields();

        let (mut fields, mut left_open) = (BTreeMap::new(), BTreeSet::new());
        let (mut id, mut name, mut new_name) = (None, None, None);
        for (key, value) in given {
            match (key.as_str(), value) {
                ("kind", _) if own_kind.is_some() => {}
                ("kind", value) if !own_fields.contains_key("kind") => {
                    let reason = format!("no kind of piece is called {value}");
                    return Err(Error::InvalidField { path: "parameters/kind".to_owned(), reason });
                }
                ("id", Value::String(text)) if !text.trim().is_empty() => id = Some(text),
                ("name" | "title", Value::String(text)) if !own_fields.contains_key("from") => name = Some(text),
                ("new_name" | "new_title", Value::String(text)) if own_fields.contains_key(name_field) => {
                    new_name = Some(text);
                }
                ("type", value) if matches!(kind, PieceKind::OutlineNode | PieceKind::PlotNode) => {
                    fields.insert("kind".to_owned(), value);
                }
                (field, Value::Null) if own_fields.get(field).is_some_and(|default| !default.is_null()) => {
                    left_open.insert(key);
                }
                (_, value) => {
                    fields.insert(key, value);
                }
            }
        }
        let target = match (&id, &name, kind) {
            _ if kind.is_single() => Some(EditTarget::Only),
            (Some(id), _, _) => Some(EditTarget::Named(id.clone())),
            (None, _, PieceKind::Relation) => pair(&mut fields, create)?,
            (None, Some(name), _) => Some(EditTarget::Named(name.clone())),
            (None, None, _) => None,
        };
        if let Some(id) = id.filter(|_| create && !kind.is_single()) {
            fields.insert("id".to_owned(), Value::String(id));
        }
        let by_id = matches!(&target, Some(EditTarget::Named(target)) if Some(target) != name.as_ref());
        if let Some(name) = new_name.or_else(|| name.filter(|_| create || by_id)) {
            fields.insert(name_field.to_owned(), Value::String(name));
        }
        Ok(Self { kind, target, fields, left_open })
    }
}

/// Returns the parameters; missing parameters default to an empty object.
fn object(instruction: &CorrectionInstruction) -> Result<Map<String, Value>, Error> {
    match &instruction.parameters {
        Value::Object(given) => Ok(given.clone()),
        Value::Null => Ok(Map::new()),
        _ => Err(Error::NotAnObject),
    }
}

/// Returns the ends of the relation, removed from the fields unless the relation is created.
fn pair(fields: &mut BTreeMap<String, Value>, create: bool) -> Result<Option<EditTarget>, Error> {
    let text = |field: &str| fields.get(field).and_then(Value::as_str).map(str::to_owned);
    let (Some(from), Some(to)) = (text("from"), text("to")) else { return Ok(None) };
    let kind =
        match fields.get("type") {
            None => None,
            Some(value) => Some(serde_json::from_value(value.clone()).map_err(|error| Error::InvalidField {
                path: "parameters/type".to_owned(),
                reason: error.to_string(),
            })?),
        };
    if !create {
        fields.remove("from");
        fields.remove("to");
    }
    Ok(Some(EditTarget::Pair { from, to, kind }))
}

/// Returns the default kind for parameters without `kind`.
pub(super) fn default_kind(agent: Agent, given: &Map<String, Value>) -> PieceKind {
    let has = |names: [&str; 2]| names.iter().any(|name| given.contains_key(*name));
    match agent {
        _ if has(["truth", "truth_until"]) => PieceKind::Worldview,
        _ if has(["secret", "secret_until"]) => PieceKind::Character,
        Agent::Outline => PieceKind::OutlineNode,
        Agent::Character if given.contains_key("from") && given.contains_key("to") => PieceKind::Relation,
        Agent::Character => PieceKind::Character,
        Agent::Plot if given.contains_key("causes") || given.contains_key("events") => PieceKind::PlotNode,
        Agent::Plot => PieceKind::Event,
        Agent::Worldview => PieceKind::Worldview,
        Agent::Style => PieceKind::Style,
    }
}
