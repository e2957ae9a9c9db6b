//! The chunks of a story for the search: prose cut into pieces of half a page, cards whole.
//!
//! Each chunk names its source and has [`Fields`] for filters:
//!
//! | field | of |
//! |---|---|
//! | `doc_type`, `id`, `name` | all; `doc_type` is the kind of the piece: `document`, `character`, `event`, … |
//! | `chapter` | pieces told in a chapter: its place in the book. Cards valid throughout have none |
//! | `chapter_name`, `scene`, `participants`, `places` | prose, outline nodes, events |
//! | `alias`, `role_type`, `traits`, `occupation`, `age`, `gender` | characters; `alias` of places, things and organisations too |
//! | `custom` | characters: each of the author's own fields as `name: value` |
//! | `participants`, `relation` | relations |
//! | `subject`, `predicate`, `object`, `mode` | facts; `mode` of events too |
//! | `importance`, `open`, `planted`, `paid` | promises: whether still open, the chapters of plant and payoff |
//! | `kind` | outline and plot nodes: `chapter`, `climax`, … |
//! | `holder` | things |

mod card;
mod prose;
mod walk;

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use qingyu_story::chapters::{Chapters, outline};
use qingyu_story::{Document, Names, OutlineNodeKind, Piece, PieceKind, Story};
use rustc_hash::FxHasher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filter::{Fields, Value};
use walk::Walk;

/// The names of all fields of chunks.
pub const FIELDS: [&str; 26] = [
    "age",
    "alias",
    "chapter",
    "chapter_name",
    "custom",
    "doc_type",
    "gender",
    "holder",
    "id",
    "importance",
    "kind",
    "mode",
    "name",
    "object",
    "occupation",
    "open",
    "paid",
    "participants",
    "places",
    "planted",
    "predicate",
    "relation",
    "role_type",
    "scene",
    "subject",
    "traits",
];

/// What a chunk comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// Its id, unique among its kind.
    pub id: String,
}

/// A text that can be found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chunk {
    /// The piece.
    pub source: Source,
    /// Its place among the chunks of the piece, from 0.
    pub part: u32,
    /// The version of the document; 0 for cards.
    pub version: u32,
    /// Its own part of the document's text, in bytes; none for cards.
    pub range: Option<Range<usize>>,
    /// Its words. Of prose, the document's, from the beginning of the sentence before `range` to the end of `range`.
    pub text: String,
    /// What is embedded before the text: chapter, place and participants of prose, whose names are often pronouns there.
    pub heading: String,
    /// What filters ask for.
    pub fields: Fields,
}

impl Chunk {
    /// Returns the text to be embedded.
    pub fn embedded(&self) -> String {
        if self.heading.is_empty() { self.text.clone() } else { format!("{}\n{}", self.heading, self.text) }
    }

    /// Returns the first text of a field, by default an empty string.
    pub fn text_of(&self, field: &str) -> &str {
        self.texts_of(field).next().unwrap_or_default()
    }

    /// Returns an iterator over the texts of a field.
    pub fn texts_of(&self, field: &str) -> impl Iterator<Item = &str> {
        let values = self.fields.get(field).into_iter().flatten();
        values.filter_map(|value| if let Value::Text(text) = value { Some(text.as_str()) } else { None })
    }

    /// Returns the title: the name, or by default the first line.
    pub fn title(&self) -> &str {
        match self.text_of("name").trim() {
            "" => self.text.lines().next().unwrap_or(&self.source.id).trim(),
            name => name,
        }
    }

    /// Returns an iterator over the numbers of a field.
    pub fn numbers_of(&self, field: &str) -> impl Iterator<Item = f64> + '_ {
        let values = self.fields.get(field).into_iter().flatten();
        values.filter_map(|value| if let Value::Number(number) = value { Some(*number) } else { None })
    }

    /// Returns whether the text has more than a name.
    pub fn says_something(&self) -> bool {
        self.text.trim() != self.text_of("name").trim()
    }
}

