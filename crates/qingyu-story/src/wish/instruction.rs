//! The changes that would meet wishes, as instructions.

use serde_json::{Map, Value, json};

use super::check::{locate, name_field};
use super::{Asked, Request, Want, words};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, CorrectionInstruction, Story};

impl Request {
    /// The change of `story` that would meet the wish; `None` if it cannot be met, or not be said as data.
    ///
    /// `id` becomes the instruction's issue.
    pub fn instruction(&self, story: &Story, id: &str) -> Option<CorrectionInstruction> {
        let (kind, action, parameters) = match &self.want {
            Want::Set { piece, field, value } => (piece.kind, Action::Update, with(piece, field, value.clone())),
            Want::Rework { piece, field, .. } => (piece.kind, Action::Update, with(piece, field, Value::Null)),
            Want::Add { piece, fields } => {
                let there = locate(story, piece);
                let address = there.as_ref().map_or_else(|| piece.clone(), super::reader::asked);
                let mut parameters = address_of(&address);
                parameters.extend(fields.clone());
                (piece.kind, if there.is_some() { Action::Update } else { Action::Create }, parameters)
            }
            Want::Remove { piece } => (piece.kind, Action::Delete, address_of(piece)),
            Want::Mention { .. } | Want::Impossible { .. } | Want::Other => return None,
        };
        Some(CorrectionInstruction {
            issue_id: id.to_owned(),
            target_agent: kind.agent(),
            action,
            specific_instruction: self.text.clone(),
            parameters: Value::Object(parameters),
            priority: 10,
        })
    }
}

/// The parameters that set a field of a piece. A field that says the name is set by its own parameter.
fn with(piece: &Asked, field: &str, value: Value) -> Map<String, Value> {
    let mut parameters = address_of(piece);
    let is_name = field == name_field(piece.kind) && matches!(field, "name" | "title");
    let key = if is_name { format!("new_{field}") } else { field.to_owned() };
    parameters.insert(key, value);
    parameters
}

fn address_of(piece: &Asked) -> Map<String, Value> {
    let mut address = Map::from_iter([("kind".to_owned(), json!(piece.kind))]);
    if !piece.id.is_empty() {
        address.insert("id".to_owned(), json!(piece.id));
    } else if !piece.kind.is_single() {
        address.insert(name_field(piece.kind).to_owned(), json!(piece.name));
    }
    if piece.kind == PieceKind::Relation {
        address.remove("type");
    }
    address
}

/// Whether `text` asks for more of something.
pub fn additive(text: &str) -> bool {
    let folded = format!("{} ", fold(text));
    words::ADDITIONS.iter().any(|word| folded.contains(word))
}

/// Whether `text` speaks of the story, or of all pieces of a kind, as a whole.
pub fn names_whole(text: &str) -> bool {
    let folded = fold(text);
    words::WHOLES.iter().any(|word| folded.contains(word))
}
