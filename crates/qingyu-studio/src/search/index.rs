//! The loaded story and graph of a project, and the embedder of its passages.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_knowledge::chunk::{Chunker, Source};
use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::graph::NodeId;
use qingyu_knowledge::pattern::{PatternResult, Query as Pattern, QueryLimits};
use qingyu_knowledge::question::Rank;
use qingyu_knowledge::recall::GraphAnswer;
use qingyu_knowledge::{Chunk, Filter, Fusion, Hit, Query, QueryVector, StoryGraph, WritingFocus, injection, recall};
use qingyu_llm::Embedder;
use qingyu_story::chapters::{ChapterName, Chapters};
use qingyu_story::settlement::as_described;
use qingyu_story::{Piece, PieceKind, Story};

use crate::engines::report::{EngineUse, EngineUses};
use crate::error::{Error, failures};
use crate::models::embedder::embedder_of;
use crate::search::embedding::EmbeddingProgress;
use crate::search::known::known_before;
use crate::studio::Studio;

/// The maximum length of a question, in characters.
const LONGEST: usize = 4_000;
/// The maximum length of a condition or pattern quoted in an error, in characters.
const REPEATED: usize = 120;
/// The maximum number of cards added to hits because the question names their pieces.
const NAMED: usize = 3;

/// The embedder for queries.
pub(super) struct QueryEmbedder {
    pub(super) embedder: Arc<dyn Embedder>,
    /// The progress of the configured embedder, if another embedder is the fallback until completion.
    pub(super) behind: Option<EmbeddingProgress>,
}

impl QueryEmbedder {
    pub(super) async fn of(&self, question: &str) -> Result<Option<QueryVector>, Error> {
        let vector = QueryVector::of(&*self.embedder, question).await;
        vector.map(Some).map_err(|error| failures::model(&error))
    }
}

/// The hits of a search, with a report for each server of a team.
pub(super) struct FoundHits {
    pub(super) hits: Vec<Hit>,
    pub(super) engines: Vec<EngineUse>,
}

/// The loaded story and graph of a project; events are as the texts tell them.
pub(super) struct ProjectIndex {
    pub(super) project: String,
    pub(super) story: Story,
    pub(super) graph: StoryGraph,
    /// The place of the chapter before which the story is known; `None` for the whole story.
    pub(super) before: Option<u32>,
}

impl ProjectIndex {
    /// Returns what is known before the chapter, if one is named.
    pub(super) fn known_before(self, chapter: Option<&ChapterName>) -> Result<Self, Error> {
        let Some(place) = self.place(chapter)? else { return Ok(self) };
        let story = known_before(&self.story, place);
        Ok(Self { graph: StoryGraph::of(&story), story, before: Some(place), ..self })
    }

    /// Returns the text of a node's piece, if any matches the filter.
    fn text_of(&self, chunker: &Chunker, graph: &StoryGraph, node: NodeId, filter: Option<&Filter>) -> Option<Chunk> {
        let (kind, id) = recall::piece_of(graph, node)?;
        let piece = self.story.pieces_of(kind).find(|piece| piece.id() == id)?;
        let chunk = chunker.chunks(id, &piece).into_iter().next()?;
        filter.is_none_or(|filter| filter.fits(&chunk.fields)).then_some(chunk)
    }

