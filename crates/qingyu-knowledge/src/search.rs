//! The combined search: conditions first, then keywords and vectors, fused, with the reasons of each hit.
//!
//! An engine only reads rows; all decisions are here and in [`keyword`](crate::keyword), [`vector`] and [`fusion`], so
//! all engines return the same hits. [`MemoryIndex`] is the engine without a database.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_llm::Embedder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::terms;
use crate::embed::LexicalEmbedder;
use crate::filter::FieldComparison;
use crate::fusion::{self, Fused, Fusion, Side, WritingFocus};
use crate::recall::Way;
use crate::vector::{self, CodeTable, RESCORED, ScoredRow};
use crate::{Chunk, Filter, KeywordIndex, Source, injection};

/// The number of fused hits considered for emphasis and variety.
const POOL: usize = 50;
/// The weight of lexical vectors beside keywords: both see the same, vectors less well, and equal weights would spoil
/// the ranking (measured: recall@5 of 0.42 together, 0.46 by keywords alone).
const LEXICAL: f64 = 0.5;

/// A search query.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The words.
    pub text: String,
    /// The filter, applied before scoring; `None` by default.
    pub filter: Option<Filter>,
    /// Only chunks told before this chapter, and chunks without a chapter: nothing after the point of writing leaks. The
    /// nodes of the book, of acts and of arcs plan what comes, so none of them is found.
    pub before: Option<u32>,
    /// The ids of events that are planned for the chapter [`before`](Self::before) or a later one, but told earlier;
    /// they are found nevertheless.
    pub told: Vec<String>,
    /// The maximum number of hits.
    pub limit: usize,
    /// The vector of the words, from the embedder of the chunks; `None` for keywords alone.
    pub vector: Option<QueryVector>,
    /// The nearest chunks by `vector`, best first, as found by a vector engine; `None`
    /// if the search itself compares the vectors.
    pub near: Option<Vec<Neighbour>>,
    /// The parameters of the fusion.
    pub fusion: Fusion,
    /// The point of writing, for emphasis; `None` by default.
    pub focus: Option<WritingFocus>,
    /// The preference for unlike hits, from 0 to 1.
    pub variety: f64,
}

/// A chunk with a near vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// The source of the chunk.
    pub source: Source,
    /// The index of the chunk in the piece.
    pub part: u32,
    /// The cosine, in `[-1, 1]`.
    pub score: f32,
}

/// A vector and the name of its model.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryVector {
    /// The name of the embedder. Vectors of other embedders are never compared.
    pub model: String,
    /// The vector, of length 1.
    pub values: Vec<f32>,
}

impl QueryVector {
    /// Returns the vector of the lexical embedder, which needs no download.
    pub fn lexical(text: &str) -> Self {
        Self { model: LexicalEmbedder::NAME.into(), values: LexicalEmbedder::new().vector(text) }
    }

    /// Returns the embedding of a question by `embedder`.
    pub async fn of(embedder: &dyn Embedder, question: &str) -> Result<Self, qingyu_llm::Error> {
        let values = vector::normalised(embedder.embed_question(question).await?);
        Ok(Self { model: embedder.name().to_owned(), values })
    }
}

impl Query {
    /// Returns a query for the ten best hits for `text`, by keywords and the lexical embedder.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            filter: None,
            before: None,
            told: Vec::new(),
            limit: 10,
            vector: Some(QueryVector::lexical(text)),
            near: None,
            fusion: Fusion::default(),
            focus: None,
            variety: 0.0,
        }
    }

    /// Returns the filter combined with the point of writing; `None` if everything may be found.
    pub fn condition(&self) -> Option<Filter> {
        let later = |chapter: u32| vec![Filter::is("chapter", FieldComparison::AtLeast, chapter), plan_of_many()];
        let before = self.before.map(|chapter| Filter::Not(Box::new(Filter::Or(later(chapter)))));
        let before = before.map(|before| match self.told.is_empty() {
            true => before,
            false => Filter::Or(vec![before, events(&self.told)]),
        });
        match (self.filter.clone(), before) {
            (Some(filter), Some(before)) => Some(Filter::And(vec![before, filter])),
            (filter, before) => filter.or(before),
        }
    }

    /// Returns the fusion, with lexical vectors at half their weight.
    pub fn weighed(&self) -> Fusion {
        let is_lexical = self.vector.as_ref().is_some_and(|vector| vector.model.starts_with(LexicalEmbedder::NAME));
        let vector = if is_lexical { LEXICAL * self.fusion.vector } else { self.fusion.vector };
        Fusion { vector, ..self.fusion }
    }

    /// Returns the number of results per side that an engine must fetch.
    pub fn depth(&self) -> usize {
        self.fusion.depth.max(self.limit)
    }

    /// Returns the number of fused rows for [`finish`].
    pub fn pool(&self) -> usize {
        if self.focus.is_none() && self.variety <= 0.0 { self.limit } else { self.limit.max(POOL) }
    }
}