/// Returns all chunks of `story`, piece by piece.
pub fn of(story: &Story) -> Vec<Chunk> {
    let chunker = Chunker::new(story);
    pieces(story).flat_map(|(source, piece)| chunker.chunks(&source.id, &piece)).collect()
}

/// Returns an iterator over all pieces of `story` with the source for their chunks.
///
/// A piece without an id, or with a duplicate id of its kind, gets an id by position: `#3`, `o-1#3`.
pub fn pieces(story: &Story) -> impl Iterator<Item = (Source, Piece)> {
    PieceKind::ALL.into_iter().flat_map(move |kind| {
        let mut ids = BTreeSet::new();
        story.pieces_of(kind).enumerate().map(move |(position, piece)| {
            let id = if kind.is_single() { kind.name() } else { piece.id() };
            let is_taken = id.is_empty() || !ids.insert(id.to_owned());
            let id = if is_taken { format!("{id}#{position}") } else { id.to_owned() };
            ids.insert(id.clone());
            (Source { kind, id }, piece)
        })
    })
}

/// Makes chunks of pieces, with their places in the book and the characters present.
#[derive(Debug)]
pub struct Chunker {
    /// All names of the story, for resolving references.
    names: Names,
    /// The names searched for in prose: the cast and the world.
    cast: Names,
    cast_fingerprint: u64,
    surroundings: u64,
    places: Vec<ChunkPlace>,
    documents: Vec<Option<usize>>,
    /// The chapter of each document; `None` if unknown.
    document_chapters: Vec<Option<u32>>,
    language: qingyu_story::Language,
}

/// The place of an outline node, with the characters and places of the node.
#[derive(Debug, Clone, Default, Hash)]
struct ChunkPlace {
    chapter: Option<u32>,
    name: String,
    participants: Vec<String>,
    location: Option<String>,
}

impl Chunker {
    /// Reads the outline and the names of `story`. The texts of documents are not needed.
    pub fn new(story: &Story) -> Self {
        // Other names are not looked up, and a book may have many facts.
        let names = Names::of(&Story {
            outline_nodes: story.outline_nodes.clone(),
            documents: story.documents.iter().map(without_text).collect(),
            ..Story::default()
        });
        let cast = Names::of(&Story {
            characters: story.characters.clone(),
            worldview: story.worldview.clone(),
            ..Story::default()
        });
        let node = |document: &Document| resolve(&names, PieceKind::OutlineNode, document.outline_node.as_deref()?);
        let chapters = Chapters::with(story, &names);
        let places = places(story, &chapters);
        let document_chapters = (0..story.documents.len()).map(|at| Some(chapters.of_document(at)?.place)).collect();
        let cast_fingerprint = cast_fingerprint(story);
        Self {
            cast,
            cast_fingerprint,
            surroundings: surroundings(story, cast_fingerprint, &places),
            places,
            documents: story.documents.iter().map(node).collect(),
            document_chapters,
            language: story.language,
            names,
        }
    }

    /// Returns a fingerprint of all data in the chunker: while unchanged, the [fingerprints](Self::fingerprint) of
    /// unchanged pieces are unchanged.
    pub fn surroundings(&self) -> u64 {
        self.surroundings
    }

    /// Returns a fingerprint of all data that [`chunks`](Self::chunks) reads besides the piece: while fingerprint and
    /// piece are unchanged, the chunks are unchanged.
    pub fn fingerprint(&self, piece: &Piece) -> u64 {
        let mut hasher = FxHasher::default();
        self.language.hash(&mut hasher);
        match piece {
            Piece::Document(document) => {
                self.cast_fingerprint.hash(&mut hasher);
                self.place_of_document(document).hash(&mut hasher);
            }
            Piece::Promise(promise) => {
                for place in promise.planted.iter().chain(&promise.paid) {
                    self.chapter_of(place).hash(&mut hasher);
                }
            }
            other => self.place_of(other).hash(&mut hasher),
        }
        hasher.finish()
    }

    /// Returns the chunks of a piece. `id` is the id in their source.
    pub fn chunks(&self, id: &str, piece: &Piece) -> Vec<Chunk> {
        let source = Source { kind: piece.kind(), id: id.to_owned() };
        match piece {
            Piece::Document(document) => self.prose(&source, document),
            other => card::chunks(self, &source, other),
        }
    }

