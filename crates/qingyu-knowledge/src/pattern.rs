//! A small language for asking the [story graph](crate::graph): patterns of nodes and edges, in the form of Cypher.
//!
//! ```text
//! (x:Character {traits contains "谨慎"})-[:friend_of @ch30]-(p {role_type = "protagonist"}),
//! (x)-[:visited]->(:Location "迷雾森林") return x
//! ```
//!
//! - `(x:Character|Organisation "name or alias" {property = "value"})` is a node. All parts may be left out. Tests are
//!   `=`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `in [..]`.
//! - `-[r:friend_of|enemy_of *1..3 @ch30 {mode = "lied"}]->` is an edge: words, hops, time, tests on `mode`, `by` and
//!   `source`. The arrow may point either way or none. Words that hold in both directions have no direction, and a word
//!   may be said from the other side (`child_of` for `parent_of`). Without a test on `mode` only what is told as being so
//!   counts, not what is dreamt, planned, believed or a lie.
//! - `@ch30`, `@"the duel"`, `@"2077-03-05"` is as of then; `@ch10..ch20` is at some time from the first to the second. After
//!   the whole pattern it is meant for all edges without a time of their own.
//! - Paths are joined by `,`. Patterns are joined by `and`, `or`, `except` over the variables that they have in common;
//!   braces group them.
//! - `shortest (a "A")-[*..6]-(b "B")` is the shortest way; `within 2 (a "A")` is all that is at most two steps away.
//! - `return x, y` keeps these variables; `limit 20` keeps the first rows.
//!
//! Two nodes of one pattern are never the same piece. Hops are counted on the shortest way: `*2..3` is what is two or
//! three steps away, not what is one step away and can also be reached in three.

mod check;
mod cypher;
mod error;
mod found;
mod lex;
mod order;
mod parse;
mod print;
mod reach;
mod resolve;
mod run;
mod sets;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::StoryGraph;
use crate::graph::{NodeKind, Span};

pub use cypher::Cypher;
pub use error::Error;
pub use found::{Cut, Found, Limits, Row, Tie};

/// The most hops that an edge of a pattern may have.
pub const MOST_HOPS: u8 = 12;
/// The most patterns that are joined: each is two levels deeper as JSON, which has 128 of them at most when it is read.
pub const MOST_PATTERNS: usize = 32;
/// The most hops of `*` and `*2..`.
pub const USUAL_HOPS: u8 = 8;

/// A question to the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// What is wanted of the pattern.
    #[serde(default)]
    pub goal: Goal,
    /// What is looked for.
    pub set: Set,
    /// The time of all edges that have none of their own.
    #[serde(default, skip_serializing_if = "When::is_ever")]
    pub when: When,
    /// The variables that are wanted; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub returns: Vec<Name>,
    /// The most rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// What is wanted of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// All that fits.
    #[default]
    Match,
    /// Of one edge: the shortest way for each pair of ends, short ways first.
    Shortest,
    /// All nodes within so many hops of those that fit the first node, over edges as the one that follows it, if any.
    Within(u8),
}

/// Patterns, joined as sets of rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Set {
    /// One pattern.
    Pattern(Pattern),
    /// Two sets joined over the variables they have in common.
    Join {
        /// How.
        how: Operator,
        /// The one.
        left: Box<Set>,
        /// The other.
        right: Box<Set>,
    },
}

/// How two sets are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// What is in both.
    And,
    /// What is in one of them; of the variables only those that both have.
    Or,
    /// What is in the first and not in the second.
    Except,
}

/// Paths that share variables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pattern {
    /// The paths; at least one.
    pub paths: Vec<Path>,
}

/// Nodes in a row, with an edge between each two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// The first node.
    pub start: NodePattern,
    /// Edges, each with the node after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<(EdgePattern, NodePattern)>,
}

/// A node that is looked for. What is left out is not restricted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NodePattern {
    /// What it is called in the answer and in other paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<Name>,
    /// What it is: one of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<NodeKind>,
    /// A name, alias or id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What must be true of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<Test>,
}

/// An edge that is looked for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EdgePattern {
    /// What it is called in the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<Name>,
    /// Its word: one of these; any if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Where the arrow points.
    pub direction: Direction,
    /// How many edges in a row.
    pub hops: Hops,
    /// When.
    #[serde(skip_serializing_if = "When::is_ever")]
    pub when: When,
    /// What must be true of it: tests on `mode`, `by` and `source`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<Test>,
}

