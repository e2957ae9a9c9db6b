//! The result of settling a document: changes, doubtful statements, questions to the author, rejections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cast::Candidate;
use crate::edit::AppliedEdit;
use crate::piece::{Piece, PieceKind};

/// The confidence thresholds for accepting a statement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The minimum for acceptance without a warning.
    pub accept: f32,
    /// The minimum for acceptance; below, the author is asked and nothing is changed.
    pub ask: f32,
}

impl Default for Config {
    fn default() -> Self {
        Self { accept: 0.8, ask: 0.5 }
    }
}

/// The result of settling a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settlement {
    /// All changes of the story; the inverse reverts them.
    pub change: AppliedEdit,
    /// The pieces made from the document.
    pub made: Vec<Piece>,
    /// Statements accepted with a warning.
    pub doubtful: Vec<Told>,
    /// Questions only the author can answer, with nothing changed.
    pub questions: Vec<Question>,
    /// The rejected statements, with reasons.
    pub rejected: Vec<Rejected>,
    /// Pieces of an earlier settlement, remaining although no longer in the document.
    pub kept: Vec<Kept>,
}

/// A statement of an extraction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Told {
    /// What kind of piece it would be.
    pub kind: PieceKind,
    /// What it says, in a line.
    pub label: String,
    /// The words that it rests on.
    pub quote: String,
    /// From 0 to 1.
    pub confidence: f32,
}

/// A question to the author.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// About which statement.
    pub told: Told,
    /// What is asked.
    pub doubt: Doubt,
}

/// What only the author can tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "doubt", rename_all = "snake_case")]
pub enum Doubt {
    /// Whether it is so at all.
    Unsure,
    /// Whether the name is another name of one of these.
    Same {
        /// The name.
        name: String,
        /// Who or what is called alike.
        of: Vec<Candidate>,
    },
    /// Which of these is meant.
    Which {
        /// The name.
        name: String,
        /// Who or what bears it.
        of: Vec<Candidate>,
    },
    /// Which promise is kept or kept alive; none of that name is open.
    WhichPromise {
        /// The name.
        name: String,
    },
}

/// A statement that was not believed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    /// The statement.
    pub told: Told,
    /// Why.
    pub reason: Reason,
}

/// Why a statement was not believed, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// The document does not say the words that it quotes.
    NotInText,
    /// It says nothing: it has no name, subject, predicate or value.
    Empty,
    /// It is about somebody or something that has no card and is not introduced.
    Unknown {
        /// The name.
        name: String,
    },
    /// Somebody in it has no card, and was left out; the rest was accepted.
    LeftOut {
        /// The name.
        name: String,
    },
    /// Somebody in it is dead, and the text only speaks of them; they were left out, the rest was accepted.
    OnlyMentioned {
        /// The name.
        name: String,
    },
    /// The author took out what an earlier settlement made of it.
    TakenOut,
}

/// A piece that stays though the document no longer says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// What it is.
    pub kind: PieceKind,
    /// Its id.
    pub id: String,
    /// What a person would call it.
    pub label: String,
    /// Why it stays.
    pub why: Stays,
}

/// Why a piece stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Stays {
    /// Somebody changed it since.
    Changed,
    /// Other pieces refer to it; the first of them.
    Referred {
        /// What a person would call it.
        by: String,
    },
    /// Another document tells it too, and it is that document's now.
    Retold {
        /// The id of the document.
        by: String,
    },
}
