//! Change impact: the pieces and sentences depending on a piece, each with the path leading there.

#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::Names;
use crate::part::PieceData;
use crate::part::handle;
use crate::piece::PieceKind;
use crate::predicate;
use crate::truth::{Entity, PredicateTerm, Registry, turned};
use crate::{Evidence, Story};

/// Something that a change touches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// Its id, or its name if it has none.
    pub piece: String,
    /// What a person would call it.
    #[serde(default)]
    pub label: String,
    /// Why the next one depends on it.
    pub because: Because,
}

/// Why a piece depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
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

/// Returns the pieces affected by a change of `changed` (id, name or alias), nearest first; `None` if no piece or
/// several match.
///
/// Follows references, mentions in text, quoted sentences, the narration of events and nodes, and facts of the same
/// subject and predicate, for at most `limit` steps. The result is independent of the order of the story's lists, as
/// long as all pieces have ids.
pub fn impact(story: &Story, changed: &str, limit: Option<usize>) -> Option<Vec<Touched>> {
    let graph = DependencyGraph::of(story);
    let start = graph.find(changed)?;
    let mut paths: FxHashMap<PieceNode, Vec<(PieceNode, Because)>> = FxHashMap::default();
    paths.insert(start, Vec::new());
    let mut reached = Vec::new();
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        let path = paths[&node].clone();
        if limit.is_some_and(|limit| path.len() >= limit) {
            continue;
        }
        for (next, because) in graph.dependents(node) {
            if let std::collections::hash_map::Entry::Vacant(place) = paths.entry(next) {
                place.insert(path.iter().copied().chain([(node, because)]).collect());
                reached.push(next);
                open.push_back(next);
            }
        }
    }
    Some(reached.into_iter().map(|node| graph.touched(node, &paths[&node])).collect())
}

/// A piece, by kind and index in its list.
type PieceNode = (PieceKind, usize);

/// The dependency graph of a story. Links of each kind are built lazily.
pub(crate) struct DependencyGraph<'s> {
    story: &'s Story,
    names: Arc<Names>,
    /// The dependents of each piece, except mentions and facts of the same subject.
    links: DependencyLinks,
    mentions: OnceCell<FxHashMap<PieceNode, Vec<PieceNode>>>,
    statements: OnceCell<FactGroups>,
}

/// Links from pieces to their dependents: one linked list per piece, all in one buffer.
struct DependencyLinks {
    /// The last link of each piece, by kind and index.
    last: Vec<Vec<u32>>,
    links: Vec<DependencyLink>,
}

struct DependencyLink {
    dependent: PieceNode,
    because: Because,
    /// The previous link of the same piece.
    before: u32,
}

/// The null link.
const NONE: u32 = u32::MAX;

impl DependencyLinks {
    fn of(story: &Story) -> Self {
        let last = PieceKind::ALL.iter().map(|kind| vec![NONE; story.count(*kind)]).collect();
        Self { last, links: Vec::with_capacity(story.facts.len() * 6) }
    }

    fn add(&mut self, (kind, position): PieceNode, dependent: PieceNode, because: Because) {
        let next = u32::try_from(self.links.len()).expect("links are counted in 32 bits");
        let before = std::mem::replace(&mut self.last[kind as usize][position], next);
        self.links.push(DependencyLink { dependent, because, before });
    }

    fn from(&self, (kind, position): PieceNode) -> impl Iterator<Item = (PieceNode, Because)> {
        let linked = |number: u32| self.links.get(number as usize);
        let all = std::iter::successors(linked(self.last[kind as usize][position]), move |link| linked(link.before));
        all.map(|link| (link.dependent, link.because))
    }
}

/// The single-valued facts, grouped by subject and predicate.
#[derive(Default)]
struct FactGroups {
    about: FxHashMap<usize, (Entity, PredicateTerm)>,
    facts: FxHashMap<(Entity, PredicateTerm), Vec<usize>>,
}

impl<'s> DependencyGraph<'s> {
    pub(crate) fn of(story: &'s Story) -> Self {
        let links = DependencyLinks::of(story);
        let names = Arc::new(Names::of(story));
        let mut graph = Self { story, names, links, mentions: OnceCell::new(), statements: OnceCell::new() };
        graph.add_references();
        graph
    }

    /// Returns the direct dependents of a piece by its id, name or alias; none for an unknown or ambiguous one.
    pub(crate) fn direct_dependents(&self, name: &str) -> Vec<Touched> {
        let Some(start) = self.find(name) else { return Vec::new() };
        let found = self.dependents(start).into_iter();
        found.map(|(node, because)| self.touched(node, &[(start, because)])).collect()
    }