    /// Cuts the hits to `limit`, with the cards of the `named` pieces among them: missing cards are inserted behind the
    /// answers of the graph, with the part that was found, if any. In a long book, many passages with a name rank above its
    /// card.
    pub(super) fn cut_with_named(&self, hits: &mut Vec<Hit>, named: &[NodeId], limit: usize) {
        let mut beyond = hits.split_off(limit.min(hits.len()));
        let chunker = Chunker::new(&self.story);
        let is_card = |node: &&NodeId| {
            recall::piece_of(&self.graph, **node).is_some_and(|(kind, _)| PieceKind::CARDS.contains(&kind))
        };
        let cards = named.iter().filter(is_card).filter_map(|node| self.text_of(&chunker, &self.graph, *node, None));
        let (kept, mut missing): (Vec<Chunk>, Vec<Chunk>) =
            cards.partition(|card| hits.iter().any(|hit| hit.chunk.source == card.source));
        missing.truncate(NAMED);
        cut_except(hits, limit.saturating_sub(missing.len()), &kept);
        let at = hits.iter().take_while(|hit| hit.way.is_some()).count();
        let score = hits.get(at).or(hits.last()).map_or(0.0, |hit| hit.score);
        let hit = |chunk: Chunk| {
            if let Some(found) = beyond.iter().position(|hit| hit.chunk.source == chunk.source) {
                return Hit { score, ..beyond.remove(found) };
            }
            let suspicious = injection::suspicious(&chunk.text).map(str::to_owned);
            Hit { chunk, score, keyword: None, vector: None, way: None, emphasis: 1.0, suspicious, book: None }
        };
        let missing: Vec<Hit> = missing.into_iter().map(hit).collect();
        hits.splice(at..at, missing);
    }

    /// Returns the position of the chapter in the book.
    pub(super) fn place(&self, name: Option<&ChapterName>) -> Result<Option<u32>, Error> {
        let Some(name) = name else { return Ok(None) };
        let chapters = Chapters::of(&self.story);
        match chapters.resolve(name.as_str()) {
            Ok(chapter) => Ok(Some(chapter.place)),
            Err(error) => {
                // For a future chapter, all existing chapters come before.
                let last = chapters.all().iter().filter_map(|chapter| chapter.number).max().unwrap_or(0);
                let is_to_come = name.as_str().parse().is_ok_and(|number: u32| number > last);
                let next = u32::try_from(chapters.all().len()).unwrap_or(u32::MAX).saturating_add(1);
                if is_to_come { Ok(Some(next)) } else { Err(error.into()) }
            }
        }
    }

    /// Returns the focus for writing a chapter: the chapter and its planned cast.
    pub(super) fn focus(&self, chapter: u32) -> WritingFocus {
        let chunker = Chunker::new(&self.story);
        let nodes = self.story.pieces_of(PieceKind::OutlineNode);
        let chunks = nodes.flat_map(|node| chunker.chunks(node.id(), &node));
        let of_chapter = chunks.filter(|chunk| chunk.numbers_of("chapter").any(|number| number == f64::from(chapter)));
        let cast: BTreeSet<String> = of_chapter
            .flat_map(|chunk| chunk.texts_of("participants").map(str::to_owned).collect::<Vec<_>>())
            .collect();
        WritingFocus { chapter, participants: cast.into_iter().collect() }
    }

    /// Gives the events among the hits as the texts tell them, and not as they were planned.
    fn tell_events(&self, hits: &mut [Hit]) {
        let is_event = |hit: &Hit| hit.chunk.source.kind == PieceKind::Event;
        if !hits.iter().any(is_event) {
            return;
        }
        let chunker = Chunker::new(&self.story);
        for hit in hits.iter_mut().filter(|hit| is_event(hit)) {
            let Source { id, .. } = &hit.chunk.source;
            let Some(event) = self.story.timeline_events.iter().find(|event| event.id == *id) else { continue };
            let chunks = chunker.chunks(id, &Piece::Event(event.clone()));
            let told = chunks.into_iter().find(|chunk| chunk.part == hit.chunk.part);
            if let Some(told) = told {
                hit.chunk = told;
            }
        }
    }

    /// Returns the matches of a pattern allowed by `query`.
    fn answers(&self, found: &PatternResult, query: &Query) -> Vec<GraphAnswer> {
        let (chunker, filter) = (Chunker::new(&self.story), query.condition());
        let text = |graph: &StoryGraph, node| self.text_of(&chunker, graph, node, filter.as_ref());
        recall::answers(found, &self.graph, text)
    }
}

