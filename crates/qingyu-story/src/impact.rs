//! What a change touches: the pieces and sentences that depend on a piece, each with the path that leads there.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::Serialize;

use crate::names::Names;
use crate::piece::{Piece, PieceKind};
use crate::rules::handle;
use crate::truth::{Basis, GroundTruth};
use crate::{Evidence, Story};

/// Something that a change touches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Touched {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// Its id, or its name if it has none.
    pub piece: String,
    /// What a person would call it.
    pub label: String,
    /// How many steps it is away.
    pub distance: usize,
    /// How the change gets there, from the piece that changes.
    pub path: Vec<Link>,
    /// The sentences of the piece, if it is a document, that speak of the step before.
    pub sentences: Vec<Evidence>,
}

/// A step of a path: a piece, and why the next one depends on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Link {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// Its id, or its name if it has none.
    pub piece: String,
    /// Why the next one depends on it.
    pub because: Because,
}

/// Why a piece depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// It names it in one of its fields.
    RefersTo,
    /// It mentions it in its text.
    Mentions,
    /// It holds the sentence that says so.
    Says,
    /// It tells it.
    Tells,
    /// It gives another value of the same.
    SaysTheSame,
}

/// What a change of `changed`, a piece by its id, name or alias, touches, nearest first; `None` if it is no piece or
/// more than one.
///
/// Goes along references, mentions in text, quoted sentences, what tells an event or node, and facts of one subject and
/// predicate, at most `limit` steps. Does not depend on the order of the story's lists, as long as its pieces have ids.
pub fn impact(story: &Story, changed: &str, limit: Option<usize>) -> Option<Vec<Touched>> {
    let graph = Graph::of(story);
    let start = graph.find(changed)?;
    let mut paths: BTreeMap<usize, Vec<(usize, Because)>> = BTreeMap::from([(start, Vec::new())]);
    let mut reached = Vec::new();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        let path = paths[&node].clone();
        if limit.is_some_and(|limit| path.len() >= limit) {
            continue;
        }
        for (next, because) in &graph.dependents[node] {
            if let std::collections::btree_map::Entry::Vacant(place) = paths.entry(*next) {
                place.insert(path.iter().copied().chain([(node, *because)]).collect());
                reached.push(*next);
                open.push_back(*next);
            }
        }
    }
    Some(reached.into_iter().map(|node| graph.touched(node, &paths[&node])).collect())
}

/// Pieces as nodes, in an order that does not depend on that of the story's lists.
struct Graph<'s> {
    story: &'s Story,
    names: Names,
    nodes: Vec<(PieceKind, String, usize)>,
    places: BTreeMap<(PieceKind, usize), usize>,
    /// What depends on each node, in the order of the nodes.
    dependents: Vec<BTreeSet<(usize, Because)>>,
}

impl<'s> Graph<'s> {
    fn of(story: &'s Story) -> Self {
        let kinds = PieceKind::ALL.into_iter().filter(|kind| !kind.is_single());
        let key = |kind, (position, piece): (usize, Piece)| {
            let name = if piece.id().trim().is_empty() { piece.label() } else { piece.id().trim().to_owned() };
            (kind, name, position)
        };
        let mut nodes: Vec<_> =
            kinds.flat_map(|kind| story.pieces_of(kind).enumerate().map(move |piece| key(kind, piece))).collect();
        nodes.sort();
        let places = nodes.iter().enumerate().map(|(node, (kind, _, position))| ((*kind, *position), node)).collect();
        let dependents = vec![BTreeSet::new(); nodes.len()];
        let mut graph = Self { story, names: Names::of(story), nodes, places, dependents };
        graph.add_references();
        graph.add_mentions();
        graph.add_sentences();
        graph.add_statements();
        graph
    }

    fn find(&self, name: &str) -> Option<usize> {
        let by_id: Vec<usize> = (0..self.nodes.len())
            .filter(|node| self.nodes[*node].1 == name.trim() && !name.trim().is_empty())
            .collect();
        if let [one] = by_id.as_slice() {
            return Some(*one);
        }
        let kinds = PieceKind::ALL.into_iter();
        let named: Vec<_> = kinds.flat_map(|kind| self.names.find(kind, name)).collect();
        // A chapter and its text have one title; the chapter stands for both.
        let known: Vec<_> =
            named.iter().filter(|named| named.kind != PieceKind::Document || named.id == name).collect();
        match (known.as_slice(), named.as_slice()) {
            ([one], _) => self.place(one.kind, one.position),
            ([], [one]) => self.place(one.kind, one.position),
            _ => None,
        }
    }

    fn place(&self, kind: PieceKind, position: usize) -> Option<usize> {
        self.places.get(&(kind, position)).copied()
    }

    fn link(&mut self, changed: Option<usize>, dependent: Option<usize>, because: Because) {
        if let (Some(changed), Some(dependent)) = (changed, dependent)
            && changed != dependent
        {
            self.dependents[changed].insert((dependent, because));
        }
    }