    fn find(&self, name: &str) -> Option<PieceNode> {
        let wanted = name.trim();
        let kinds = PieceKind::ALL.into_iter().filter(|kind| !kind.is_single());
        let is_called = |kind, (position, part): &(usize, &dyn PieceData)| match part.id().trim() {
            "" => self.handle((kind, *position)) == wanted,
            id => id == wanted,
        };
        let by_id = kinds.flat_map(|kind| {
            let parts = self.story.parts(kind).enumerate();
            parts.filter(move |part| is_called(kind, part)).map(move |(position, _)| (kind, position))
        });
        let by_id: Vec<PieceNode> = if wanted.is_empty() { Vec::new() } else { by_id.collect() };
        if let [one] = by_id.as_slice() {
            return Some(*one);
        }
        let named = self.names.meant(&PieceKind::ALL, name);
        // A chapter and its text share a title; the chapter represents both.
        let known: Vec<_> =
            named.iter().filter(|named| named.kind != PieceKind::Document || named.id == name).collect();
        match (known.as_slice(), named.as_slice()) {
            ([one], _) => Some((one.kind, one.position)),
            ([], [one]) => Some((one.kind, one.position)),
            _ => None,
        }
    }

    /// Returns the id of a piece, or its name as a fallback.
    fn handle(&self, (kind, position): PieceNode) -> String {
        let Some(piece) = self.story.piece(kind, position) else { return String::new() };
        if piece.id().trim().is_empty() { piece.label() } else { piece.id().trim().to_owned() }
    }

    /// Returns the dependents of a piece, in an order independent of the story's lists.
    fn dependents(&self, node: PieceNode) -> Vec<(PieceNode, Because)> {
        let (kind, position) = node;
        let mut found: Vec<(PieceNode, Because)> = self.links.from(node).collect();
        if !matches!(kind, PieceKind::Fact | PieceKind::Document | PieceKind::Promise | PieceKind::Relation) {
            let mentions = self.mentions.get_or_init(|| self.read_mentions()).get(&node).into_iter().flatten();
            found.extend(mentions.map(|dependent| (*dependent, Because::Mentions)));
        }
        if kind == PieceKind::Fact {
            found.extend(self.same_statements(position).into_iter().map(|fact| (fact, Because::SaysTheSame)));
        }
        let mut found: Vec<_> = found.into_iter().filter(|(dependent, _)| *dependent != node).collect();
        found
            .sort_by_cached_key(|(dependent, because)| ((dependent.0, self.handle(*dependent), dependent.1), *because));
        found.dedup();
        found
    }

    /// Adds the reference links: a piece depends on the pieces in its references, the narration of a node or event
    /// depends on the node or event, and the document with a fact's source sentence on the fact.
    fn add_references(&mut self) {
        let story = self.story;
        let names = Arc::clone(&self.names);
        let mut facts: FxHashMap<&str, usize> = FxHashMap::with_capacity_and_hasher(story.facts.len(), FxBuildHasher);
        for (position, fact) in story.facts.iter().enumerate().filter(|(_, fact)| !fact.id.trim().is_empty()) {
            facts.insert(fact.id.trim(), position);
        }
        // The lists of kinds are few, so the address identifies each.
        let mut known: FxHashMap<(*const PieceKind, usize, &str), Rc<[PieceNode]>> = FxHashMap::default();
        let mut meant = |to: &'static [PieceKind], name: &'s str| {
            let find = || {
                let named = names.meant(to, name).into_iter();
                let mut meant: Vec<PieceNode> = named.map(|named| (named.kind, named.position)).collect();
                let fact = facts.get(name.trim()).filter(|_| to.contains(&PieceKind::Fact));
                meant.extend(fact.map(|position| (PieceKind::Fact, *position)));
                meant.into()
            };
            Rc::clone(known.entry((to.as_ptr(), to.len(), name)).or_insert_with(find))
        };
        for kind in PieceKind::ALL {
            for (position, part) in story.parts(kind).enumerate() {
                for (to, name) in part.links().into_iter().filter(|(_, name)| !name.is_empty()) {
                    meant(to, name).iter().for_each(|node| self.links.add(*node, (kind, position), Because::RefersTo));
                }
            }
        }
        for (position, event) in story.timeline_events.iter().enumerate() {
            let teller = event.outline_node.as_deref().map(|name| meant(&[PieceKind::OutlineNode], name));
            if let Some([teller]) = teller.as_deref() {
                self.links.add((PieceKind::Event, position), *teller, Because::Tells);
            }
        }
        for (position, fact) in story.facts.iter().enumerate() {
            let document = fact.source.as_ref().map(|source| meant(&[PieceKind::Document], &source.document));
            if let Some([document]) = document.as_deref() {
                self.links.add((PieceKind::Fact, position), *document, Because::Says);
            }
        }
    }

