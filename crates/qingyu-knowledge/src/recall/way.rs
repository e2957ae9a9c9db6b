//! The reasons for an answer of the graph.

use qingyu_story::{Evidence, PieceKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::quality::Judged;

/// Something between two pieces, and the sentence that says so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tied {
    /// Whose it is.
    pub from: String,
    /// The word, such as `enemy_of`.
    pub relation: String,
    /// To whom.
    pub to: String,
    /// From when, as it is written; empty if it is not.
    pub since: String,
    /// Until when, as it is written; empty if it is not.
    pub until: String,
    /// The kind of the piece that says so, and its id, or its name if it has no id.
    pub source: (PieceKind, String),
    /// The sentence, and where it stands.
    pub says: Evidence,
}

impl Tied {
    /// Returns the sentence, unless empty or only a repetition of the tie's words.
    pub fn sentence(&self) -> Option<&str> {
        let quote = self.says.quote.trim();
        (!quote.is_empty() && !quote.contains(&self.relation)).then_some(quote)
    }
}

/// Why the graph answers with a piece.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// Its rank among the answers, from 1.
    pub rank: usize,
    /// What ties it to what the question names.
    pub ties: Vec<Tied>,
    /// How much it has of the quality that is asked for, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Judged>,
}
