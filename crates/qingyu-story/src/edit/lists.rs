//! Changing a part of a field: adding entries to a list and taking them out, so that two instructions for one list do not
//! undo each other, and replacing places of a text.

use serde_json::Value;

use super::{Error, replacement};
use crate::piece::Piece;

/// What a field name in an update means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting<'f> {
    /// The field gets the value.
    Whole(&'f str),
    /// `add_` and the name of a list: the value's entries are added, unless they are there.
    Add(&'f str),
    /// `remove_` and the name of a list: the value's entries are taken out.
    Remove(&'f str),
    /// `replace_` and the name of a text: the value's [`Replacement`](super::Replacement)s are made in it.
    Replace(&'f str),
}

impl<'f> Setting<'f> {
    /// Reads a field name for pieces of the kind of `piece`; `None` if they have no such field.
    pub(super) fn read(piece: &Piece, name: &'f str) -> Option<Self> {
        let fields = piece.fields();
        let list = |field: &&str| fields.get(*field).is_some_and(Value::is_array);
        if fields.contains_key(name) {
            return Some(Self::Whole(name));
        }
        let add = name.strip_prefix("add_").filter(list).map(Self::Add);
        let remove = || name.strip_prefix("remove_").filter(list).map(Self::Remove);
        let text = |field: &&str| fields.get(*field).is_some_and(Value::is_string);
        add.or_else(remove).or_else(|| name.strip_prefix("replace_").filter(text).map(Self::Replace))
    }

    /// The field that changes.
    pub(super) fn field(self) -> &'f str {
        match self {
            Self::Whole(field) | Self::Add(field) | Self::Remove(field) | Self::Replace(field) => field,
        }
    }

    /// The piece with the setting made.
    pub(super) fn make(self, piece: &Piece, value: Value) -> Result<Piece, Error> {
        let field = self.field();
        if let (Self::Replace(_), Some(Value::String(text))) = (self, piece.fields().remove(field)) {
            return piece.with_field(field, Value::String(replacement::make(field, &text, value)?));
        }
        let entries = |value: Value| match value {
            Value::Array(entries) => entries,
            one => vec![one],
        };
        let (Self::Add(_) | Self::Remove(_), Some(Value::Array(mut list))) = (self, piece.fields().remove(field))
        else {
            return piece.with_field(field, value);
        };
        for entry in entries(value) {
            match self {
                Self::Remove(_) => list.retain(|other| *other != entry),
                _ if list.contains(&entry) => {}
                _ => list.push(entry),
            }
        }
        piece.with_field(field, Value::Array(list))
    }
}
