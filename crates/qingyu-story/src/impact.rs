//! What a change touches: the pieces and sentences that depend on a piece, each with the path that leads there.

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
use crate::part::Part;
use crate::piece::PieceKind;
use crate::predicate;
use crate::rules::handle;
use crate::truth::{Entity, Registry, Term, turned};
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

/// What a change of `changed`, a piece by its id, name or alias, touches, nearest first; `None` if it is no piece or
/// more than one.
///
/// Goes along references, mentions in text, quoted sentences, what tells an event or node, and facts of one subject and
/// predicate, at most `limit` steps. Does not depend on the order of the story's lists, as long as its pieces have ids.
pub fn impact(story: &Story, changed: &str, limit: Option<usize>) -> Option<Vec<Touched>> {
    let graph = Graph::of(story);
    let start = graph.find(changed)?;
    let mut paths: FxHashMap<Node, Vec<(Node, Because)>> = FxHashMap::default();
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

/// A piece, by its kind and place in its list.
type Node = (PieceKind, usize);

/// What depends on what. Links of each kind are looked for when they are first needed.
struct Graph<'s> {
    story: &'s Story,
    names: Arc<Names>,
    /// What depends on each piece, but for mentions and facts of one subject.
    links: Links,
    mentions: OnceCell<FxHashMap<Node, Vec<Node>>>,
    statements: OnceCell<Statements>,
}

/// Links from pieces to what depends on them: one list for each piece, all in one place.
struct Links {
    /// The last link of each piece, by kind and place.
    last: Vec<Vec<u32>>,
    links: Vec<Linked>,
}

struct Linked {
    dependent: Node,
    because: Because,
    /// The link before of the same piece.
    before: u32,
}

/// No link.
const NONE: u32 = u32::MAX;

impl Links {
    fn of(story: &Story) -> Self {
        let last = PieceKind::ALL.iter().map(|kind| vec![NONE; story.count(*kind)]).collect();
        Self { last, links: Vec::with_capacity(story.facts.len() * 6) }
    }

    fn add(&mut self, (kind, position): Node, dependent: Node, because: Because) {
        let next = u32::try_from(self.links.len()).expect("links are counted in 32 bits");
        let before = std::mem::replace(&mut self.last[kind as usize][position], next);
        self.links.push(Linked { dependent, because, before });
    }

    fn from(&self, (kind, position): Node) -> impl Iterator<Item = (Node, Because)> {
        let linked = |number: u32| self.links.get(number as usize);
        let all = std::iter::successors(linked(self.last[kind as usize][position]), move |link| linked(link.before));
        all.map(|link| (link.dependent, link.because))
    }
}

/// The facts of which there is one at a time, by what they are about.
#[derive(Default)]
struct Statements {
    about: FxHashMap<usize, (Entity, Term)>,
    facts: FxHashMap<(Entity, Term), Vec<usize>>,
}

impl<'s> Graph<'s> {
    fn of(story: &'s Story) -> Self {
        let links = Links::of(story);
        let names = Arc::new(Names::of(story));
        let mut graph = Self { story, names, links, mentions: OnceCell::new(), statements: OnceCell::new() };
        graph.add_references();
        graph
    }

    fn find(&self, name: &str) -> Option<Node> {
        let wanted = name.trim();
        let kinds = PieceKind::ALL.into_iter().filter(|kind| !kind.is_single());
        let is_called = |kind, (position, part): &(usize, &dyn Part)| match part.id().trim() {
            "" => self.handle((kind, *position)) == wanted,
            id => id == wanted,
        };
        let by_id = kinds.flat_map(|kind| {
            let parts = self.story.parts(kind).enumerate();
            parts.filter(move |part| is_called(kind, part)).map(move |(position, _)| (kind, position))
        });
        let by_id: Vec<Node> = if wanted.is_empty() { Vec::new() } else { by_id.collect() };
        if let [one] = by_id.as_slice() {
            return Some(*one);
        }
        let kinds = PieceKind::ALL.into_iter();
        let named: Vec<_> = kinds.flat_map(|kind| self.names.find(kind, name)).collect();
        // A chapter and its text have one title; the chapter stands for both.
        let known: Vec<_> =
            named.iter().filter(|named| named.kind != PieceKind::Document || named.id == name).collect();
        match (known.as_slice(), named.as_slice()) {
            ([one], _) => Some((one.kind, one.position)),
            ([], [one]) => Some((one.kind, one.position)),
            _ => None,
        }
    }