    /// Returns the mention links: every piece depends on the pieces mentioned in its text.
    fn read_mentions(&self) -> FxHashMap<PieceNode, Vec<PieceNode>> {
        let mut mentions: FxHashMap<PieceNode, Vec<PieceNode>> = FxHashMap::default();
        for kind in PieceKind::ALL {
            for (position, part) in self.story.parts(kind).enumerate() {
                let mut mentioned = BTreeSet::new();
                for (_, text) in part.texts() {
                    let clear = self.names.mentions(text).into_iter().filter_map(|mention| match *mention.bearers {
                        [one] => Some((one.kind, one.position)),
                        _ => None,
                    });
                    mentioned.extend(clear);
                }
                mentioned.into_iter().for_each(|node| mentions.entry(node).or_default().push((kind, position)));
            }
        }
        mentions
    }

    /// Returns the single-valued facts linked to the fact at `position`. Facts of one subject and predicate are linked
    /// as a chain, so that many facts need few links.
    fn same_statements(&self, position: usize) -> Vec<PieceNode> {
        let statements = self.statements.get_or_init(|| FactGroups::of(self.story, &self.names));
        let about = statements.about.get(&position);
        let mut facts = about.and_then(|about| statements.facts.get(about)).cloned().unwrap_or_default();
        facts.sort_by_cached_key(|fact| (self.handle((PieceKind::Fact, *fact)), *fact));
        let pairs = facts.windows(2).filter(|pair| pair.contains(&position));
        pairs.flat_map(|pair| pair.iter().map(|fact| (PieceKind::Fact, *fact)).collect::<Vec<_>>()).collect()
    }

    fn touched(&self, node: PieceNode, path: &[(PieceNode, Because)]) -> Touched {
        let (kind, position) = node;
        let label = self.label(node);
        let link = |(node, because): &(PieceNode, Because)| Link {
            kind: node.0,
            piece: self.handle(*node),
            label: self.label(*node),
            because: *because,
        };
        let sentences = match (kind, path.last()) {
            (PieceKind::Document, Some((before, _))) => self.sentences(position, *before),
            _ => Vec::new(),
        };
        let path: Vec<Link> = path.iter().map(link).collect();
        Touched { kind, piece: self.handle(node), label, distance: path.len(), path, sentences }
    }

    /// Returns a piece as a person would call it.
    fn label(&self, (kind, position): PieceNode) -> String {
        self.story.piece(kind, position).map(|piece| piece.shown(self.story.language)).unwrap_or_default()
    }

    /// Returns the sentences of a document quoting a fact or mentioning a piece by name.
    fn sentences(&self, document: usize, (kind, position): PieceNode) -> Vec<Evidence> {
        let document = &self.story.documents[document];
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

impl FactGroups {
    fn of(story: &Story, names: &Arc<Names>) -> Self {
        let mut registry = Registry::new(story, Arc::clone(names));
        let mut words: FxHashMap<&str, Option<PredicateTerm>> = FxHashMap::default();
        let mut statements = Self::default();
        for (position, fact) in story.facts.iter().enumerate() {
            let word =
                || predicate::position(&fact.predicate).and_then(|word| u32::try_from(word).ok()).map(PredicateTerm);
            let Some(term) = *words.entry(&fact.predicate).or_insert_with(word) else { continue };
            let object = fact.object.as_deref().filter(|name| !name.trim().is_empty());
            let (term, subject) = match (turned(term), object) {
                (Some(inverse), Some(object)) => (inverse, object),
                _ => (term, fact.subject.as_str()),
            };
            if predicate::all()[term.0 as usize].single {
                let about = (registry.entity(subject), term);
                statements.about.insert(position, about);
                statements.facts.entry(about).or_default().push(position);
            }
        }
        statements
    }
}

/// Splits a text into sentences.
fn sentences_of(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '。' | '！' | '？' | '\n' | '!' | '?' | '.');
    text.split_inclusive(ends).map(str::trim).filter(|sentence| !sentence.is_empty())
}
