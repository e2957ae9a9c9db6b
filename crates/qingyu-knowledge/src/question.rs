//! Questions in plain words as patterns, by rules: names and aliases of the story, words for relations, and a few
//! shapes of sentences in Chinese and English.
//!
//! The parser never guesses: either all words of a question have a meaning, or no pattern is returned, but the unknown
//! words. `lexicon` knows the words, `tokens` cuts a question, `shape` recognizes its shape; `parsed` is the result.
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
mod parsed;
mod pieces;
mod shape;
#[cfg(test)]
mod tests;
mod tokens;

use parsed::RejectionReason;
pub use parsed::{ParsedQuestion, Rank, UnknownWords};

use crate::StoryGraph;
use crate::graph::NodeId;
use crate::pattern::{Query, When};

/// The maximum number of tokens parsed: more would exceed the limits of any pattern.
const MOST_TOKENS: usize = 1_000;

/// Returns the pieces named in a text by name, alias or role (`主角`, `the protagonist`), without duplicates, in the
/// order of the text. A shared name returns all pieces with the name.
pub fn named(text: &str, graph: &StoryGraph) -> Vec<NodeId> {
    tokens::named(text, graph)
}

/// Parses a question about the story of `graph`. The time is proportional to the question, once the names are indexed.
pub fn read(question: &str, graph: &StoryGraph) -> ParsedQuestion {
    let tokens = tokens::of(question, graph);
    let empty = ParsedQuestion { query: None, rank: tokens.rank, unread: tokens.unread, reason: None };
    if !empty.unread.is_empty() {
        return empty;
    }
    if tokens.tokens.len() > MOST_TOKENS {
        return ParsedQuestion { reason: Some(RejectionReason::TooMuch), ..empty };
    }
    let when = match tokens.times.as_slice() {
        [] => When::Ever,
        [one] => one.clone(),
        _ => return ParsedQuestion { reason: Some(RejectionReason::TwoTimes), ..empty },
    };
    let query = shape::query(&tokens.tokens).map(|query| Query { when, ..query });
    match query.and_then(|query| query.check().map(|()| query).map_err(|_| RejectionReason::TooMuch)) {
        Ok(query) => ParsedQuestion { query: Some(query), ..empty },
        Err(reason) => ParsedQuestion { reason: Some(reason), ..empty },
    }
}