impl Studio {
    pub(super) async fn library(&self, project: &str) -> Result<ProjectIndex, Error> {
        let (project, kept) = self.kept_story(project).await?;
        let told = match as_described(&kept.story) {
            Cow::Owned(told) => Some(told),
            Cow::Borrowed(_) => None,
        };
        let story = told.unwrap_or(kept.story);
        let graph = StoryGraph::of(&story);
        Ok(ProjectIndex { project, story, graph, before: None })
    }

    /// Returns the embedder for queries to a project: the configured embedder if all passages have its vectors, else
    /// the fallback.
    pub(super) async fn vectors(&self, project: &str) -> Result<QueryEmbedder, Error> {
        let embedder = embedder_of(self.settings(), Some(project))?;
        if embedder.name() == LexicalEmbedder::NAME {
            return Ok(QueryEmbedder { embedder, behind: None });
        }
        if self.is_whole(&*embedder, project).await? == Some(true) {
            return Ok(QueryEmbedder { embedder, behind: None });
        }
        let embedded = self.embedded_by(project, &*embedder).await?;
        Ok(match embedded.is_whole() {
            true => QueryEmbedder { embedder, behind: None },
            false => QueryEmbedder { embedder: Arc::new(LexicalEmbedder::new()), behind: Some(embedded) },
        })
    }

    /// Returns the search hits merged with the answers of the graph.
    pub(super) async fn find_hits(
        &self,
        library: &ProjectIndex,
        vectors: &QueryEmbedder,
        query: &Query,
        pattern: Option<&Pattern>,
        rank: Option<&Rank>,
    ) -> Result<FoundHits, Error> {
        let mut uses = EngineUses::default();
        let mut hits = self.search_engines(&library.project, query.clone(), &mut uses).await?;
        library.tell_events(&mut hits);
        let Some(pattern) = pattern else { return Ok(FoundHits { hits, engines: uses.into_reports() }) };
        let text = pattern.to_string();
        let limits = QueryLimits { rows: recall::ANSWERS, ..QueryLimits::default() };
        let found = self.run_pattern(&library.project, &library.graph, (&text, pattern), limits, &mut uses).await?;
        let mut answers = library.answers(&found, query);
        if let Some(rank) = rank.filter(|_| !answers.is_empty()) {
            let inside = recall::inside(rank, &answers, query);
            let inside = Query { vector: vectors.of(&inside.text).await?, ..inside };
            let near = self.search_engines(&library.project, inside, &mut uses).await?;
            recall::by_quality(rank, &mut answers, &near);
        }
        let hits = recall::join(hits, answers, &Fusion::default(), query.limit);
        Ok(FoundHits { hits, engines: uses.into_reports() })
    }
}

pub(super) fn bad_pattern(pattern: &str, error: &qingyu_knowledge::pattern::Error) -> Error {
    Error::BadPattern { pattern: brief(pattern), marked: error.marked(pattern), message: error.to_string() }
}

/// Returns a prefix of the text for an error message.
pub(super) fn brief(text: &str) -> String {
    let mut letters = text.chars();
    let shown: String = letters.by_ref().take(REPEATED).collect();
    if letters.next().is_some() { shown + "…" } else { shown }
}

/// Validates the length of a question.
pub(super) fn verify(question: &str) -> Result<(), Error> {
    let characters = question.chars().count();
    match characters {
        _ if question.trim().is_empty() => Err(Error::QuestionEmpty),
        0..=LONGEST => Ok(()),
        _ => Err(Error::QuestionTooLong { characters, limit: LONGEST }),
    }
}

/// Cuts the hits to `limit`, worst first; the pieces of the `kept` chunks go only when nothing else is left.
fn cut_except(hits: &mut Vec<Hit>, limit: usize, kept: &[Chunk]) {
    for at in (0..hits.len()).rev() {
        if hits.len() <= limit {
            return;
        }
        if !kept.iter().any(|chunk| chunk.source == hits[at].chunk.source) {
            hits.remove(at);
        }
    }
    hits.truncate(limit);
}

