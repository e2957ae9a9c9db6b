//! A parsed question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pattern::Query;

/// A parsed question.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ParsedQuestion {
    /// The pattern; `None` if any word is unknown.
    pub query: Option<Query>,
    /// The ranking of the answers, if the question asks for the most or least of a quality.
    pub rank: Option<Rank>,
    /// The unknown words.
    pub unread: Vec<UnknownWords>,
    /// The reason for a missing pattern although all words are known.
    pub(crate) reason: Option<RejectionReason>,
}

/// A superlative: `最谨慎`, `the least honest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rank {
    /// The quality, as it is written.
    pub quality: String,
    /// Whether the most of it is asked for, not the least.
    pub most: bool,
}

/// Words without a meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnknownWords {
    /// The start, in bytes.
    pub start: usize,
    /// The end, in bytes.
    pub end: usize,
    /// The words.
    pub text: String,
    /// The names of the candidate pieces of an ambiguous name.
    pub may_mean: Vec<String>,
}

/// The reason why known words make no pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RejectionReason {
    /// The question names nothing to search for.
    Empty,
    /// The order of the words matches no known shape.
    Shape,
    /// `and` and `or` together are ambiguous.
    AndOr,
    /// Two times are named.
    TwoTimes,
    /// The question exceeds the limits of a pattern.
    TooMuch,
}