/// Where the arrow of an edge points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the node after it.
    Right,
    /// To the node before it.
    Left,
    /// Nowhere.
    #[default]
    Either,
}

/// How many edges in a row: the length of the shortest way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hops {
    /// At least; from 1.
    pub least: u8,
    /// At most; up to [`MOST_HOPS`].
    pub most: u8,
}

/// When something must be so.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// At any time.
    #[default]
    Ever,
    /// As of a time.
    AsOf(Instant),
    /// At some time from the first to the second.
    During(Instant, Instant),
}

/// A time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instant {
    /// The end of the chapter of that number.
    Chapter(u32),
    /// An event, a time in the story's words, an outline node or a document.
    Words(String),
}

/// What must be true of a property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// The field of a card, such as `role_type`, or the word of a fact, such as `species` or `瞳色`.
    pub property: String,
    /// What must be true of it.
    #[serde(flatten)]
    pub is: Comparison,
}

/// A comparison. Of several values one must pass; for [`NotEqual`](Self::NotEqual) all of them, and there may be none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// The same, without regard to case and width.
    Equal(Value),
    /// Not the same.
    NotEqual(Value),
    /// A smaller number.
    Less(f64),
    /// A number that is not greater.
    AtMost(f64),
    /// A greater number.
    Greater(f64),
    /// A number that is not smaller.
    AtLeast(f64),
    /// A text that holds this one.
    Contains(String),
    /// One of these.
    In(Vec<Value>),
}

/// A value in a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Whether it is so.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// The name of a variable: letters, digits and `_`, not beginning with a digit, and no word of the language.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

impl Query {
    /// Reads a query.
    ///
    /// Fails with [`Error::Syntax`], which says where and what was expected, or with [`Error::Invalid`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let query = parse::query(text)?;
        query.check()?;
        Ok(query)
    }

    /// All that fits one pattern.
    pub fn of(pattern: Pattern) -> Self {
        let set = Set::Pattern(pattern);
        Self { goal: Goal::Match, set, when: When::Ever, returns: Vec::new(), limit: None }
    }
}

impl std::str::FromStr for Query {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl Set {
    /// The patterns, from left to right.
    pub fn patterns(&self) -> Vec<&Pattern> {
        match self {
            Self::Pattern(pattern) => vec![pattern],
            Self::Join { left, right, .. } => [left.patterns(), right.patterns()].concat(),
        }
    }
}

impl Path {
    /// All nodes in their order.
    pub fn nodes(&self) -> impl Iterator<Item = &NodePattern> {
        [&self.start].into_iter().chain(self.steps.iter().map(|(_, node)| node))
    }
}

impl When {
    /// Whether it is any time.
    pub fn is_ever(&self) -> bool {
        *self == Self::Ever
    }

    /// The time in the story of `graph`.
    ///
    /// Fails with [`Error::Time`] if the story knows no such time, with [`Error::Invalid`] if it runs backwards.
    pub fn span(&self, graph: &StoryGraph) -> Result<Span, Error> {
        resolve::span(self, graph)
    }
}

impl Instant {
    /// Reads `chapter:30`, `ch30`, or whatever the story calls a time.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let lower = text.to_lowercase();
        let chapter = ["chapter:", "chapter ", "chapter", "ch"].iter().find_map(|word| lower.strip_prefix(word));
        match chapter.and_then(|number| number.trim().parse().ok()) {
            Some(number) => Self::Chapter(number),
            None => Self::Words(text.to_owned()),
        }
    }
}

impl Default for Hops {
    fn default() -> Self {
        Self { least: 1, most: 1 }
    }
}

impl Hops {
    /// Whether it is one edge.
    pub fn is_one(self) -> bool {
        self == Self::default()
    }
}

impl Name {
    /// A name; fails with [`Error::Invalid`] if it cannot be one.
    pub fn new(name: &str) -> Result<Self, Error> {
        match lex::is_identifier(name) && !lex::is_keyword(name) {
            true => Ok(Self(name.to_owned())),
            false => Err(Error::Invalid(format!(
                "'{name}' cannot be a variable: letters, digits and _ only, not beginning with a digit, and none of {}",
                lex::KEYWORDS.join(", ")
            ))),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = Error;

    fn try_from(name: String) -> Result<Self, Error> {
        Self::new(&name)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
