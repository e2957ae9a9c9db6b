//! The graph as data, with access to its nodes and edges.

use std::collections::BTreeMap;

use qingyu_story::names::{Names, fold};
use qingyu_story::truth::{Clock, Time};
use qingyu_story::{OwnRelationKind, PieceKind};
use rustc_hash::FxHashMap;

use super::parts::{EdgeId, EdgeWord, KindId, NodeId, NodeKind, StoryEdge, StoryNode};
use super::vocabulary::{self, EdgeWordMeaning};

/// A story as nodes and edges. The graph borrows nothing and is rebuilt when the story changes.
#[derive(Debug, Clone)]
pub struct StoryGraph {
    pub(super) nodes: Vec<StoryNode>,
    pub(super) edges: Vec<StoryEdge>,
    /// The words of the edges, by number.
    pub(super) kinds: Vec<EdgeWord>,
    pub(super) kind_numbers: FxHashMap<String, KindId>,
    /// The number of edges per word.
    pub(super) counts: Vec<usize>,
    pub(super) outgoing: Adjacency,
    pub(super) incoming: Adjacency,
    pub(super) by_kind: BTreeMap<NodeKind, Vec<NodeId>>,
    pub(super) names: Names,
    pub(super) pieces: FxHashMap<(PieceKind, usize), NodeId>,
    pub(super) strangers: FxHashMap<String, Vec<NodeId>>,
    pub(super) clock: Clock,
    /// The author's own kinds of relation.
    pub(super) own_kinds: Vec<OwnRelationKind>,
}

/// The edges of each node, grouped by word, then by the other node.
#[derive(Debug, Clone, Default)]
pub(super) struct Adjacency {
    starts: Vec<u32>,
    ties: Vec<(KindId, NodeId, EdgeId)>,
}

impl StoryGraph {
    /// Returns the meanings of a word in a pattern: of an author's own kind of relation, a word of a vocabulary, or a group.
    pub(crate) fn meanings(&self, word: &str) -> Vec<EdgeWordMeaning> {
        match OwnRelationKind::named(&self.own_kinds, word).filter(|_| !vocabulary::is_known(word)) {
            Some((kind, is_inverse)) => vec![vocabulary::own_meaning(kind, is_inverse)],
            None => vocabulary::meanings(word),
        }
    }

    /// Returns an iterator over all nodes, by kind and place in the story.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &StoryNode)> {
        self.nodes.iter().enumerate().map(|(place, node)| (NodeId(place as u32), node))
    }

    /// Returns an iterator over all edges.
    pub(crate) fn edges(&self) -> impl ExactSizeIterator<Item = (EdgeId, &StoryEdge)> {
        self.edges.iter().enumerate().map(|(place, edge)| (EdgeId(place as u32), edge))
    }

    /// Returns the names of the words of edges in the story, sorted.
    pub fn relation_names(&self) -> Vec<&str> {
        self.words().into_iter().map(|word| word.name.as_str()).collect()
    }

    /// Returns the words of edges in the story, sorted by name.
    pub(crate) fn words(&self) -> Vec<&EdgeWord> {
        let mut words: Vec<_> = self.kinds.iter().collect();
        words.sort_by(|a, b| a.name.cmp(&b.name));
        words
    }

    /// Returns the word with the given number.
    pub(crate) fn word(&self, kind: KindId) -> &EdgeWord {
        &self.kinds[kind.0 as usize]
    }

    /// Returns the number of a word; `None` if no edge uses the word.
    pub(crate) fn kind(&self, name: &str) -> Option<KindId> {
        self.kind_numbers.get(name).copied()
    }

    /// Returns the number of edges with the word.
    pub(crate) fn count(&self, kind: KindId) -> usize {
        self.counts[kind.0 as usize]
    }

    /// Returns the names of the story.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the clock that orders the story's times.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the time at the end of the chapter with the given number: the number in the heading (`第三十章 夜雨`), or, in
    /// a book without such numbers, the chapter's place.
    ///
    /// Fails with [`Error::Chapter`](crate::pattern::Error::Chapter) if there is none, or several.
    pub fn chapter(&self, number: u32) -> Result<Time, crate::pattern::Error> {
        Ok(self.clock.chapter(number)?)
    }

    /// Returns the nodes of one kind, in order.
    pub fn of_kind(&self, kind: NodeKind) -> &[NodeId] {
        self.by_kind.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Returns the nodes with the given name, alias or id, or of the person of whose name it is a part, in order.
    pub fn called(&self, name: &str) -> Vec<NodeId> {
        let kinds: Vec<PieceKind> = NodeKind::ALL.into_iter().filter_map(NodeKind::piece).collect();
        let pieces = self.names.meant(&kinds, name).into_iter();
        let pieces = pieces.filter_map(|named| self.pieces.get(&(named.kind, named.position)));
        let strangers = self.strangers.get(&fold(name)).into_iter().flatten();
        let facts = self.of_kind(NodeKind::Fact).iter().filter(|fact| self[**fact].id == name.trim());
        let mut found: Vec<NodeId> = pieces.chain(strangers).chain(facts).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the node of a piece.
    pub fn piece(&self, kind: PieceKind, position: usize) -> Option<NodeId> {
        self.pieces.get(&(kind, position)).copied()
    }

    /// Returns the outgoing edges of `node` (the word, the other end, the edge), sorted by word and other end.
    pub(crate) fn leaving(&self, node: NodeId) -> &[(KindId, NodeId, EdgeId)] {
        self.outgoing.of(node)
    }

    /// Returns the incoming edges of `node`, as [`leaving`](Self::leaving) does.
    pub(crate) fn arriving(&self, node: NodeId) -> &[(KindId, NodeId, EdgeId)] {
        self.incoming.of(node)
    }
}

impl Adjacency {
    pub(super) fn new(nodes: usize, edges: &[StoryEdge], ends: impl Fn(&StoryEdge) -> (NodeId, NodeId)) -> Self {
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

/// Returns the part of `ties` with the given word.
pub(crate) fn of_word(ties: &[(KindId, NodeId, EdgeId)], word: KindId) -> &[(KindId, NodeId, EdgeId)] {
    let start = ties.partition_point(|(kind, ..)| *kind < word);
    let end = start + ties[start..].partition_point(|(kind, ..)| *kind == word);
    &ties[start..end]
}

impl std::ops::Index<NodeId> for StoryGraph {
    type Output = StoryNode;

    fn index(&self, node: NodeId) -> &StoryNode {
        &self.nodes[node.0 as usize]
    }
}

impl std::ops::Index<EdgeId> for StoryGraph {
    type Output = StoryEdge;

    fn index(&self, edge: EdgeId) -> &StoryEdge {
        &self.edges[edge.0 as usize]
    }
}
