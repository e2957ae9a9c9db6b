//! The story as a graph in memory: pieces as nodes, what is between them as dated edges, each with the sentence that
//! says so.
//!
//! Edges are derived from the story: relations, facts about two pieces, who takes part in events, who was where, who has
//! what. Two nodes may have several edges, also of one kind at different times.

mod build;
mod draw;
mod holding;
mod json;
mod rows;
#[cfg(test)]
pub(crate) mod tests;
pub mod vocabulary;

use std::collections::BTreeMap;

use qingyu_story::names::{Names, fold};
use qingyu_story::truth::{Clock, PointId, Time};
use qingyu_story::{Evidence, Mode, PieceKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use draw::{Choice, Drawing, Figure, Line};
pub use holding::{Holding, Span};
pub use rows::{EdgeRow, NodeRow};

/// A story as nodes and edges. It borrows nothing; it is made anew when the story changes.
#[derive(Debug, Clone)]
pub struct StoryGraph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The words of the edges, by their numbers.
    kinds: Vec<EdgeWord>,
    kind_numbers: FxHashMap<String, KindId>,
    /// How many edges each word has.
    counts: Vec<usize>,
    outgoing: Adjacency,
    incoming: Adjacency,
    by_kind: BTreeMap<NodeKind, Vec<NodeId>>,
    names: Names,
    pieces: FxHashMap<(PieceKind, usize), NodeId>,
    strangers: FxHashMap<String, Vec<NodeId>>,
    clock: Clock,
}

/// A node, by its place among all nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct NodeId(pub(crate) u32);

/// An edge, by its place among all edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct EdgeId(pub(crate) u32);

/// The word of an edge, by its number in one graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct KindId(pub(crate) u32);

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NodeKind {
    /// A character.
    Character,
    /// A place.
    Location,
    /// A thing.
    Item,
    /// An organisation or power.
    Organisation,
    /// An event of the timeline.
    Event,
    /// A node of the outline: act, chapter or scene.
    Chapter,
    /// A node of the plot.
    Plot,
    /// A fact that another one is about.
    Fact,
    /// A name that belongs to no piece, or to several.
    Unknown,
}

/// A piece of the story.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// The id of the piece; empty if it has none.
    pub id: String,
    /// The full name or title.
    pub name: String,
    /// What is said of it, by the name of the card's field or of the predicate.
    pub properties: BTreeMap<String, Vec<Property>>,
}

/// A value that a node has, and when.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Property {
    /// A text, a number or a flag.
    pub value: Value,
    /// What a number is counted in; empty if it needs nothing.
    pub unit: String,
    /// When it is so.
    #[serde(skip)]
    pub(crate) dated: Dated,
}

/// Something that is between two nodes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Edge {
    /// Whose it is.
    pub from: NodeId,
    /// To whom.
    pub to: NodeId,
    /// The word.
    pub kind: KindId,
    /// The kind of the piece that says so, and its id, or its name if it has no id.
    pub source: (PieceKind, String),
    /// The sentence that says so, and where it stands.
    pub says: Evidence,
    /// From when, as it is written; empty if it is not.
    pub since: String,
    /// Until when, as it is written; empty if it is not.
    pub until: String,
    /// Who says so, if somebody does.
    pub by: Option<NodeId>,
    /// When it is so.
    #[serde(skip)]
    pub(crate) dated: Dated,
}

/// When something is so, and how it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Dated {
    pub(crate) begin: Option<PointId>,
    pub(crate) end: Option<PointId>,
    /// The places in reading order of the beginning and the end.
    pub(crate) begin_order: Option<u32>,
    pub(crate) end_order: Option<u32>,
    /// The place in reading order that tells it.
    pub(crate) told: Option<u32>,
    pub(crate) mode: Mode,
    /// Whether it holds from the story's beginning.
    pub(crate) is_first: bool,
}

/// The word of edges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EdgeWord {
    /// The name, such as `friend_of`.
    pub name: String,
    /// Whether it holds in both directions.
    pub symmetric: bool,
    /// Whether the first end has one of them at a time.
    pub single: bool,
    /// Whether the second end has one of them at a time.
    pub exclusive: bool,
}

/// The edges of each node, those of one word together, then those to one node.
#[derive(Debug, Clone, Default)]
struct Adjacency {
    starts: Vec<u32>,
    ties: Vec<(KindId, NodeId, EdgeId)>,
}