/// A book of a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesBook {
    /// The project.
    pub project: String,
    /// The title.
    pub title: String,
}

/// What was found, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// The chunk.
    pub chunk: Chunk,
    /// How well it fits; comparable within one search only.
    pub score: f64,
    /// What keywords say, if they found it.
    pub keyword: Option<Side>,
    /// What vectors say, if they found it.
    pub vector: Option<Side>,
    /// What the graph says, if the [question](crate::recall) led to it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<Way>,
    /// By how much the score was multiplied for where somebody is writing; 1 if nobody is.
    pub emphasis: f64,
    /// Words in it that speak to a model instead of telling of the story; such a text is still only a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspicious: Option<String>,
    /// The earlier book of the series that it is from; none for the searched book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<SeriesBook>,
}

/// Returns the vector side of a search, from rows that are best first by their codes: the first `deep` in full
/// precision, then the others unchanged, whose ranks hardly count.
pub fn rescored(
    query: &[f32],
    mut near: Vec<ScoredRow>,
    deep: usize,
    vector_of: impl FnMut(u32) -> Option<Vec<f32>>,
) -> Vec<ScoredRow> {
    let others = near.split_off(near.len().min(deep));
    let mut rescored = vector::rescore(query, &near, vector_of);
    rescored.extend(others);
    rescored
}

/// Returns the hits of a query from the [pool](Query::pool) of fused rows, best first, with emphasis and variety.
pub fn finish(query: &Query, pool: Vec<(Fused, Chunk)>) -> Vec<Hit> {
    let hit = |(fused, chunk): (Fused, Chunk)| {
        let emphasis = query.focus.as_ref().map_or(1.0, |focus| fusion::emphasis(focus, &chunk));
        let Fused { score, keyword, vector, .. } = fused;
        let suspicious = injection::suspicious(&chunk.text).map(str::to_owned);
        Hit { chunk, score: score * emphasis, keyword, vector, way: None, emphasis, suspicious, book: None }
    };
    let mut hits: Vec<Hit> = pool.into_iter().map(hit).collect();
    // Stable, so that equal scores keep the order of the rows.
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    if query.variety > 0.0 {
        let terms_of = |hit: &Hit| (hit.score, terms(&hit.chunk.text).into_iter().collect::<BTreeSet<_>>());
        let items: Vec<_> = hits.iter().map(terms_of).collect();
        let order = fusion::diverse(&items, query.variety.min(1.0), query.limit);
        let mut hits: Vec<Option<Hit>> = hits.into_iter().map(Some).collect();
        return order.into_iter().filter_map(|at| hits[at].take()).collect();
    }
    hits.truncate(query.limit);
    hits
}

/// An in-memory index of chunks, with lexical vectors; rebuilt after changes.
#[derive(Debug, Clone)]
pub struct MemoryIndex {
    chunks: Vec<Chunk>,
    keywords: KeywordIndex,
    models: BTreeMap<String, ModelVectors>,
}

/// The vectors of one embedder, by row.
#[derive(Debug, Clone)]
struct ModelVectors {
    vectors: Vec<Option<Vec<f32>>>,
    codes: CodeTable,
}

impl MemoryIndex {
    /// Indexes `chunks`; of equal scores the earlier chunk comes first.
    pub fn new(mut chunks: Vec<Chunk>) -> Self {
        chunks.sort_by(|a, b| (&a.source, a.part).cmp(&(&b.source, b.part)));
        let keywords = KeywordIndex::new(chunks.iter().map(|chunk| chunk.text.as_str()));
        let embedder = LexicalEmbedder::new();
        let vectors = chunks.iter().map(|chunk| Some(embedder.vector(&chunk.embedded()))).collect();
        let mut index = Self { chunks, keywords, models: BTreeMap::new() };
        index.put_vectors(LexicalEmbedder::NAME, vectors);
        index
    }

