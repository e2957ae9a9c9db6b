//! `rag_tool`: the passages of the book that a question is about, with where they stand.

use std::ops::Range;
use std::sync::Arc;

use qingyu_knowledge::KeywordIndex;
use qingyu_story::{PieceKind, Prose, Story};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, StoryTool};
use crate::reading::Reading;
use crate::writing::{needed, text_of};
use crate::{Action, Category, Metadata, ToolError};
use qingyu_llm::tokens::TokenCounter;

/// The tool.
#[derive(Debug)]
pub struct RagTool {
    counter: Arc<dyn TokenCounter>,
}

impl RagTool {
    /// Counts with `counter`.
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter }
    }
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// The question, or words of it.
    query: String,
    /// Only what has been told by the end of this chapter: the id or name of an outline node.
    as_of: Option<String>,
    /// Only the prose, or only the cards.
    source: Option<Source>,
    /// How many passages to give at most; 8 if left out.
    #[schemars(range(min = 1, max = 100))]
    top_k: Option<usize>,
    /// The most tokens that the passages may cost together; 3000 if left out.
    max_tokens: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Source {
    Prose,
    Cards,
}

/// How many passages are given unless more are asked for.
const FOUND: usize = 8;
/// What they may cost unless the caller says.
const BUDGET: u64 = 3_000;
/// A passage of prose is closed when it has so many characters and words.
const LENGTH: usize = 150;

/// A passage and where it stands.
struct Place {
    kind: PieceKind,
    id: String,
    name: String,
    anchor: String,
    text: String,
}

impl StoryTool for RagTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let metadata = Metadata::of::<Arguments>("rag_tool", Category::Knowledge, Vec::<Action>::new());
        Metadata { pure: true, ..metadata }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let query = needed(Some(arguments.query.trim()).filter(|query| !query.is_empty()), "/query")?;
        let now = arguments.as_of.as_deref().map(|name| desk.find(PieceKind::OutlineNode, name, "/as_of"));
        let now = now.transpose()?;
        let places = places(desk.story(), arguments.source, now);
        let index = KeywordIndex::new(places.iter().map(|place| place.text.as_str()));
        let (mut spent, mut left_out) = (0, 0);
        let mut passages = Vec::new();
        for hit in index.search(query, arguments.top_k.unwrap_or(FOUND)) {
            let place = &places[hit.row as usize];
            let passage = json!({
                "kind": place.kind,
                "id": place.id,
                "name": place.name,
                "anchor": place.anchor,
                "text": place.text,
                "score": (hit.score * 1e4).round() / 1e4,
            });
            let cost = self.counter.count(&passage.to_string());
            if spent + cost > arguments.max_tokens.unwrap_or(BUDGET) {
                left_out += 1;
                continue;
            }
            spent += cost;
            passages.push(passage);
        }
        Ok(json!({
            "query": query,
            "passages": passages,
            "tokens": spent,
            "left_out_for_budget": left_out,
            "searched": places.len(),
        }))
    }
}

/// All passages that may be found: what is told by then.
fn places(story: &Story, source: Option<Source>, now: Option<usize>) -> Vec<Place> {
    let reading = Reading::of(story);
    let now = now.map(|node| reading.place(node));
    let is_told = |teller: Option<&str>| {
        let place = teller.and_then(|name| reading.node(name)).map(|node| reading.place(node));
        now.is_none_or(|now| place.is_none_or(|place| place <= now))
    };
    let mut places = Vec::new();
    if source != Some(Source::Cards) {
        for document in story.documents.iter().filter(|document| is_told(document.outline_node.as_deref())) {
            for range in passages_of(&document.text) {
                places.push(Place {
                    kind: PieceKind::Document,
                    id: document.id.clone(),
                    name: document.title.clone(),
                    anchor: format!("documents/{}/text@{}-{}", document.id, range.start, range.end),
                    text: document.text[range].to_owned(),
                });
            }
        }
    }
    if source != Some(Source::Prose) {
        let cards = PieceKind::ALL.into_iter().filter(|kind| !matches!(kind, PieceKind::Document | PieceKind::Style));
        for piece in cards.flat_map(|kind| story.pieces_of(kind)) {
            let told = match &piece {
                qingyu_story::Piece::OutlineNode(node) => is_told(Some(&node.id)),
                qingyu_story::Piece::Event(event) => is_told(event.outline_node.as_deref()),
                qingyu_story::Piece::PlotNode(plot) => is_told(plot.outline_node.as_deref()),
                qingyu_story::Piece::Promise(promise) => is_told(promise.planted.first().map(String::as_str)),
                qingyu_story::Piece::Fact(fact) => {
                    let source = fact.source.as_ref().map(|source| source.document.as_str());
                    let document = source.and_then(|name| reading.names.resolve(PieceKind::Document, name));
                    let teller = document.and_then(|named| story.documents[named.position].outline_node.as_deref());
                    is_told(teller)
                }
                _ => true,
            };
            let text = text_of(&piece);
            if told && !text.trim().is_empty() {
                let (kind, id) = (piece.kind(), piece.id().to_owned());
                let anchor = format!("{}/{id}", kind.list());
                places.push(Place { kind, id, name: piece.label(), anchor, text });
            }
        }
    }
    places
}

/// Whole paragraphs, joined until they are long enough.
fn passages_of(text: &str) -> Vec<Range<usize>> {
    let mut passages: Vec<Range<usize>> = Vec::new();
    let mut open: Option<(Range<usize>, usize)> = None;
    for paragraph in Prose::of(text).paragraphs {
        let (range, length) = match open.take() {
            None => (paragraph.range, paragraph.length),
            Some((range, length)) => (range.start..paragraph.range.end, length + paragraph.length),
        };
        if length >= LENGTH {
            passages.push(range);
        } else {
            open = Some((range, length));
        }
    }
    passages.extend(open.map(|(range, _)| range));
    passages
}