impl StoryGraph {
    /// All nodes, by kind and place in the story.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(place, node)| (NodeId(place as u32), node))
    }

    /// All edges.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (EdgeId, &Edge)> {
        self.edges.iter().enumerate().map(|(place, edge)| (EdgeId(place as u32), edge))
    }

    /// The words of edges that the story uses, by name.
    pub fn words(&self) -> Vec<&EdgeWord> {
        let mut words: Vec<_> = self.kinds.iter().collect();
        words.sort_by(|a, b| a.name.cmp(&b.name));
        words
    }

    /// The word of that number.
    pub fn word(&self, kind: KindId) -> &EdgeWord {
        &self.kinds[kind.0 as usize]
    }

    /// The number of that word, if the story uses it.
    pub fn kind(&self, name: &str) -> Option<KindId> {
        self.kind_numbers.get(name).copied()
    }

    /// How many edges have that word.
    pub fn count(&self, kind: KindId) -> usize {
        self.counts[kind.0 as usize]
    }

    /// The names of the story.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The order of the story's times.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time by which the chapter of that number has been told: the number in its heading (`第三十章 夜雨`), or, in a book
    /// without such numbers, its place.
    ///
    /// Fails with [`Error::Chapter`](crate::pattern::Error::Chapter) if there is none, or several.
    pub fn chapter(&self, number: u32) -> Result<Time, crate::pattern::Error> {
        Ok(self.clock.chapter(number)?)
    }

    /// The nodes of one kind, in their order.
    pub fn of_kind(&self, kind: NodeKind) -> &[NodeId] {
        self.by_kind.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// The nodes that a name, alias or id may mean, in their order.
    pub fn called(&self, name: &str) -> Vec<NodeId> {
        let pieces = NodeKind::ALL.into_iter().filter_map(NodeKind::piece).flat_map(|kind| {
            self.names.find(kind, name).into_iter().filter_map(move |named| self.pieces.get(&(kind, named.position)))
        });
        let strangers = self.strangers.get(&fold(name)).into_iter().flatten();
        let facts = self.of_kind(NodeKind::Fact).iter().filter(|fact| self[**fact].id == name.trim());
        let mut found: Vec<NodeId> = pieces.chain(strangers).chain(facts).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The node of a piece.
    pub fn piece(&self, kind: PieceKind, position: usize) -> Option<NodeId> {
        self.pieces.get(&(kind, position)).copied()
    }

    /// The edges that leave `node` (the word, the other end, the edge), by word and other end.
    pub(crate) fn leaving(&self, node: NodeId) -> &[(KindId, NodeId, EdgeId)] {
        self.outgoing.of(node)
    }

    /// The edges that arrive at `node`, as for [`leaving`](Self::leaving).
    pub(crate) fn arriving(&self, node: NodeId) -> &[(KindId, NodeId, EdgeId)] {
        self.incoming.of(node)
    }
}

impl Adjacency {
    fn new(nodes: usize, edges: &[Edge], ends: impl Fn(&Edge) -> (NodeId, NodeId)) -> Self {
        let mut all: Vec<(NodeId, KindId, NodeId, EdgeId)> = (0..)
            .map(EdgeId)
            .zip(edges)
            .map(|(id, edge)| {
                let (at, other) = ends(edge);
                (at, edge.kind, other, id)
            })
            .collect();
        all.sort_unstable();
        let mut starts = vec![0_u32; nodes + 1];
        for (at, ..) in &all {
            starts[at.0 as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        Self { starts, ties: all.into_iter().map(|(_, kind, other, id)| (kind, other, id)).collect() }
    }

    fn of(&self, node: NodeId) -> &[(KindId, NodeId, EdgeId)] {
        let at = node.0 as usize;
        &self.ties[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The part of `ties` with that word.
pub(crate) fn of_word(ties: &[(KindId, NodeId, EdgeId)], word: KindId) -> &[(KindId, NodeId, EdgeId)] {
    let start = ties.partition_point(|(kind, ..)| *kind < word);
    let end = start + ties[start..].partition_point(|(kind, ..)| *kind == word);
    &ties[start..end]
}

impl std::ops::Index<NodeId> for StoryGraph {
    type Output = Node;

    fn index(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }
}

impl std::ops::Index<EdgeId> for StoryGraph {
    type Output = Edge;

    fn index(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.0 as usize]
    }
}

impl NodeKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Character,
        Self::Location,
        Self::Item,
        Self::Organisation,
        Self::Event,
        Self::Chapter,
        Self::Plot,
        Self::Fact,
        Self::Unknown,
    ];

    /// The name in patterns, such as `Character`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Character => "Character",
            Self::Location => "Location",
            Self::Item => "Item",
            Self::Organisation => "Organisation",
            Self::Event => "Event",
            Self::Chapter => "Chapter",
            Self::Plot => "Plot",
            Self::Fact => "Fact",
            Self::Unknown => "Unknown",
        }
    }

    /// The kind of that name, in any case; `Organization` is understood too.
    pub fn parse(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("Organization") {
            return Some(Self::Organisation);
        }
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// The kind of piece that such nodes are, if names are looked up among them.
    pub fn piece(self) -> Option<PieceKind> {
        match self {
            Self::Character => Some(PieceKind::Character),
            Self::Location => Some(PieceKind::Location),
            Self::Item => Some(PieceKind::Item),
            Self::Organisation => Some(PieceKind::Organisation),
            Self::Event => Some(PieceKind::Event),
            Self::Chapter => Some(PieceKind::OutlineNode),
            Self::Plot => Some(PieceKind::PlotNode),
            Self::Fact | Self::Unknown => None,
        }
    }
}

impl Dated {
    /// Whether it is told as something that is so, now or before.
    pub(crate) fn is_certain(&self) -> bool {
        matches!(self.mode, Mode::Narrated | Mode::Flashback)
    }

    /// Whether it is told as happening now.
    pub(crate) fn is_narrated(&self) -> bool {
        self.mode == Mode::Narrated
    }
}
