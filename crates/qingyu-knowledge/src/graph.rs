//! The story as an in-memory graph: pieces as nodes, connections as dated edges, each with the sentence as evidence.
//!
//! Edges are derived from the story: relations, facts about two pieces, participants of events, places of characters,
//! holders of things. Two nodes may have several edges, also of one kind at different times.
//!
//! `parts` and `story_graph` hold the graph; `build`, `replacement`, `holding`, `rows`, `draw` and `json` import them.

mod build;
mod draw;
mod holding;
mod json;
mod parts;
mod replacement;
mod rows;
mod story_graph;
#[cfg(test)]
pub(crate) mod tests;
pub mod vocabulary;

pub use draw::{DrawingSelection, DrawnNode, StoryDrawing};
pub(crate) use holding::{SpanEvaluator, StorySpan};
pub(crate) use parts::{DatedSpan, EdgeId, KindId, Property};
pub use parts::{NodeId, NodeKind, StoryNode};
pub use rows::{EdgeRow, NodeRow};
pub use story_graph::StoryGraph;

pub(crate) use story_graph::of_word;