    /// Inserts the vectors of another model, of length 1, for the chunks by source and part; `None` for chunks without
    /// a vector.
    pub fn put_vectors(&mut self, model: &str, vectors: Vec<Option<Vec<f32>>>) {
        let dimensions = vectors.iter().flatten().next().map_or(0, Vec::len);
        let mut codes = CodeTable::new(dimensions);
        for vector in &vectors {
            let encoded = vector.as_deref().map(vector::encode);
            codes.push(encoded.as_ref().map(|one| one.codes.as_slice()), encoded.as_ref().map_or(0.0, |one| one.scale));
        }
        self.models.insert(model.to_owned(), ModelVectors { vectors, codes });
    }

    /// Returns the best hits for `query`, best first.
    pub fn search(&self, query: &Query) -> Vec<Hit> {
        let allowed: Option<Vec<u32>> = query.condition().map(|filter| {
            let rows = (0..).zip(&self.chunks);
            rows.filter(|(_, chunk)| filter.fits(&chunk.fields)).map(|(row, _)| row).collect()
        });
        let is_allowed = |row: u32| allowed.as_ref().is_none_or(|rows| rows.binary_search(&row).is_ok());
        let keyword = self.keywords.search_among(&query.text, query.depth(), is_allowed);
        let of_model = |vector: &QueryVector| Some((vector.values.clone(), self.models.get(&vector.model)?));
        let near = match &query.near {
            Some(found) => found.iter().filter_map(|near| self.row_of(near)).collect(),
            None => query.vector.as_ref().and_then(of_model).map_or_else(Vec::new, |(values, model)| {
                let near = model.codes.scan(&values, allowed.as_deref(), query.depth().max(RESCORED));
                rescored(&values, near, RESCORED, |row| model.vectors.get(row as usize).cloned().flatten())
            }),
        };
        let fused = fusion::fuse(&query.weighed(), keyword, &near);
        let with_chunk = |fused: Fused| {
            let chunk = self.chunks[fused.row as usize].clone();
            (fused, chunk)
        };
        finish(query, fused.into_iter().take(query.pool()).map(with_chunk).collect())
    }

    fn row_of(&self, near: &Neighbour) -> Option<ScoredRow> {
        let key = (&near.source, near.part);
        let row = self.chunks.binary_search_by(|chunk| (&chunk.source, chunk.part).cmp(&key)).ok()?;
        Some(ScoredRow { row: u32::try_from(row).ok()?, score: near.score })
    }
}

/// Returns the filter for the events with the ids.
fn events(ids: &[String]) -> Filter {
    let ids = ids.iter().map(|id| id.as_str().into()).collect();
    Filter::And(vec![
        Filter::is("doc_type", FieldComparison::Equal, qingyu_story::PieceKind::Event.name()),
        Filter::In { field: "id".into(), values: ids },
    ])
}

