//! Converts wishes to instructions.

use serde_json::{Map, Value, json};

use super::check::{locate, name_field};
use super::{ReadWish, RequestedPiece, WishDemand, length, words};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, CorrectionInstruction, Story};

impl ReadWish {
    /// Returns the changes of `story` fulfilling the wish: that of [`instruction`](Self::instruction), or for a length those of
    /// the chapters.
    pub fn instructions(&self, story: &Story, id: &str) -> Vec<CorrectionInstruction> {
        match &self.want {
            WishDemand::Length { length } => length::instructions(story, length, &self.text, id),
            _ => self.instruction(story, id).into_iter().collect(),
        }
    }

    /// Returns the change of `story` fulfilling the wish, or `None` if the wish cannot be fulfilled or expressed as
    /// data.
    ///
    /// `id` becomes the issue of the instruction.
    pub fn instruction(&self, story: &Story, id: &str) -> Option<CorrectionInstruction> {
        let (kind, action, parameters) = match &self.want {
            WishDemand::Set { piece, field, value } => (piece.kind, Action::Update, with(piece, field, value.clone())),
            WishDemand::Rework { piece, field, .. } => (piece.kind, Action::Update, with(piece, field, Value::Null)),
            WishDemand::Add { piece, fields } => {
                let there = locate(story, piece);
                let address = there.as_ref().map_or_else(|| piece.clone(), super::reader::asked);
                let mut parameters = address_of(&address);
                parameters.extend(fields.clone());
                (piece.kind, if there.is_some() { Action::Update } else { Action::Create }, parameters)
            }
            WishDemand::Remove { piece } => (piece.kind, Action::Delete, address_of(piece)),
            WishDemand::Mention { .. }
            | WishDemand::Length { .. }
            | WishDemand::Impossible { .. }
            | WishDemand::Other => return None,
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

/// Returns the parameters for setting a field of a piece. Name fields have a parameter of their own.
fn with(piece: &RequestedPiece, field: &str, value: Value) -> Map<String, Value> {
    let mut parameters = address_of(piece);
    let is_name = field == name_field(piece.kind) && matches!(field, "name" | "title");
    let key = if is_name { format!("new_{field}") } else { field.to_owned() };
    parameters.insert(key, value);
    parameters
}

fn address_of(piece: &RequestedPiece) -> Map<String, Value> {
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

/// Returns whether `text` requests additions.
pub fn additive(text: &str) -> bool {
    let folded = format!("{} ", fold(text));
    words::ADDITIONS.iter().any(|word| folded.contains(word))
}

/// Returns whether `text` refers to the whole story, or to all pieces of a kind.
pub fn names_whole(text: &str) -> bool {
    let folded = fold(text);
    words::WHOLES.iter().any(|word| folded.contains(word))
}