    fn prose(&self, source: &Source, document: &Document) -> Vec<Chunk> {
        let place = self.place_of_document(document);
        let mut walk = Walk::of(&document.text, &self.cast, place.location.as_deref());
        let chunk = |(part, cut): (u32, prose::ProseCut)| {
            let text = &document.text[cut.overlap..cut.range.end];
            let here = walk.places(&cut);
            let (participants, locations) = self.mentioned(text, &here);
            let way = here.join(" → ");
            let heading: Vec<&str> = [document.title.trim(), way.trim()]
                .into_iter()
                .chain(participants.iter().map(String::as_str))
                .filter(|word| !word.is_empty())
                .collect();
            let mut fields = base_fields(source, document.title.trim(), &place);
            put_texts(&mut fields, "participants", &participants);
            put_texts(&mut fields, "places", &locations);
            fields.insert("scene".into(), vec![Value::from(cut.scene)]);
            Chunk {
                source: source.clone(),
                part,
                version: document.version,
                range: Some(cut.range.clone()),
                text: text.to_owned(),
                heading: heading.join(" · "),
                fields,
            }
        };
        let says_something =
            |cut: &prose::ProseCut| document.text[cut.range.clone()].chars().any(char::is_alphanumeric);
        (0..).zip(prose::cut(&document.text).into_iter().filter(says_something)).map(chunk).collect()
    }

    /// Returns the characters and the places named in `text`, in order of appearance; the places of the passage first.
    fn mentioned(&self, text: &str, here: &[String]) -> (Vec<String>, Vec<String>) {
        let mut participants = Vec::new();
        let mut locations: Vec<String> = here.to_vec();
        for mention in self.cast.mentions_in_prose(text) {
            let [named] = mention.bearers.as_slice() else { continue };
            let list = match named.kind {
                PieceKind::Character => &mut participants,
                PieceKind::Location => &mut locations,
                _ => continue,
            };
            if !list.contains(&named.name) {
                list.push(named.name.clone());
            }
        }
        (participants, locations)
    }

    fn place_of_document(&self, document: &Document) -> ChunkPlace {
        let node = document.outline_node.as_deref().and_then(|name| resolve(&self.names, PieceKind::OutlineNode, name));
        let place = node.map(|node| self.places[node].clone()).unwrap_or_default();
        let at = resolve(
            &self.names,
            PieceKind::Document,
            if document.id.is_empty() { &document.title } else { &document.id },
        );
        let chapter = at.and_then(|at| self.document_chapters[at]).or(place.chapter);
        ChunkPlace { chapter, ..place }
    }

    /// Returns the place of a card.
    fn place_of(&self, piece: &Piece) -> ChunkPlace {
        let node = match piece {
            Piece::OutlineNode(node) => {
                let named = if node.id.is_empty() { &node.name } else { &node.id };
                resolve(&self.names, PieceKind::OutlineNode, named)
            }
            Piece::Event(event) => self.node(event.outline_node.as_deref()),
            Piece::PlotNode(plot) => self.node(plot.outline_node.as_deref()),
            Piece::Fact(fact) => {
                let document = fact.source.as_ref().map(|source| source.document.as_str());
                let chapter = document.and_then(|document| self.chapter_of(document));
                return ChunkPlace { chapter, ..ChunkPlace::default() };
            }
            Piece::Relation(relation) => {
                let chapter = relation.since.as_deref().and_then(|since| self.chapter_of(since));
                return ChunkPlace { chapter, ..ChunkPlace::default() };
            }
            _ => None,
        };
        node.map(|node| self.places[node].clone()).unwrap_or_default()
    }

    fn node(&self, name: Option<&str>) -> Option<usize> {
        resolve(&self.names, PieceKind::OutlineNode, name?)
    }

