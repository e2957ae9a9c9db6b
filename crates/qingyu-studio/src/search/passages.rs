//! Search in a project.
//!
//! Rules parse the words first: names and roles by dictionary, common shapes as a pattern over the story's graph.
//! Answers of the graph and search hits are merged into a single ranking.

use qingyu_agents::context::{AnswerContext, ShownPassage};
use qingyu_knowledge::chunk::FIELDS;
use qingyu_knowledge::recall::QuestionAnalysis;
use qingyu_knowledge::{Filter, Hit, Query};
use qingyu_story::bounded::at_most;
use qingyu_story::chapters::ChapterName;
use qingyu_story::{Language, PieceKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engines::report::{self, EngineUse};
use crate::error::{Error, Noun};
use crate::search::embedding::EmbeddingProgress;
use crate::search::index::{FoundHits, ProjectIndex, brief, verify};
use crate::search::known;
use crate::search::notes::noted;
use crate::search::series::{SeriesQuestion, merged, titled};
use crate::studio::Studio;

/// The number of hits reranked by a model.
const RERANKED: usize = 20;

/// A search in a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The words, or a question.
    pub text: String,
    /// The kinds of pieces, such as `character`; `chapter` means prose and outline. All kinds by default.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// A condition on the metadata, in words or as JSON: `role_type = protagonist and traits contains brave`, or
    /// `{"role_type": "protagonist", "traits": {"$contains": "brave"}}`.
    #[serde(default, deserialize_with = "text_or_object")]
    #[schemars(with = "Option<ConditionForm>")]
    pub condition: Option<String>,
    /// Restricts the search to content before the chapter.
    pub before: Option<ChapterName>,
    /// Optimizes the search for writing the chapter: restricts to earlier content, and prefers recent content, the
    /// chapter's cast, and open promises.
    pub at: Option<ChapterName>,
    /// The maximum number of hits; 10 by default.
    #[serde(default = "ten", deserialize_with = "at_most::<1_000, _, _>")]
    #[schemars(range(max = 1_000))]
    pub limit: usize,
    /// Whether a model reranks the hits.
    #[serde(default)]
    pub rerank: bool,
    /// Whether the earlier books of the series and the canon are searched too, each hit with its book. Before a chapter, the
    /// earlier books are past as a whole, canon only with a stretch of time to the book.
    #[serde(default)]
    pub series: bool,
}

/// The forms of a condition in a request.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum ConditionForm {
    /// In words, or JSON as text.
    Text(String),
    /// A JSON object.
    Object(serde_json::Map<String, serde_json::Value>),
}

/// Reads a condition in either form as text.
fn text_or_object<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let given = Option::<ConditionForm>::deserialize(deserializer)?;
    Ok(given.map(|given| match given {
        ConditionForm::Text(text) => text,
        ConditionForm::Object(fields) => serde_json::Value::Object(fields).to_string(),
    }))
}

const fn ten() -> usize {
    10
}

impl SearchRequest {
    /// Returns a request for the ten best hits.
    pub fn new(text: &str) -> Self {
        let (kinds, condition, before, at) = (Vec::new(), None, None, None);
        Self { text: text.into(), kinds, condition, before, at, limit: ten(), rerank: false, series: false }
    }
}

/// The results of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchResults {
    /// The searched words.
    pub text: String,
    /// The pieces named by the words.
    pub names: Vec<String>,
    /// The question as a pattern, if parsed by rules.
    pub pattern: Option<String>,
    /// The embedder of the compared vectors.
    pub vectors: String,
    /// The progress of the configured embedder, if incomplete.
    pub embedding: Option<EmbeddingProgress>,
    /// The reranking model, if any.
    pub reranked: Option<String>,
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// The servers of a team, and whether each was used; empty without servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineUse>,
}

