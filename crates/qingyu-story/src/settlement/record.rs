//! The settlement record of a document, for updating the pieces made from the document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::quotes::Quotable;
use super::remaining::words_left;
use crate::fact::Quotation;
use crate::piece::PieceKind;

/// What was settled from a document. It travels with the document: through undo, branches, export and deletion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settled {
    /// The version of the document that was settled.
    pub version: u32,
    /// A digest of the text that was settled. If it is not that of the text, the text was edited since.
    pub digest: String,
    /// The pieces that came from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<Made>,
    /// What it added to pieces that were there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<Added>,
    /// The facts that were there and that it tells too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub retold: Vec<Retold>,
    /// The pieces whose sentence was edited away since. They come back with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) gone: Vec<Gone>,
    /// What it added in a sentence that was edited away since. It comes back with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Added>,
    /// The words by which it tells that years pass, such as `五年后`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub years: Vec<String>,
    /// What it tells otherwise than it was planned.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<Differs>,
    /// The secrets that it gives away to the reader, as a model read it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revealed: Vec<Revealed>,
    /// The events that were there and that it tells. Records of earlier versions do not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<ToldHere>>,
}

/// An event that was there and that a document tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToldHere {
    /// The id of the event.
    pub event: String,
    /// The words of the document.
    pub quote: String,
}

/// A secret that a document gives away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Revealed {
    /// The id of the character whose secret it is; empty for the truth of the book.
    pub of: String,
    /// The words of the document.
    pub quote: String,
}

/// What a document tells of a planned event otherwise than planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Differs {
    /// The id of the event.
    pub event: String,
    /// `timestamp`, `location`, `description`, `participants` or `deaths`.
    pub field: String,
    /// What the document tells; of `participants` and `deaths`, the planned name that it leaves out.
    pub told: String,
    /// The words of the document.
    pub quote: String,
}

/// A piece that came from a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// What it is.
    #[schemars(with = "String")]
    pub kind: PieceKind,
    /// Its id.
    pub id: String,
    /// A digest of it as it was made. If it is not that of the piece, somebody changed the piece since.
    pub digest: String,
    /// The words of the document that it rests on; of a fact they stand in its source.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// Whether it was made when an edit was followed, not when the chapter was settled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub followed: bool,
}

/// An entry that a document added to a piece that was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Added {
    /// What was added to.
    #[schemars(with = "String")]
    pub kind: PieceKind,
    /// Its id.
    pub id: String,
    /// The field, such as `planted`, `known_by`, `alias` or `location`.
    pub field: String,
    /// The entry.
    pub entry: Value,
    /// The words of the document.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
}

/// A fact that another document, or the author, tells first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Retold {
    /// The id of the fact.
    pub id: String,
    /// The sentence that tells it again.
    pub source: Quotation,
}

/// A piece that was taken out because its sentence was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Gone {
    /// Its place in its list.
    pub(crate) position: usize,
    /// The piece, with its kind.
    pub(crate) piece: Value,
    /// The words that it rested on; of a fact they stand in its source.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) quote: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Added {
    /// Returns whether both are the same entry, regardless of wording.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        (self.kind, &self.id, &self.field, &self.entry) == (other.kind, &other.id, &other.field, &other.entry)
    }

    /// Returns the words by which the text tells the entry: those of the record as far as they are left, or the entry itself
    /// if it is another name of a card. `None` if the text has neither.
    pub(super) fn words_in(&self, text: &Quotable<'_>) -> Option<String> {
        let name = || self.entry.as_str().filter(|name| self.is_card_alias() && name.chars().count() > 1);
        // A value may be the very words that were changed.
        let left = match self.is_value() {
            true => text.find(&self.quote, 0).map(|_| self.quote.clone()),
            false => words_left(text, self.kind, &self.quote),
        };
        left.or_else(|| name().filter(|name| text.find(name, 0).is_some()).map(str::to_owned))
    }

    /// Returns whether the entry is another name of a card.
    pub(super) fn is_card_alias(&self) -> bool {
        self.field == "alias" && PieceKind::CARDS.contains(&self.kind)
    }

    /// Returns whether the entry is the whole value of a field, and not one of a list.
    pub(super) fn is_value(&self) -> bool {
        matches!(self.field.as_str(), "timestamp" | "location" | "description" | "by")
    }
}

impl Settled {
    /// Returns whether the record is empty.
    pub fn is_empty(&self) -> bool {
        self.made.is_empty() && self.added.is_empty() && self.retold.is_empty() && self.gone.is_empty()
    }

    /// Sorts the record, so that equal contents serialize equally.
    pub(super) fn sort(&mut self) {
        self.made.sort_by(|a, b| (a.kind, a.id.len(), &a.id).cmp(&(b.kind, b.id.len(), &b.id)));
        let key = |added: &Added| (added.kind, added.id.clone(), added.field.clone(), added.entry.to_string());
        self.added.sort_by_cached_key(key);
        self.lost.sort_by_cached_key(key);
        self.retold.sort_by(|a, b| (a.id.len(), &a.id).cmp(&(b.id.len(), &b.id)));
        let events = self.events.iter_mut();
        events.for_each(|events| events.sort_by(|a, b| (a.event.len(), &a.event).cmp(&(b.event.len(), &b.event))));
    }

    /// Returns the record of a piece made from the document.
    pub fn made(&self, kind: PieceKind, id: &str) -> Option<&Made> {
        self.made.iter().find(|made| made.kind == kind && made.id == id)
    }
}