    /// Returns the number of the chapter of the outline node or document with the given name or id.
    fn chapter_of(&self, name: &str) -> Option<u32> {
        if let Some(node) = self.node(Some(name)) {
            return self.places[node].chapter;
        }
        let document = resolve(&self.names, PieceKind::Document, name)?;
        let of_node = || self.documents[document].and_then(|node| self.places[node].chapter);
        self.document_chapters[document].or_else(of_node)
    }
}

fn resolve(names: &Names, kind: PieceKind, name: &str) -> Option<usize> {
    names.resolve(kind, name).map(|named| named.position)
}

/// Returns the place of each outline node: the place of its chapter. A scene belongs to the chapter before, an act
/// begins with the chapter after.
fn places(story: &Story, chapters: &Chapters) -> Vec<ChunkPlace> {
    let order = outline(story);
    let mut places = vec![ChunkPlace::default(); order.len()];
    let mut last = 0;
    for position in order {
        let node = &story.outline_nodes[position];
        let own = chapters.of_node(position).map(|chapter| chapter.place);
        let chapter = match (own, node.kind) {
            (Some(own), _) => own,
            (None, OutlineNodeKind::Scene) => last.max(1),
            (None, _) => last + 1,
        };
        last = own.unwrap_or(last);
        places[position] = ChunkPlace {
            chapter: Some(chapter),
            name: node.name.clone(),
            participants: node.participants.clone(),
            location: node.location.clone(),
        };
    }
    places
}

fn without_text(document: &Document) -> Document {
    Document {
        id: document.id.clone(),
        title: document.title.clone(),
        order: document.order,
        outline_node: document.outline_node.clone(),
        version: document.version,
        text: String::new(),
        ..Document::default()
    }
}

/// Returns a fingerprint of all data read from a story besides the piece to be cut.
fn surroundings(story: &Story, cast_fingerprint: u64, places: &[ChunkPlace]) -> u64 {
    let mut hasher = FxHasher::default();
    (story.language, cast_fingerprint, places).hash(&mut hasher);
    story.outline_nodes.iter().for_each(|node| (&node.id, &node.name).hash(&mut hasher));
    for document in &story.documents {
        (&document.id, &document.title, document.order, &document.outline_node).hash(&mut hasher);
    }
    hasher.finish()
}

fn cast_fingerprint(story: &Story) -> u64 {
    let mut hasher = FxHasher::default();
    let mut add = |kind: PieceKind, id: &str, name: &str, alias: &[String]| (kind, id, name, alias).hash(&mut hasher);
    for character in &story.characters {
        add(PieceKind::Character, &character.id, &character.name, &character.alias);
    }
    for location in story.locations() {
        add(PieceKind::Location, &location.id, &location.name, &location.alias);
    }
    for item in story.items() {
        add(PieceKind::Item, &item.id, &item.name, &item.alias);
    }
    for organisation in story.organisations() {
        add(PieceKind::Organisation, &organisation.id, &organisation.name, &organisation.alias);
    }
    for rule in story.world_rules() {
        add(PieceKind::WorldRule, &rule.id, &rule.name, &[]);
    }
    hasher.finish()
}

/// Returns the fields common to all chunks.
fn base_fields(source: &Source, name: &str, place: &ChunkPlace) -> Fields {
    let mut fields = Fields::from([
        ("doc_type".into(), vec![Value::from(source.kind.name())]),
        ("id".into(), vec![Value::from(source.id.as_str())]),
    ]);
    put_texts(&mut fields, "name", &[name]);
    put_texts(&mut fields, "chapter_name", &[&place.name]);
    if let Some(chapter) = place.chapter {
        fields.insert("chapter".into(), vec![Value::from(chapter)]);
    }
    fields
}

/// Inserts the texts that are not empty.
fn put_texts(fields: &mut Fields, field: &str, texts: &[impl AsRef<str>]) {
    let texts = texts.iter().map(|text| text.as_ref().trim()).filter(|text| !text.is_empty());
    let values: Vec<Value> = texts.map(Value::from).collect();
    if !values.is_empty() {
        fields.entry(field.to_owned()).or_default().extend(values);
    }
}

#[cfg(test)]
mod tests;
