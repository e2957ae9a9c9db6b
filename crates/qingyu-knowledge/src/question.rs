//! Questions in plain words as patterns, by rules: names and aliases of the story, words for relations, and a few shapes of
//! sentences in Chinese and English.
//!
//! What is not understood is never guessed at: either all words of a question have a meaning, or there is no pattern and
//! the words that have none are given.
//!
//! ```
//! use qingyu_knowledge::{StoryGraph, question};
//! use qingyu_story::Story;
//!
//! let story: Story = serde_json::from_str(r#"{
//!     "characters": [{"name": "林青", "role_type": "protagonist"}, {"name": "苏婉"}],
//!     "worldview": {"locations": [{"name": "迷雾森林"}]}
//! }"#)?;
//! let graph = StoryGraph::of(&story);
//! let read = question::read("和主角亦敌亦友，并且去过迷雾森林的角色里最谨慎的那个", &graph);
//! assert_eq!(
//!     read.query.expect("it is understood").to_string(),
//!     r#"(x:Character)-[:friend_of|ally_of]->(a:Character {role_type = "protagonist"}), (x)-[:enemy_of]->(a), (x)-[:visited]->(b:Location "迷雾森林") return x"#
//! );
//! assert_eq!(read.rank.expect("one of them is asked for").quality, "谨慎");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod lexicon;
mod shape;
#[cfg(test)]
mod tests;
mod tokens;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::StoryGraph;
use crate::graph::NodeId;
use crate::pattern::{Query, When};

/// What was understood of a question.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Reading {
    /// The pattern; none if something was not understood.
    pub query: Option<Query>,
    /// By what the answers are to be ranked, if the question asks for the most or least of something.
    pub rank: Option<Rank>,
    /// The words that have no meaning here.
    pub unread: Vec<Unread>,
    /// Why there is no pattern although all words have a meaning.
    pub reason: Option<Reason>,
}

/// A superlative: `最谨慎`, `the least honest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rank {
    /// The quality, as it is written.
    pub quality: String,
    /// Whether the most of it is asked for, not the least.
    pub most: bool,
}

/// Words that are not understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// Where they begin, in bytes.
    pub start: usize,
    /// Where they end, in bytes.
    pub end: usize,
    /// The words.
    pub text: String,
    /// The names of the pieces that they may mean, if they may mean several.
    pub may_mean: Vec<String>,
}

/// Why words that have a meaning make no pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// There is nothing to look for.
    Empty,
    /// The words stand in an order that is none of the known shapes.
    Shape,
    /// `and` and `or` together can be meant in two ways.
    AndOr,
    /// Two times are named.
    TwoTimes,
    /// More is asked at once than a pattern holds.
    TooMuch,
}

/// The most tokens that are read: with more, more is asked than any pattern holds.
const MOST_TOKENS: usize = 1_000;

/// The pieces that a text calls by name, alias or role (`主角`, `the protagonist`), each once, in the order of the text. A
/// name that several pieces bear means all of them.
pub fn named(text: &str, graph: &StoryGraph) -> Vec<NodeId> {
    tokens::named(text, graph)
}

/// Reads a question about the story of `graph`. It takes time in proportion to the question, once the names are indexed.
pub fn read(question: &str, graph: &StoryGraph) -> Reading {
    let tokens = tokens::of(question, graph);
    let empty = Reading { query: None, rank: tokens.rank, unread: tokens.unread, reason: None };
    if !empty.unread.is_empty() {
        return empty;
    }
    if tokens.tokens.len() > MOST_TOKENS {
        return Reading { reason: Some(Reason::TooMuch), ..empty };
    }
    let when = match tokens.times.as_slice() {
        [] => When::Ever,
        [one] => one.clone(),
        _ => return Reading { reason: Some(Reason::TwoTimes), ..empty },
    };
    let query = shape::query(&tokens.tokens).map(|query| Query { when, ..query });
    match query.and_then(|query| query.check().map(|()| query).map_err(|_| Reason::TooMuch)) {
        Ok(query) => Reading { query: Some(query), ..empty },
        Err(reason) => Reading { reason: Some(reason), ..empty },
    }
}
