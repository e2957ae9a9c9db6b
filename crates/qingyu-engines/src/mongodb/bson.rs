//! The subset of [BSON](https://bsonspec.org/spec.html) for commands and their replies.

mod decode;
mod encode;
#[cfg(test)]
pub(super) mod tests;

/// Nesting limit of documents and arrays. Servers allow 100 levels within a stored document.
const MAX_DEPTH: usize = 128;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bson {
    Double(f64),
    String(String),
    Document(BsonDocument),
    Array(Vec<Bson>),
    /// Bytes with their subtype; 0 by default.
    Binary(u8, Vec<u8>),
    ObjectId([u8; 12]),
    Bool(bool),
    /// Milliseconds since 1970 in UTC.
    DateTime(i64),
    Null,
    Int32(i32),
    /// A position in a server's log of operations, not a time.
    Timestamp(u64),
    Int64(i64),
}

/// Named values in order. A server may send duplicate names; the first counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct BsonDocument(Vec<(String, Bson)>);

/// An error of decoding or encoding a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum BsonError {
    #[error("a value ends before its length")]
    Truncated,
    #[error("a length of {0} is out of range")]
    Length(i64),
    #[error("a text is not UTF-8")]
    Utf8,
    #[error("a terminating zero byte is missing")]
    Unterminated,
    #[error("a boolean of {0}")]
    Bool(u8),
    #[error("the type {0:#04x} is not known here")]
    Type(u8),
    #[error("nested more than {MAX_DEPTH} levels deep")]
    Depth,
    #[error("a name contains a zero byte")]
    Name,
}

impl BsonDocument {
    /// Sets `name` to `value`, in place of an existing value, by default at the end.
    pub(super) fn insert(&mut self, name: &str, value: impl Into<Bson>) {
        let value = value.into();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, place)) => *place = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Appends the values of another document.
    pub(super) fn extend(&mut self, other: Self) {
        for (name, value) in other.0 {
            self.insert(&name, value);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Bson> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(super) fn str(&self, name: &str) -> Option<&str> {
        if let Some(Bson::String(text)) = self.get(name) { Some(text) } else { None }
    }

    pub(super) fn document(&self, name: &str) -> Option<&Self> {
        if let Some(Bson::Document(document)) = self.get(name) { Some(document) } else { None }
    }

    pub(super) fn array(&self, name: &str) -> Option<&[Bson]> {
        if let Some(Bson::Array(values)) = self.get(name) { Some(values) } else { None }
    }

    /// Returns an integer of any numeric type; a double only if whole.
    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        match *self.get(name)? {
            Bson::Int32(number) => Some(number.into()),
            Bson::Int64(number) => Some(number),
            #[expect(clippy::cast_possible_truncation, reason = "whole numbers within 2^53 fit")]
            Bson::Double(number) if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 => {
                Some(number as i64)
            }
            _ => None,
        }
    }

    /// Returns whether a value is `true` or a number other than 0; servers write flags in either form.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.get(name) == Some(&Bson::Bool(true)) || self.integer(name).is_some_and(|number| number != 0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Bson)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, Bson)> for BsonDocument {
    fn from_iter<I: IntoIterator<Item = (String, Bson)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

macro_rules! from {
    ($($kind:ty => $variant:ident),* $(,)?) => {
        $(impl From<$kind> for Bson {
            fn from(value: $kind) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

from! { f64 => Double, &str => String, String => String, BsonDocument => Document, Vec<Bson> => Array, bool => Bool, i32 => Int32, i64 => Int64 }

/// Returns a document from a literal: `document! {"name": value, …}`, with any values convertible to [`Bson`].
macro_rules! document {
    ($($name:literal : $value:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "an empty document changes nothing")]
        let mut document = $crate::mongodb::bson::BsonDocument::default();
        $(document.insert($name, $value);)*
        document
    }};
}

pub(super) use document;