/// Returns the filter for outline nodes above the chapters.
fn plan_of_many() -> Filter {
    let kinds = ["book", "act", "arc"].map(Into::into).to_vec();
    Filter::And(vec![
        Filter::is("doc_type", FieldComparison::Equal, "outline_node"),
        Filter::In { field: "kind".into(), values: kinds },
    ])
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, Document, OutlineNode, OutlineNodeKind, Story};

    use super::*;
    use crate::chunk;

    fn index() -> MemoryIndex {
        let document = |id: &str, order: u32, text: &str| Document {
            id: id.into(),
            title: format!("第{order}章"),
            order,
            version: 1,
            text: text.into(),
            ..Document::default()
        };
        let card = |id: &str, name: &str, traits: &[&str]| Character {
            id: id.into(),
            name: name.into(),
            traits: traits.iter().map(|word| (*word).into()).collect(),
            ..Character::default()
        };
        MemoryIndex::new(chunk::of(&Story {
            characters: vec![card("c-1", "林深", &["谨慎"]), card("c-2", "苏曼", &["勇敢"])],
            documents: vec![
                document("d-1", 1, "林深在旧港捡到芯片。"),
                document("d-2", 2, "苏曼把芯片还给林深。"),
                document("d-3", 30, "林深毁掉芯片。"),
            ],
            ..Story::default()
        }))
    }

    fn found(query: &Query) -> String {
        index().search(query).iter().map(|hit| hit.chunk.source.id.clone()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn conditions_hold_before_anything_is_scored() {
        let query = Query::new("芯片");
        assert_eq!(found(&Query { limit: 2, ..query.clone() }).split(' ').count(), 2);
        let filter = |condition: &str| Some(Filter::parse(condition).unwrap());
        assert_eq!(found(&Query { filter: filter("doc_type = document"), limit: 9, ..query.clone() }).len(), 11);
        assert_eq!(found(&Query { filter: filter("participants = 苏曼"), ..query.clone() }), "d-2");
        assert_eq!(found(&Query { filter: filter("traits contains 勇敢"), ..Query::new("苏曼") }), "c-2");
        let before = Query { before: Some(3), ..Query::new("林深的芯片") };
        assert!(!found(&before).contains("d-3"));
        assert!(found(&before).contains("c-1"), "cards have no chapter");
    }

    #[test]
    fn the_plan_of_many_chapters_is_not_known_before_one_of_them() {
        let node = |id: &str, kind: OutlineNodeKind, order: u32| OutlineNode {
            id: id.into(),
            name: format!("{id} 芯片"),
            kind,
            order,
            description: "林深毁掉芯片。".into(),
            ..OutlineNode::default()
        };
        let outline_nodes = vec![
            node("o-1", OutlineNodeKind::Book, 1),
            node("o-2", OutlineNodeKind::Act, 2),
            node("o-3", OutlineNodeKind::Arc, 3),
            node("o-4", OutlineNodeKind::Chapter, 4),
            node("o-5", OutlineNodeKind::Scene, 5),
            node("o-6", OutlineNodeKind::Chapter, 6),
        ];
        let index = MemoryIndex::new(chunk::of(&Story { outline_nodes, ..Story::default() }));
        let found = |before: Option<u32>| {
            let hits = index.search(&Query { before, ..Query::new("芯片") });
            let mut ids: Vec<String> = hits.iter().map(|hit| hit.chunk.source.id.clone()).collect();
            ids.sort();
            ids.join(" ")
        };
        assert_eq!(found(None), "o-1 o-2 o-3 o-4 o-5 o-6");
        assert_eq!(found(Some(2)), "o-4 o-5");
    }

    #[test]
    fn a_hit_says_why() {
        let hit = &index().search(&Query::new("旧港的芯片"))[0];
        assert_eq!(hit.chunk.source.id, "d-1");
        let terms = |side: &Side| side.terms.iter().map(|term| term.term.clone()).collect::<Vec<_>>().join(" ");
        assert_eq!(hit.keyword.as_ref().map(terms).as_deref(), Some("旧港 芯片"));
        assert_eq!(hit.keyword.as_ref().map(|side| side.rank), Some(1));
        assert!(hit.vector.as_ref().is_some_and(|side| side.rank == 1 && side.score > 0.3));
        assert_eq!(hit.score, 1.5 / 61.0);
    }

    #[test]
    fn another_model_is_not_compared() {
        let vector = Some(QueryVector { model: "other".into(), ..QueryVector::lexical("芯片") });
        assert!(index().search(&Query { vector, ..Query::new("芯片") }).iter().all(|hit| hit.vector.is_none()));
    }

    #[test]
    fn neighbours_of_a_vector_engine_replace_the_comparison() {
        let near = |id: &str| Neighbour {
            source: Source { kind: qingyu_story::PieceKind::Document, id: id.into() },
            part: 0,
            score: 0.5,
        };
        let query = Query { near: Some(vec![near("d-3"), near("gone")]), ..Query::new("灯塔") };
        let hits = index().search(&query);
        assert_eq!(hits.iter().map(|hit| hit.chunk.source.id.as_str()).collect::<Vec<_>>(), ["d-3"]);
        assert_eq!(hits[0].vector.as_ref().map(|side| (side.rank, side.score)), Some((1, 0.5)));
    }

    #[test]
    fn the_point_of_writing_changes_the_order() {
        let focus = Some(WritingFocus { chapter: 31, participants: vec!["林深".into()] });
        let query = Query {
            filter: Some(Filter::is("doc_type", FieldComparison::Equal, "document")),
            focus,
            ..Query::new("芯片")
        };
        assert!(found(&query).starts_with("d-3"));
    }
}