#[cfg(test)]
mod tests {
    use qingyu_knowledge::question;
    use serde_json::json;

    use super::*;

    #[test]
    fn events_are_found_as_the_texts_tell_them() {
        let story: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "佟秀云"}, {"id": "c-2", "name": "孟宪章"}],
            "timeline_events": [{"id": "e-1", "title": "逼问姜德厚", "participants": ["佟秀云", "孟宪章"]}],
            "documents": [{"id": "d-1", "title": "第二章", "order": 1, "text": "秀云一个人去了寄卖行。", "settled": {
                "events": [{"event": "e-1", "quote": "秀云一个人去了寄卖行。"}],
                "differs": [{"event": "e-1", "field": "participants", "told": "孟宪章", "quote": "秀云一个人去了寄卖行。"}]}}]
        }))
        .unwrap();
        let planned = Piece::Event(story.timeline_events[0].clone());
        let chunk = Chunker::new(&story).chunks("e-1", &planned).remove(0);
        let (score, emphasis) = (1.0, 1.0);
        let hit = Hit { chunk, score, keyword: None, vector: None, way: None, emphasis, suspicious: None, book: None };
        let story = as_described(&story).into_owned();
        let index = ProjectIndex { project: "p".into(), graph: StoryGraph::of(&story), story, before: None };
        let mut hits = [hit];
        assert!(hits[0].chunk.text.contains("孟宪章"));
        index.tell_events(&mut hits);
        assert!(hits[0].chunk.text.contains("佟秀云") && !hits[0].chunk.text.contains("孟宪章"), "{hits:?}");
    }

    #[test]
    fn the_cards_of_named_people_are_not_cut() {
        let long = "她照旧去码头看船，记下船名与时辰。".repeat(200);
        let story: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林深", "goals": "查清死因"}, {"id": "c-2", "name": "沈砚秋"},
                {"id": "c-3", "name": "罗世昌", "background": long}],
            "documents": (1..=6).map(|at| json!({"id": format!("d-{at}"), "text": format!("第{at}次，林深走了。")}))
                .collect::<Vec<_>>(),
        }))
        .unwrap();
        let index = ProjectIndex { project: "p".into(), graph: StoryGraph::of(&story), story, before: None };
        let named = question::named("林深、沈砚秋和罗世昌", &index.graph);
        let chunker = Chunker::new(&index.story);
        let chunks = |kind: PieceKind, id: &str| {
            let piece = index.story.pieces_of(kind).find(|piece| piece.id() == id).unwrap();
            chunker.chunks(id, &piece)
        };
        let hit = |chunk: Chunk| Hit {
            chunk,
            score: 1.0,
            keyword: None,
            vector: None,
            way: None,
            emphasis: 1.0,
            suspicious: None,
            book: None,
        };
        let passages = |range: std::ops::RangeInclusive<u32>| -> Vec<Hit> {
            range.flat_map(|at| chunks(PieceKind::Document, &format!("d-{at}"))).map(hit).collect()
        };
        let last_part = chunks(PieceKind::Character, "c-3").pop().unwrap();
        assert!(last_part.part > 0, "a long card has parts");
        let mut hits = passages(1..=3);
        hits.push(hit(chunks(PieceKind::Character, "c-1").remove(0)));
        hits.extend(passages(4..=6));
        hits.push(hit(last_part.clone()));
        index.cut_with_named(&mut hits, &named, 4);
        let sources: Vec<(&str, u32)> = hits.iter().map(|hit| (hit.chunk.source.id.as_str(), hit.chunk.part)).collect();
        let mut missing = [sources[0], sources[1]];
        missing.sort_unstable();
        assert_eq!(missing, [("c-2", 0), ("c-3", last_part.part)], "the part that was found");
        assert_eq!(sources[2..], [("d-1", 0), ("c-1", 0)], "a card among the hits stays");
    }
}
