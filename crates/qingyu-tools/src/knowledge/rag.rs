//! `rag_tool`: passages of the book relevant to a question, with their locations.
//!
//! An installation with search servers is asked for them, with its vectors; otherwise the words decide, in the story
//! itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use qingyu_knowledge::analysis::{asked, terms};
use qingyu_knowledge::{Hit, KeywordIndex};
use qingyu_story::chapters::Chapters;
use qingyu_story::first_telling::FirstTellings;
use qingyu_story::{Document, Piece, PieceKind, Prose, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::desk::{Desk, StoryTool};
use crate::reading::ReadingOrder;
use crate::workspace::PassageQuery;
use crate::writing::{needed, text_of};
use crate::{Action, Category, Metadata, ToolError};
use qingyu_llm::tokens::TokenCounter;

/// The tool.
#[derive(Debug)]
pub(crate) struct RagTool {
    counter: Arc<dyn TokenCounter>,
}

impl RagTool {
    /// Returns the tool with `counter` as the token counter.
    pub(crate) fn new(counter: Arc<dyn TokenCounter>) -> Self {
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
    /// Only these kinds of content; all if left out.
    content_types: Option<Vec<ContentType>>,
    /// Whether the candidates are ordered anew by how many of the question's words each holds, before single words that
    /// are rare decide.
    enable_rerank: Option<bool>,
    /// How many passages to give at most; 8 if left out.
    #[schemars(range(min = 1, max = 100))]
    top_k: Option<usize>,
    /// The most tokens that the passages may cost together; 3000 if left out.
    max_tokens: Option<u64>,
}

/// A kind of content, as asked for and as told of each result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ContentType {
    /// The prose.
    Chapter,
    Outline,
    Character,
    Relation,
    /// The world: its rules, places, organisations and things.
    Setting,
    /// Events and plot nodes.
    Plot,
    Fact,
    Promise,
}

impl ContentType {
    fn of(kind: PieceKind) -> Self {
        match kind {
            PieceKind::Document => Self::Chapter,
            PieceKind::OutlineNode => Self::Outline,
            PieceKind::Character => Self::Character,
            PieceKind::Relation => Self::Relation,
            PieceKind::Event | PieceKind::PlotNode => Self::Plot,
            PieceKind::Fact => Self::Fact,
            PieceKind::Promise => Self::Promise,
            _ => Self::Setting,
        }
    }
}

/// Number of candidates per result for the new order.
const CANDIDATES: usize = 4;

/// Default number of passages.
const FOUND: usize = 8;
/// Default token budget.
const BUDGET: u64 = 3_000;
/// Minimum characters and words of a complete prose passage.
const LENGTH: usize = 150;

/// A passage and its location.
struct RagPassage {
    kind: PieceKind,
    id: String,
    name: String,
    anchor: String,
    text: String,
}

impl RagPassage {
    /// Returns the prose in a range of a document; `None` if the range is not one of its text.
    fn of_prose(document: &Document, range: Range<usize>) -> Option<Self> {
        let Document { id, title, .. } = document;
        Some(Self {
            kind: PieceKind::Document,
            id: id.clone(),
            name: title.clone(),
            anchor: format!("documents/{id}/text@{}-{}", range.start, range.end),
            text: document.text.get(range)?.to_owned(),
        })
    }
}

impl StoryTool for RagTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let metadata = Metadata::of::<Arguments>("rag_tool", Category::Knowledge, Vec::<Action>::new());
        Metadata { pure: true, ..metadata }
    }

    fn search(&self, arguments: &Arguments, desk: &Desk) -> Option<PassageQuery> {
        let text = Some(arguments.query.trim()).filter(|query| !query.is_empty())?.to_owned();
        let wanted = |types: &[ContentType]| {
            let kinds = PieceKind::ALL.into_iter().filter(|kind| types.contains(&ContentType::of(*kind)));
            kinds.collect::<Vec<_>>()
        };
        let kinds = arguments.content_types.as_deref().map(wanted).unwrap_or_default();
        let before = arguments.as_of.as_deref().and_then(|name| chapter_after(desk, name));
        let limit = arguments.top_k.unwrap_or(FOUND).saturating_mul(CANDIDATES);
        Some(PassageQuery { text, kinds, before, limit })
    }

    fn may_keep(answer: &Value) -> bool {
        // A server that is down now may be back for the next call.
        answer.get("engines").is_none()
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let query = needed(Some(arguments.query.trim()).filter(|query| !query.is_empty()), "/query")?;
        let now = arguments.as_of.as_deref().map(|name| desk.find(PieceKind::OutlineNode, name, "/as_of"));
        let now = now.transpose()?;
        let places = places(desk.story(), arguments.content_types.as_deref(), now);
        let (searched, count) = (places.len(), arguments.top_k.unwrap_or(FOUND));
        let is_reranked = arguments.enable_rerank.unwrap_or(false);
        let engines = desk.found().map(|found| found.engines.clone()).unwrap_or_default();
        let mut candidates = match desk.found() {
            Some(found) => of_hits(desk.story(), &found.hits, places),
            None => by_words(query, places, if is_reranked { count.saturating_mul(CANDIDATES) } else { count }),
        };
        if is_reranked {
            candidates.sort_by_cached_key(|(place, _)| Reverse(held(query, &place.text)));
        }
        let (mut spent, mut left_out) = (0, 0);
        let mut results = Vec::new();
        for (place, score) in candidates.into_iter().take(count) {
            let passage = json!({
                "content_type": ContentType::of(place.kind),
                "kind": place.kind,
                "id": place.id,
                "name": place.name,
                "anchor": place.anchor,
                "text": place.text,
                "score": score,
            });
            let cost = self.counter.count(&passage.to_string());
            if spent + cost > arguments.max_tokens.unwrap_or(BUDGET) {
                left_out += 1;
                continue;
            }
            spent += cost;
            results.push(passage);
        }
        let mut answer = json!({
            "query": query,
            "results": results,
            "tokens": spent,
            "left_out_for_budget": left_out,
            "searched": searched,
        });
        if !engines.is_empty() {
            answer["engines"] = engines.into();
        }
        Ok(answer)
    }
}

