//! The contents of a chapter, as reported by a reader.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Mode, Promise};

/// What a chapter says. A model is asked for it; rules find a part of it without one.
///
/// Every statement quotes the words of the chapter that it rests on; what quotes words that are not there is not believed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Extraction {
    /// What happens, in three to five sentences.
    pub summary: String,
    /// Somebody or something that has no card yet.
    pub entities: Vec<Introduced>,
    /// What happens, event by event.
    pub events: Vec<ToldEvent>,
    /// Statements: what changes, what is learnt, how old, how many, whose.
    pub facts: Vec<ToldFact>,
    /// What the reader is led to expect, or is given.
    pub promises: Vec<ToldPromise>,
    /// The secrets that the reader learns.
    pub revealed: Vec<ToldSecret>,
}

/// A secret that a chapter gives away to the reader.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToldSecret {
    /// Whose it is; empty for the truth of the book.
    pub of: String,
    /// The words of the chapter.
    pub quote: String,
    /// From 0 to 1.
    pub confidence: f32,
}

/// Somebody or something that a chapter introduces.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Introduced {
    /// What it is.
    pub kind: IntroducedKind,
    /// The name.
    pub name: String,
    /// Other names that the chapter uses.
    pub alias: Vec<String>,
    /// The name or id of the known piece that this is under another name, if it is one.
    pub same: Option<String>,
    /// Who or what it is, in a sentence.
    pub description: String,
    /// The words of the chapter.
    pub quote: String,
    /// From 0 to 1.
    pub confidence: f32,
}

/// What a chapter can introduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntroducedKind {
    /// Somebody.
    #[default]
    Character,
    /// A place.
    Location,
    /// A thing that matters.
    Item,
    /// An organisation or power.
    Organisation,
}

/// An event as a chapter tells it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToldEvent {
    /// A short title.
    pub title: String,
    /// What happens.
    pub description: String,
    /// The title or id of the planned event that this is, if it is one.
    pub planned: Option<String>,
    /// When, in the story's words; empty if the chapter does not say.
    pub timestamp: String,
    /// Who takes part.
    pub participants: Vec<String>,
    /// Who dies in it.
    pub deaths: Vec<String>,
    /// Where.
    pub location: Option<String>,
    /// How it is told.
    pub mode: Mode,
    /// Who says, believes, dreams, plans it, or lies.
    pub by: Option<String>,
    /// From 1 (colour) to 10 (the story turns on it).
    pub importance: u8,
    /// The words of the chapter.
    pub quote: String,
    /// From 0 to 1.
    pub confidence: f32,
}

/// A statement as a chapter makes it: the fields of [`Fact`](crate::Fact) that prose can give.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToldFact {
    /// What it is about, by name.
    pub subject: String,
    /// What is said of it: a word of the vocabulary, or one of its own.
    pub predicate: String,
    /// The name of what is on the other side, if it has a card.
    pub object: Option<String>,
    /// The value, if there is no object: a number, a text, or whether it is so.
    pub value: Value,
    /// What a number is counted in; empty if it needs none.
    pub unit: String,
    /// From when it holds, in the story's words; empty if the chapter does not say.
    pub from: String,
    /// Until when.
    pub until: String,
    /// How it is told.
    pub mode: Mode,
    /// Who says, believes, dreams, plans it, or lies.
    pub by: Option<String>,
    /// Who learns it in this chapter.
    pub known_by: Vec<Learns>,
    /// The words of the chapter.
    pub quote: String,
    /// From 0 to 1.
    pub confidence: f32,
}

/// Somebody who learns a fact.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Learns {
    /// Who.
    pub who: String,
    /// How, in a few words.
    pub how: String,
}

/// A promise to the reader that a chapter plants, keeps alive or pays.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToldPromise {
    /// Its short name; that of a promise that is open already, if it is one.
    pub name: String,
    /// The name or id of the promise, or plant of the outline, that this is under another name. Only the author says so.
    #[schemars(skip)]
    pub same: Option<String>,
    /// What the chapter does with it.
    pub action: PromiseAction,
    /// What the reader is led to expect, or how it is paid.
    pub description: String,
    /// The outline node by which it must be paid, if the story says.
    pub due: Option<String>,
    /// From 1 (colour) to 10 (the story turns on it).
    pub importance: u8,
    /// The words of the chapter.
    pub quote: String,
    /// From 0 to 1.
    pub confidence: f32,
}

/// What a chapter does with a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromiseAction {
    /// Makes it.
    #[default]
    Planted,
    /// Reminds of it.
    Advanced,
    /// Keeps it.
    Paid,
}

impl PromiseAction {
    pub(super) const ALL: [Self; 3] = [Self::Planted, Self::Advanced, Self::Paid];

    /// Returns the field of a promise that lists the texts with the action.
    pub(super) fn field(self) -> &'static str {
        match self {
            Self::Planted => "planted",
            Self::Advanced => "advanced",
            Self::Paid => "paid",
        }
    }

    /// Returns the texts in which a promise has the action.
    pub(super) fn texts(self, promise: &Promise) -> &[String] {
        match self {
            Self::Planted => &promise.planted,
            Self::Advanced => &promise.advanced,
            Self::Paid => &promise.paid,
        }
    }

    /// Same as [`texts`](Self::texts), mutable.
    pub(super) fn texts_mut(self, promise: &mut Promise) -> &mut Vec<String> {
        match self {
            Self::Planted => &mut promise.planted,
            Self::Advanced => &mut promise.advanced,
            Self::Paid => &mut promise.paid,
        }
    }
}