    /// Every piece depends on those that it refers to; what tells a node or an event depends on it too.
    fn add_references(&mut self) {
        let facts: BTreeMap<&str, usize> =
            self.story.facts.iter().enumerate().map(|(position, fact)| (fact.id.trim(), position)).collect();
        for (kind, position) in self.nodes.iter().map(|(kind, _, position)| (*kind, *position)).collect::<Vec<_>>() {
            let Some(mut piece) = self.story.piece(kind, position) else { continue };
            let own = self.place(kind, position);
            for (to, name) in piece.references_mut() {
                let named = to.iter().flat_map(|to| self.names.find(*to, name));
                let mut meant: Vec<_> = named.map(|named| (named.kind, named.position)).collect();
                let fact = facts.get(name.trim()).filter(|_| to.contains(&PieceKind::Fact) && !name.trim().is_empty());
                meant.extend(fact.map(|position| (PieceKind::Fact, *position)));
                for (kind, position) in meant {
                    self.link(self.place(kind, position), own, Because::RefersTo);
                }
            }
        }
        for (position, event) in self.story.timeline_events.iter().enumerate() {
            let teller =
                event.outline_node.as_deref().and_then(|name| self.names.resolve(PieceKind::OutlineNode, name));
            let teller = teller.map(|named| named.position);
            let teller = teller.and_then(|node| self.place(PieceKind::OutlineNode, node));
            self.link(self.place(PieceKind::Event, position), teller, Because::Tells);
        }
    }

    /// Every piece depends on those that its text mentions.
    fn add_mentions(&mut self) {
        for (kind, position) in self.nodes.iter().map(|(kind, _, position)| (*kind, *position)).collect::<Vec<_>>() {
            let Some(mut piece) = self.story.piece(kind, position) else { continue };
            let own = self.place(kind, position);
            let mut mentioned = BTreeSet::new();
            for text in piece.texts_mut() {
                let mentions = self.names.mentions(text);
                let clear = mentions.iter().filter_map(|mention| match mention.bearers.as_slice() {
                    [one] => Some((one.kind, one.position)),
                    _ => None,
                });
                mentioned.extend(clear);
            }
            for (kind, position) in mentioned {
                self.link(self.place(kind, position), own, Because::Mentions);
            }
        }
    }

    /// The document that holds the sentence of a fact depends on the fact.
    fn add_sentences(&mut self) {
        for (position, fact) in self.story.facts.iter().enumerate() {
            let document = fact.source.as_ref().map(|source| source.document.as_str()).unwrap_or_default();
            let document = self.names.resolve(PieceKind::Document, document).map(|named| named.position);
            let document = document.and_then(|document| self.place(PieceKind::Document, document));
            self.link(self.place(PieceKind::Fact, position), document, Because::Says);
        }
    }

    /// Facts of one subject and predicate, of which there is one at a time, depend on each other.
    fn add_statements(&mut self) {
        let story = self.story;
        let truth = GroundTruth::of(story);
        for (_, term, group) in truth.by_subject() {
            if truth.predicate(term).is_none_or(|word| !word.single) {
                continue;
            }
            let facts = group.iter().filter_map(|index| match truth.statements[*index].basis {
                Basis::Fact(position) => self.place(PieceKind::Fact, position),
                _ => None,
            });
            let mut facts: Vec<usize> = facts.collect();
            facts.sort_unstable();
            // Each depends on the next, so that many facts of one kind stay few links.
            for pair in facts.windows(2) {
                self.link(Some(pair[0]), Some(pair[1]), Because::SaysTheSame);
                self.link(Some(pair[1]), Some(pair[0]), Because::SaysTheSame);
            }
        }
    }

    fn touched(&self, node: usize, path: &[(usize, Because)]) -> Touched {
        let (kind, piece, position) = self.nodes[node].clone();
        let label = self.story.piece(kind, position).map(|piece| piece.label()).unwrap_or_default();
        let link = |(node, because): &(usize, Because)| {
            let (kind, piece, _) = self.nodes[*node].clone();
            Link { kind, piece, because: *because }
        };
        let sentences = match (kind, path.last()) {
            (PieceKind::Document, Some((before, _))) => self.sentences(position, *before),
            _ => Vec::new(),
        };
        Touched { kind, piece, label, distance: path.len(), path: path.iter().map(link).collect(), sentences }
    }

    /// The sentences of a document that speak of a piece: that quote a fact, or mention a name.
    fn sentences(&self, document: usize, of: usize) -> Vec<Evidence> {
        let document = &self.story.documents[document];
        let (kind, _, position) = self.nodes[of];
        let anchor = format!("{}/{}/text", PieceKind::Document.list(), handle(document));
        if kind == PieceKind::Fact {
            let quote = self.story.facts[position].source.as_ref().map(|source| source.quote.trim().to_owned());
            return quote
                .filter(|quote| !quote.is_empty())
                .map(|quote| Evidence { anchor, quote })
                .into_iter()
                .collect();
        }
        let says = |sentence: &&str| self.names.mentioned(sentence, kind, position);
        let sentences = sentences_of(&document.text).filter(says);
        sentences.map(|sentence| Evidence { anchor: anchor.clone(), quote: sentence.to_owned() }).collect()
    }
}

/// The sentences of a text.
fn sentences_of(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '。' | '！' | '？' | '\n' | '!' | '?' | '.');
    text.split_inclusive(ends).map(str::trim).filter(|sentence| !sentence.is_empty())
}