/// Returns the place of the chapter after the named outline node; `None` if the node is no chapter.
fn chapter_after(desk: &Desk, name: &str) -> Option<u32> {
    let node = desk.find(PieceKind::OutlineNode, name, "/as_of").ok()?;
    let chapters = Chapters::of(desk.story());
    let chapter = chapters.all().iter().find(|chapter| chapter.node == Some(node))?;
    Some(chapter.place.saturating_add(1))
}

/// Returns the best places by the words of `query`, with their scores.
fn by_words(query: &str, places: Vec<RagPassage>, count: usize) -> Vec<(RagPassage, Value)> {
    let index = KeywordIndex::new(places.iter().map(|place| place.text.as_str()));
    let mut places: Vec<Option<RagPassage>> = places.into_iter().map(Some).collect();
    let found = index.search(query, count).into_iter().filter_map(|hit| {
        let place = places.get_mut(hit.row as usize)?.take()?;
        Some((place, rounded(hit.score)))
    });
    found.collect()
}

/// Returns a score rounded to four digits.
fn rounded(score: f64) -> Value {
    json!((score * 1e4).round() / 1e4)
}

/// Returns hits of search servers as places, best first, with their scores: only what is in one of `places`, since
/// servers do not know who has told what by when, and no prose that has changed since.
fn of_hits(story: &Story, hits: &[Hit], places: Vec<RagPassage>) -> Vec<(RagPassage, Value)> {
    let mut known: BTreeMap<(PieceKind, String), RagPassage> =
        places.into_iter().map(|place| ((place.kind, place.id.clone()), place)).collect();
    let prose = |hit: &Hit| {
        let document = story.documents.iter().find(|document| document.id == hit.chunk.source.id)?;
        let range = hit.chunk.range.clone().filter(|_| document.version == hit.chunk.version)?;
        RagPassage::of_prose(document, range)
    };
    let found = hits.iter().filter_map(|hit| {
        let key = (hit.chunk.source.kind, hit.chunk.source.id.clone());
        let place = match key.0 {
            PieceKind::Document => known.contains_key(&key).then(|| prose(hit))??,
            _ => known.remove(&key)?,
        };
        Some((place, rounded(hit.score)))
    });
    found.collect()
}

/// Returns how many different terms of `query` are in `text`.
fn held(query: &str, text: &str) -> usize {
    let terms: HashSet<String> = terms(text).into_iter().collect();
    asked(query).iter().filter(|asked| terms.contains(&asked.to_string())).count()
}

/// Returns all passages of the content types told up to `now`.
fn places(story: &Story, types: Option<&[ContentType]>, now: Option<usize>) -> Vec<RagPassage> {
    let is_wanted = |kind: PieceKind| types.is_none_or(|types| types.contains(&ContentType::of(kind)));
    let reading = ReadingOrder::of(story);
    let now = now.map(|node| reading.place(node));
    let of_node = |name: Option<&str>| name.and_then(|name| reading.node(name)).map(|node| reading.place(node));
    let is_past = |place: Option<usize>| now.is_none_or(|now| place.is_none_or(|place| place <= now));
    let is_told = |teller: Option<&str>| is_past(of_node(teller));
    let first = FirstTellings::of(story, |position| of_node(story.documents[position].outline_node.as_deref()));
    let mut places = Vec::new();
    if is_wanted(PieceKind::Document) {
        for document in story.documents.iter().filter(|document| is_told(document.outline_node.as_deref())) {
            let passages = passages_of(&document.text).into_iter();
            places.extend(passages.filter_map(|range| RagPassage::of_prose(document, range)));
        }
    }
    let is_card = |kind: &PieceKind| !matches!(kind, PieceKind::Document | PieceKind::Style) && is_wanted(*kind);
    let cards = PieceKind::ALL.into_iter().filter(is_card);
    for piece in cards.flat_map(|kind| story.pieces_of(kind)) {
        let told = match &piece {
            Piece::Event(event) => is_past(first.event(event, of_node(event.outline_node.as_deref()))),
            other => is_told(teller(other, &reading)) && is_past(first.piece(other.kind(), other.id())),
        };
        let text = text_of(&piece);
        if told && !text.trim().is_empty() {
            let (kind, id) = (piece.kind(), piece.id().to_owned());
            let anchor = format!("{}/{id}", kind.list());
            places.push(RagPassage { kind, id, name: piece.label(), anchor, text });
        }
    }
    places
}

/// Returns the name of the outline node at which a piece other than an event is told.
fn teller<'p>(piece: &'p Piece, reading: &ReadingOrder<'p>) -> Option<&'p str> {
    match piece {
        Piece::OutlineNode(node) => Some(&node.id),
        Piece::PlotNode(plot) => plot.outline_node.as_deref(),
        Piece::Promise(promise) => promise.planted.first().map(String::as_str),
        Piece::Relation(relation) => relation.since.as_deref(),
        Piece::Fact(fact) => {
            let document = reading.names.resolve(PieceKind::Document, &fact.source.as_ref()?.document)?;
            reading.story.documents[document.position].outline_node.as_deref()
        }
        _ => None,
    }
}

/// Returns whole paragraphs, joined up to the minimum length.
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