    /// The id of a piece, or what a person would call it.
    fn handle(&self, (kind, position): Node) -> String {
        let Some(piece) = self.story.piece(kind, position) else { return String::new() };
        if piece.id().trim().is_empty() { piece.label() } else { piece.id().trim().to_owned() }
    }

    /// What depends on a piece, in an order that does not depend on that of the story's lists.
    fn dependents(&self, node: Node) -> Vec<(Node, Because)> {
        let (kind, position) = node;
        let mut found: Vec<(Node, Because)> = self.links.from(node).collect();
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

    /// Every piece depends on those that it refers to; what tells a node or an event depends on it too, and the document
    /// that holds the sentence of a fact on the fact.
    fn add_references(&mut self) {
        let story = self.story;
        let names = Arc::clone(&self.names);
        let mut facts: FxHashMap<&str, usize> = FxHashMap::with_capacity_and_hasher(story.facts.len(), FxBuildHasher);
        for (position, fact) in story.facts.iter().enumerate().filter(|(_, fact)| !fact.id.trim().is_empty()) {
            facts.insert(fact.id.trim(), position);
        }
        // The lists of kinds are few; each is told by where it stands.
        let mut known: FxHashMap<(*const PieceKind, usize, &str), Rc<[Node]>> = FxHashMap::default();
        let mut meant = |to: &'static [PieceKind], name: &'s str| {
            let find = || {
                let named = to.iter().flat_map(|to| names.find(*to, name));
                let mut meant: Vec<Node> = named.map(|named| (named.kind, named.position)).collect();
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

    /// Every piece depends on those that its text mentions.
    fn read_mentions(&self) -> FxHashMap<Node, Vec<Node>> {
        let mut mentions: FxHashMap<Node, Vec<Node>> = FxHashMap::default();
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

    /// Facts of one subject and predicate, of which there is one at a time, depend on each other: each on the next, so
    /// that many facts of one kind stay few links.
    fn same_statements(&self, position: usize) -> Vec<Node> {
        let statements = self.statements.get_or_init(|| Statements::of(self.story, &self.names));
        let about = statements.about.get(&position);
        let mut facts = about.and_then(|about| statements.facts.get(about)).cloned().unwrap_or_default();
        facts.sort_by_cached_key(|fact| (self.handle((PieceKind::Fact, *fact)), *fact));
        let pairs = facts.windows(2).filter(|pair| pair.contains(&position));
        pairs.flat_map(|pair| pair.iter().map(|fact| (PieceKind::Fact, *fact)).collect::<Vec<_>>()).collect()
    }

    fn touched(&self, node: Node, path: &[(Node, Because)]) -> Touched {
        let (kind, position) = node;
        let label = self.story.piece(kind, position).map(|piece| piece.label()).unwrap_or_default();
        let link =
            |(node, because): &(Node, Because)| Link { kind: node.0, piece: self.handle(*node), because: *because };
        let sentences = match (kind, path.last()) {
            (PieceKind::Document, Some((before, _))) => self.sentences(position, *before),
            _ => Vec::new(),
        };
        let path: Vec<Link> = path.iter().map(link).collect();
        Touched { kind, piece: self.handle(node), label, distance: path.len(), path, sentences }
    }

    /// The sentences of a document that speak of a piece: that quote a fact, or mention a name.
    fn sentences(&self, document: usize, (kind, position): Node) -> Vec<Evidence> {
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

impl Statements {
    fn of(story: &Story, names: &Arc<Names>) -> Self {
        let mut registry = Registry::new(story, Arc::clone(names));
        let mut words: FxHashMap<&str, Option<Term>> = FxHashMap::default();
        let mut statements = Self::default();
        for (position, fact) in story.facts.iter().enumerate() {
            let word = || predicate::position(&fact.predicate).and_then(|word| u32::try_from(word).ok()).map(Term);
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

/// The sentences of a text.
fn sentences_of(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '。' | '！' | '？' | '\n' | '!' | '?' | '.');
    text.split_inclusive(ends).map(str::trim).filter(|sentence| !sentence.is_empty())
}
