//! Partial changes of a field: inserting and removing list entries, so that two instructions for one list do not
//! override each other, and replacing ranges of a text.

use serde_json::Value;

use super::error::Error;
use super::replacement;
use crate::piece::Piece;

/// A parsed field name of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldUpdate<'f> {
    /// Sets the field to the value.
    Whole(&'f str),
    /// `add_` and the name of a list: inserts the value's entries, skipping duplicates.
    Add(&'f str),
    /// `remove_` and the name of a list: removes the value's entries.
    Remove(&'f str),
    /// `replace_` and the name of a text: applies the value's [`Replacement`](super::Replacement)s.
    Replace(&'f str),
}

impl<'f> FieldUpdate<'f> {
    /// Parses a field name for pieces of the kind of `piece`; returns `None` if the field does not exist.
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

    /// Returns the changed field.
    pub(super) fn field(self) -> &'f str {
        match self {
            Self::Whole(field) | Self::Add(field) | Self::Remove(field) | Self::Replace(field) => field,
        }
    }

    /// Returns the piece with the update applied.
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
