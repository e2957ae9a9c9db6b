//! A query as data: patterns of nodes and edges, with times and tests.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::lex;
use crate::graph::NodeKind;

/// The maximum number of hops of an edge pattern.
pub(crate) const MOST_HOPS: u8 = 12;
/// The maximum number of joined patterns: each is two levels deeper as JSON, whose parser accepts at most 128.
pub(crate) const MOST_PATTERNS: usize = 32;
/// The default maximum of hops for `*` and `*2..`.
pub(super) const USUAL_HOPS: u8 = 8;

/// A query of the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The goal.
    #[serde(default)]
    pub(crate) goal: Goal,
    /// The set of patterns.
    pub(crate) set: Set,
    /// The default time of edges.
    #[serde(default, skip_serializing_if = "When::is_ever")]
    pub when: When,
    /// The returned variables; by default all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) returns: Vec<Name>,
    /// The maximum number of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// The goal of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    /// All matches.
    #[default]
    Match,
    /// For a pattern of one edge: the shortest path for each pair of ends, short paths first.
    Shortest,
    /// All nodes within the given number of hops of the nodes that match the first node, over edges like the following
    /// edge, if any.
    Within(u8),
}

/// Patterns, joined as sets of rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Set {
    /// One pattern.
    Pattern(GraphPattern),
    /// Two sets joined over their common variables.
    Join {
        /// The operator.
        how: Operator,
        /// The left set.
        left: Box<Set>,
        /// The right set.
        right: Box<Set>,
    },
}

/// A set operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Operator {
    /// The intersection.
    And,
    /// The union, with only the common variables.
    Or,
    /// The difference: rows of the first set without a match in the second.
    Except,
}

/// Paths with common variables.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct GraphPattern {
    /// The paths; at least one.
    pub(crate) paths: Vec<Path>,
}

/// Nodes in sequence, connected by edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Path {
    /// The first node.
    pub(crate) start: NodePattern,
    /// The edges, each with the next node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) steps: Vec<(EdgePattern, NodePattern)>,
}

/// A pattern for a node. A missing part is not restricted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NodePattern {
    /// The variable in the answer and in other paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variable: Option<Name>,
    /// The allowed kinds; any by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) kinds: Vec<NodeKind>,
    /// A name, alias or id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The tests on properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tests: Vec<PropertyTest>,
}

/// A pattern for an edge.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct EdgePattern {
    /// The variable in the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) variable: Option<Name>,
    /// The allowed words; any by default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) words: Vec<String>,
    /// The direction of the arrow.
    pub(crate) direction: EdgeDirection,
    /// The number of edges in sequence.
    pub(crate) hops: Hops,
    /// The time.
    #[serde(skip_serializing_if = "When::is_ever")]
    pub(crate) when: When,
    /// The tests on `mode`, `by` and `source`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tests: Vec<PropertyTest>,
}

/// The direction of an edge's arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EdgeDirection {
    /// To the next node.
    Right,
    /// To the previous node.
    Left,
    /// No direction.
    #[default]
    Either,
}

/// The number of edges in sequence: the length of the shortest path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hops {
    /// The minimum; from 1.
    pub(crate) least: u8,
    /// The maximum; up to 12.
    pub(crate) most: u8,
}

/// The time at which an edge must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Any time.
    #[default]
    Ever,
    /// A point in time.
    AsOf(Instant),
    /// Some time from the first to the second.
    During(Instant, Instant),
}

/// A point in time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instant {
    /// The end of the chapter with the given number.
    Chapter(u32),
    /// An event, a time in the story's words, an outline node or a document.
    Words(String),
}

/// A test of a property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PropertyTest {
    /// The field of a card, such as `role_type`, or the word of a fact, such as `species` or `瞳色`.
    pub(crate) property: String,
    /// The comparison.
    #[serde(flatten)]
    pub(crate) is: PropertyComparison,
}

/// A comparison. Any of several values must pass; for [`NotEqual`](Self::NotEqual) all of them, and no value passes
/// too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PropertyComparison {
    /// Equal, without regard to case and width.
    Equal(Value),
    /// Not equal.
    NotEqual(Value),
    /// A smaller number.
    Less(f64),
    /// A number that is not greater.
    AtMost(f64),
    /// A greater number.
    Greater(f64),
    /// A number that is not smaller.
    AtLeast(f64),
    /// A text that contains the given text.
    Contains(String),
    /// Any of the given values.
    In(Vec<Value>),
}

/// A value in a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// A flag.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// The name of a variable: letters, digits and `_`, not beginning with a digit, and no keyword.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

impl Query {
    /// Returns the query for all matches of one pattern.
    pub(crate) fn of(pattern: GraphPattern) -> Self {
        let set = Set::Pattern(pattern);
        Self { goal: Goal::Match, set, when: When::Ever, returns: Vec::new(), limit: None }
    }
}

impl Set {
    /// Returns the patterns, from left to right.
    pub(crate) fn patterns(&self) -> Vec<&GraphPattern> {
        match self {
            Self::Pattern(pattern) => vec![pattern],
            Self::Join { left, right, .. } => [left.patterns(), right.patterns()].concat(),
        }
    }
}

impl Path {
    /// Returns an iterator over all nodes, in order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &NodePattern> {
        [&self.start].into_iter().chain(self.steps.iter().map(|(_, node)| node))
    }
}

impl When {
    /// Returns whether any time matches.
    pub fn is_ever(&self) -> bool {
        *self == Self::Ever
    }
}

impl Instant {
    /// Parses `chapter:30`, `ch30`, or any name of a time in the story.
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
    /// Returns whether the number is exactly one.
    pub(crate) fn is_one(self) -> bool {
        self == Self::default()
    }
}

impl Name {
    /// Validates a name; fails with [`Error::Invalid`].
    pub fn new(name: &str) -> Result<Self, Error> {
        match lex::is_identifier(name) && !lex::is_keyword(name) {
            true => Ok(Self(name.to_owned())),
            false => Err(Error::Invalid(format!(
                "'{name}' cannot be a variable: letters, digits and _ only, not beginning with a digit, and none of {}",
                lex::KEYWORDS.join(", ")
            ))),
        }
    }

    /// Returns the name as text.
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
