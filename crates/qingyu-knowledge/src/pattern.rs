//! A small query language for the [story graph](crate::graph): patterns of nodes and edges, in the form of Cypher.
//!
//! ```text
//! (x:Character {traits contains "谨慎"})-[:friend_of @ch30]-(p {role_type = "protagonist"}),
//! (x)-[:visited]->(:Location "迷雾森林") return x
//! ```
//!
//! - `(x:Character|Organisation "name or alias" {property = "value"})` is a node. All parts are optional. Tests are
//!   `=`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `in [..]`.
//! - `-[r:friend_of|enemy_of *1..3 @ch30 {mode = "lied"}]->` is an edge: words, hops, time, tests on `mode`, `by` and
//!   `source`. The arrow may point either way or be absent. Symmetric words have no direction, and a word may be
//!   written from the other side (`child_of` for `parent_of`). Without a test on `mode` only truths match, no dreams,
//!   plans, beliefs or lies.
//! - `@ch30`, `@"the duel"`, `@"2077-03-05"` is as of a time; `@ch10..ch20` is at some time from the first to the
//!   second. After the whole pattern the time is the default for all edges.
//! - Paths are joined by `,`. Patterns are joined by `and`, `or`, `except` over their common variables; braces group
//!   them.
//! - `shortest (a "A")-[*..6]-(b "B")` returns the shortest path; `within 2 (a "A")` returns all nodes at most two
//!   steps away.
//! - `return x, y` keeps these variables; `limit 20` keeps the first rows.
//!
//! Two nodes of one pattern never match the same piece. Hops are counted on the shortest path: `*2..3` matches nodes
//! two or three steps away, but no node one step away that is also reachable in three.
//!
//! `query` holds a query as data and `found` a result; `lex` and `parse` read, `check` validates, `print` writes;
//! `resolve`, `order`, `reach`, `rows`, `run` and `sets` find the rows, `cypher` leaves that to a database.

mod check;
mod cypher;
mod error;
mod found;
mod lex;
mod order;
mod parse;
mod print;
mod query;
mod reach;
mod resolve;
mod rows;
mod run;
mod sets;
#[cfg(test)]
mod tests;

pub use cypher::Cypher;
pub use error::Error;
pub use found::{PatternResult, PatternRow, QueryLimits};
pub(crate) use query::{
    EdgeDirection, EdgePattern, Goal, GraphPattern, Hops, NodePattern, Operator, Path, PropertyComparison,
    PropertyTest, Set, Value,
};
pub use query::{Instant, Name, Query, When};

#[cfg(test)]
pub(crate) use found::CutReason;
#[cfg(test)]
pub(crate) use query::{MOST_HOPS, MOST_PATTERNS};

use crate::graph::{DrawingSelection, SpanEvaluator, StoryDrawing, StoryGraph};

impl Query {
    /// Parses a query.
    ///
    /// Fails with [`Error::Syntax`], with the position and the expected token, or with [`Error::Invalid`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        let query = parse::query(text)?;
        query.check()?;
        Ok(query)
    }
}

impl std::str::FromStr for Query {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl When {
    /// Returns `graph` as of this time: a drawing of the selected part, and as JSON all nodes with the edges that may hold.
    ///
    /// Fails with [`Error::Time`] for a time unknown to the story, with [`Error::Invalid`] if the end is before the
    /// begin.
    pub fn view(
        &self,
        graph: &StoryGraph,
        selection: &DrawingSelection,
    ) -> Result<(StoryDrawing, serde_json::Value), Error> {
        let holding = self.evaluator(graph)?;
        Ok((graph.drawing(&holding, selection), graph.to_json(&holding)))
    }

    /// Returns an evaluator of `graph` for this time, resolved in its story.
    ///
    /// Fails with [`Error::Time`] for a time unknown to the story, with [`Error::Invalid`] if the end is before the
    /// begin.
    pub(crate) fn evaluator<'g>(&self, graph: &'g StoryGraph) -> Result<SpanEvaluator<'g>, Error> {
        Ok(SpanEvaluator::new(graph, resolve::span(self, graph)?))
    }
}