impl Studio {
    /// Searches a project, named as for [`show`](Self::show).
    ///
    /// Returns [`Error::QuestionEmpty`], [`Error::QuestionTooLong`], [`Error::BadCondition`], or
    /// [`Error::Unknown`] for an unknown kind or field.
    pub async fn search(&self, project: &str, request: &SearchRequest) -> Result<SearchResults, Error> {
        verify(&request.text)?;
        let library = self.library(project).await?;
        let (before, at) = (library.place(request.before.as_ref())?, library.place(request.at.as_ref())?);
        let before = before.into_iter().chain(at).min();
        let understood = QuestionAnalysis::of(&request.text, &library.graph);
        let vectors = self.vectors(&library.project).await?;
        let limit = if request.rerank { request.limit.max(RERANKED) } else { request.limit };
        let query = Query {
            text: understood.words.clone(),
            vector: vectors.of(&request.text).await?,
            filter: filter(&request.kinds, request.condition.as_deref())?,
            before,
            told: before.map(|place| known::told_ahead(&library.story, place)).unwrap_or_default(),
            focus: at.map(|chapter| library.focus(chapter)),
            // Hits that later chapters tell are removed below.
            limit: if before.is_some() { limit.saturating_mul(2) } else { limit },
            ..Query::new("")
        };
        let pattern = understood.reading.query.as_ref();
        let mut found = self.find_hits(&library, &vectors, &query, pattern, understood.reading.rank.as_ref()).await?;
        if let Some(place) = before {
            found.hits = known::told_before(found.hits, &library.story, place);
            found.hits.truncate(limit);
        }
        if request.series {
            let mut asked = SeriesQuestion::new(&request.text, "", &query);
            let mut lists = vec![found.hits];
            for earlier in self.earlier_indexes(&library.project, query.before.is_some()).await? {
                let FoundHits { hits, engines } = self.hits_in(&earlier, &mut asked).await?;
                lists.push(hits);
                report::add_all(&mut found.engines, engines);
            }
            found.hits = merged(lists, limit);
        }
        let mut searched = SearchResults {
            text: request.text.clone(),
            names: understood.named.iter().map(|node| library.graph[*node].name.clone()).collect(),
            pattern: pattern.map(ToString::to_string),
            vectors: vectors.embedder.name().to_owned(),
            embedding: vectors.behind,
            reranked: None,
            hits: found.hits,
            engines: found.engines,
        };
        if request.rerank {
            self.rerank(&library, &mut searched).await?;
            searched.hits.truncate(request.limit);
        }
        Ok(searched)
    }

    async fn rerank(&self, library: &ProjectIndex, searched: &mut SearchResults) -> Result<(), Error> {
        let (assistant, books) = self.assistant(&library.project).await?;
        let numbered = (1..).zip(&searched.hits);
        let language = Language::of(&searched.text);
        let passages = numbered.map(|(number, hit)| {
            let shown = ShownPassage {
                number,
                heading: titled(&hit.chunk.heading, hit.book.as_ref(), language),
                text: hit.chunk.text.clone(),
                ..ShownPassage::default()
            };
            // The story of this book has no notes on passages of earlier books.
            if hit.book.is_some() { shown } else { noted(shown, &hit.chunk.source, &library.story) }
        });
        let answering = AnswerContext {
            question: searched.text.clone(),
            language,
            passages: passages.collect(),
            ..AnswerContext::default()
        };
        let ordered = assistant.rerank(&answering).await;
        books.close(assistant).await;
        let ordered = ordered.map_err(|error| self.failed(&error))?;
        let mut hits: Vec<Option<Hit>> = std::mem::take(&mut searched.hits).into_iter().map(Some).collect();
        searched.hits = ordered.value.order.iter().filter_map(|number| hits.get_mut(number - 1)?.take()).collect();
        searched.reranked = Some(ordered.reply.model);
        Ok(())
    }
}

/// Parses the kinds and the metadata condition into a single filter.
fn filter(kinds: &[String], condition: Option<&str>) -> Result<Option<Filter>, Error> {
    let mut all = Vec::new();
    if !kinds.is_empty() {
        let mut names = Vec::new();
        for given in kinds {
            match given.trim() {
                "chapter" | "chapters" => names.extend([PieceKind::Document.name(), PieceKind::OutlineNode.name()]),
                other => {
                    let kind = PieceKind::parse(other).ok_or_else(|| Error::unknown(Noun::PieceKind, given))?;
                    names.push(kind.name());
                }
            }
        }
        all.push(Filter::In { field: "doc_type".into(), values: names.into_iter().map(Into::into).collect() });
    }
    if let Some(condition) = condition {
        let bad = |error: qingyu_knowledge::filter::FilterParseError| Error::BadCondition {
            condition: brief(condition),
            message: error.to_string(),
        };
        let tested = Filter::parse(condition).map_err(bad)?;
        if let Some(unknown) = tested.fields().into_iter().find(|field| !FIELDS.contains(field)) {
            let known = FIELDS.map(str::to_owned).to_vec();
            return Err(Error::Unknown { what: Noun::SearchField, given: brief(unknown), known });
        }
        all.push(tested);
    }
    Ok((!all.is_empty()).then_some(Filter::And(all)))
}
