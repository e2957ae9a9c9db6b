//! A project is searched, asked, and drawn as a graph.
//!
//! A question is understood by rules first: names and roles by dictionary, the common shapes as a pattern over the story's
//! graph. What the graph answers and what search finds make one ranking. Only to [`ask`](Studio::ask) a model is needed,
//! and the offline model serves there too.

use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_agents::assistant::Assistant;
use qingyu_agents::context::{Answering, Shown, Understanding};
use qingyu_agents::output::{QuestionReading, Quoted};
use qingyu_knowledge::chunk::Chunker;
use qingyu_knowledge::embed::LexicalEmbedder;
use qingyu_knowledge::graph::{Choice, Drawing, Holding, NodeId, vocabulary};
use qingyu_knowledge::passage::{self, Passage};
use qingyu_knowledge::pattern::{Instant, Limits, Query as Pattern, When};
use qingyu_knowledge::question::Rank;
use qingyu_knowledge::recall::{self, Answer, Tied, Understood};
use qingyu_knowledge::{Chunk, Filter, Focus, Fusion, Hit, Query, QueryVector, StoryGraph};
use qingyu_llm::stack::{Budget, Ledger, Stack};
use qingyu_llm::{Embedder, Models, Prices, Usage, estimate};
use qingyu_story::bounded::at_most;
use qingyu_story::chapters::{ChapterName, Chapters};
use qingyu_story::{Language, PieceKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{ChargeSender, Charges, Pricing};
use crate::embedding::Embedded;
use crate::spending::Books;
use crate::work::Setup;
use crate::{Error, Studio, embedder_of, failures};

/// The most characters of a question.
const LONGEST: usize = 4_000;
/// The most characters of a condition or pattern that an error repeats.
const REPEATED: usize = 120;
/// How many hits a model puts in order.
const RERANKED: usize = 20;
/// How many hits are looked at for an answer.
const HITS: usize = 24;
/// What the passages may cost that a model is shown.
const BUDGET: u64 = 6_000;
/// How many names a model is told.
const NAMES: usize = 300;

/// What is searched for in a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The words, or a question.
    pub text: String,
    /// Kinds of pieces, such as `character`; `chapter` means prose and outline. All if empty.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// A condition on the metadata.
    pub condition: Option<String>,
    /// Only what is told before this chapter.
    pub before: Option<ChapterName>,
    /// For whoever writes this chapter: only what is told before it, and rather what is recent, has its cast, or is a
    /// promise that waits.
    pub at: Option<ChapterName>,
    /// How many hits at most; ten if nothing is said.
    #[serde(default = "ten", deserialize_with = "at_most::<1_000, _, _>")]
    #[schemars(range(max = 1_000))]
    pub limit: usize,
    /// Whether a model puts the hits in order.
    #[serde(default)]
    pub rerank: bool,
}

const fn ten() -> usize {
    10
}

impl SearchRequest {
    /// The ten best for `text`.
    pub fn new(text: &str) -> Self {
        let (kinds, condition, before, at) = (Vec::new(), None, None, None);
        Self { text: text.into(), kinds, condition, before, at, limit: ten(), rerank: false }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Searched {
    /// What was searched for.
    pub text: String,
    /// The pieces that it names.
    pub names: Vec<String>,
    /// The question as a pattern, if the rules could read it as one.
    pub pattern: Option<String>,
    /// What made the vectors that were compared.
    pub vectors: String,
    /// How far the embedder of the settings has come, if its vectors are not whole yet.
    pub embedding: Option<Embedded>,
    /// The model that put the hits in order, if one did.
    pub reranked: Option<String>,
    /// The hits, best first.
    pub hits: Vec<Hit>,
}

/// What is asked about a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    /// The question.
    pub question: String,
    /// Only what is told before this chapter.
    pub before: Option<ChapterName>,
    /// What the passages may cost, in tokens; 6,000 if left out.
    #[serde(default, deserialize_with = "at_most::<1_000_000, _, _>")]
    #[schemars(range(max = 1_000_000))]
    pub budget: Option<u64>,
}

/// An answer with its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// What was asked.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// Whether the material holds it.
    pub holds: bool,
    /// What it rests on: numbers of passages, and sentences that they hold.
    pub citations: Vec<Quoted>,
    /// The passages that were looked at, with where they stand. They are data, whatever they say.
    pub passages: Vec<Passage>,
    /// What the graph says of each passage, in their order.
    pub ties: Vec<Vec<Tied>>,
    /// How many passages did not fit the budget.
    pub left_out: usize,
    /// The question as a pattern over the graph.
    pub pattern: Option<String>,
    /// Whether a model read the pattern; otherwise the rules did.
    pub read_by_model: bool,
    /// The quality by which the answers are ranked, if the most or least of one is asked for.
    pub rank: Option<Rank>,
    /// Who answered.
    pub model: String,
    /// What it took.
    pub usage: Usage,
}

/// What is drawn of a story's graph.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GraphRequest {
    /// As of when: `chapter:30`, an event, a time in the story's words. At any time if left out.
    pub as_of: Option<String>,
    /// Only what this pattern finds.
    pub pattern: Option<String>,
    /// The most nodes that are drawn; 40 if left out.
    pub most: Option<usize>,
}

/// A story's graph, or what a pattern finds in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphView {
    /// Nodes and edges with their sources, or columns and rows of a pattern.
    pub graph: Value,
    /// The same as a drawing.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub drawing: Drawing,
}

/// What makes the vectors of questions.
struct Vectors {
    embedder: Arc<dyn Embedder>,
    /// How far the embedder of the settings has come, if another serves until it is whole.
    behind: Option<Embedded>,
}

impl Vectors {
    async fn of(&self, question: &str) -> Result<Option<QueryVector>, Error> {
        let vector = QueryVector::of(&*self.embedder, question).await;
        vector.map(Some).map_err(|error| failures::model(&error))
    }
}

/// The story of a project, ready to be asked.
struct Library {
    project: String,
    story: Story,
    graph: StoryGraph,
}

impl Library {
    /// The text of a node's piece, if it has one that fits.
    fn text_of(&self, chunker: &Chunker, graph: &StoryGraph, node: NodeId, filter: Option<&Filter>) -> Option<Chunk> {
        let (kind, id) = recall::piece_of(graph, node)?;
        let piece = self.story.pieces_of(kind).find(|piece| piece.id() == id)?;
        let chunk = chunker.chunks(id, &piece).into_iter().next()?;
        filter.is_none_or(|filter| filter.fits(&chunk.fields)).then_some(chunk)
    }

    /// The place of the chapter in the book.
    fn place(&self, name: Option<&ChapterName>) -> Result<Option<u32>, Error> {
        let Some(name) = name else { return Ok(None) };
        let chapters = Chapters::of(&self.story);
        match chapters.resolve(name.as_str()) {
            Ok(chapter) => Ok(Some(chapter.place)),
            Err(error) => {
                // Before a chapter that is still to come all has been told.
                let last = chapters.all().iter().filter_map(|chapter| chapter.number).max().unwrap_or(0);
                let is_to_come = name.as_str().parse().is_ok_and(|number: u32| number > last);
                let next = u32::try_from(chapters.all().len()).unwrap_or(u32::MAX).saturating_add(1);
                if is_to_come { Ok(Some(next)) } else { Err(error.into()) }
            }
        }
    }

    /// Where whoever writes that chapter stands: the chapter, and who is to appear in it.
    fn focus(&self, chapter: u32) -> Focus {
        let chunker = Chunker::new(&self.story);
        let nodes = self.story.pieces_of(PieceKind::OutlineNode);
        let chunks = nodes.flat_map(|node| chunker.chunks(node.id(), &node));
        let of_chapter = chunks.filter(|chunk| chunk.numbers_of("chapter").any(|number| number == f64::from(chapter)));
        let cast: BTreeSet<String> = of_chapter
            .flat_map(|chunk| chunk.texts_of("participants").map(str::to_owned).collect::<Vec<_>>())
            .collect();
        Focus { chapter, participants: cast.into_iter().collect() }
    }

    /// What a pattern finds among what `query` allows.
    fn answers(&self, pattern: &Pattern, query: &Query) -> Result<Vec<Answer>, Error> {
        let (chunker, filter) = (Chunker::new(&self.story), query.condition());
        let text = |graph: &StoryGraph, node| self.text_of(&chunker, graph, node, filter.as_ref());
        recall::ask(pattern, &self.graph, text).map_err(|error| bad_pattern(&pattern.to_string(), &error))
    }
}

fn bad_pattern(pattern: &str, error: &qingyu_knowledge::pattern::Error) -> Error {
    Error::BadPattern { pattern: brief(pattern), marked: error.marked(pattern), message: error.to_string() }
}

impl Studio {
    /// Searches a project, named as for [`show`](Self::show).
    ///
    /// Fails with [`Error::QuestionEmpty`], [`Error::QuestionTooLong`], [`Error::UnknownKind`] or [`Error::BadCondition`] if the request says what cannot be.
    pub async fn search(&self, project: &str, request: &SearchRequest) -> Result<Searched, Error> {
        verify(&request.text)?;
        let library = self.library(project).await?;
        let (before, at) = (library.place(request.before.as_ref())?, library.place(request.at.as_ref())?);
        let understood = Understood::of(&request.text, &library.graph);
        let vectors = self.vectors(&library.project).await?;
        let query = Query {
            text: understood.words.clone(),
            vector: vectors.of(&request.text).await?,
            filter: filter(&request.kinds, request.condition.as_deref())?,
            before: before.into_iter().chain(at).min(),
            focus: at.map(|chapter| library.focus(chapter)),
            limit: if request.rerank { request.limit.max(RERANKED) } else { request.limit },
            ..Query::new("")
        };
        let pattern = understood.reading.query.as_ref();
        let hits = self.find(&library, &vectors, &query, pattern, understood.reading.rank.as_ref()).await?;
        let mut searched = Searched {
            text: request.text.clone(),
            names: understood.named.iter().map(|node| library.graph[*node].name.clone()).collect(),
            pattern: pattern.map(ToString::to_string),
            vectors: vectors.embedder.name().to_owned(),
            embedding: vectors.behind,
            reranked: None,
            hits,
        };
        if request.rerank {
            self.rerank(&library, &mut searched).await?;
            searched.hits.truncate(request.limit);
        }
        Ok(searched)
    }

    /// Answers a question about a project from its material, with sources.
    ///
    /// The rules read the question; what they cannot read, the model of the role `assistant` reads. Fails as
    /// [`create`](Self::create) does if the model cannot serve.
    pub async fn ask(&self, project: &str, request: &AskRequest) -> Result<Answered, Error> {
        verify(&request.question)?;
        let library = self.library(project).await?;
        let (assistant, books) = self.assistant(&library.project).await?;
        let answered = self.answer_question(&library, &assistant, request).await;
        books.close(assistant).await;
        answered
    }

    async fn answer_question(
        &self,
        library: &Library,
        assistant: &Assistant,
        request: &AskRequest,
    ) -> Result<Answered, Error> {
        let language = Language::of(&request.question);
        let mut understood = Understood::of(&request.question, &library.graph);
        let (mut usage, mut read_by_model) = (Usage::default(), false);
        if understood.reading.query.is_none() {
            let asked = understanding(request, language, &understood, &library.graph);
            let read = assistant.understand(&asked, &library.graph).await.map_err(|error| self.failed(&error))?;
            usage += read.usage;
            read_by_model = take(&mut understood, read.value);
        }
        let vectors = self.vectors(&library.project).await?;
        let query = Query {
            text: understood.words.clone(),
            vector: vectors.of(&request.question).await?,
            before: library.place(request.before.as_ref())?,
            limit: HITS,
            variety: 0.2,
            ..Query::new("")
        };
        let (pattern, rank) = (understood.reading.query.as_ref(), understood.reading.rank.clone());
        let hits = self.find(library, &vectors, &query, pattern, rank.as_ref()).await?;
        let (passages, left_out) = passage::within(&hits, request.budget.unwrap_or(BUDGET), estimate::tokens);
        let shown: Vec<Shown> = passages.iter().map(|passage| shown(passage, &hits, language)).collect();
        let answering = Answering {
            question: request.question.clone(),
            language,
            passages: shown,
            pattern: pattern.map(ToString::to_string),
            rank: rank.clone(),
        };
        let answered = assistant.answer(&answering).await.map_err(|error| self.failed(&error))?;
        usage += answered.usage;
        Ok(Answered {
            question: request.question.clone(),
            answer: answered.value.answer,
            holds: answered.value.holds,
            citations: answered.value.citations,
            ties: passages.iter().map(|passage| ties_of(passage, &hits)).collect(),
            passages,
            left_out,
            pattern: pattern.map(ToString::to_string),
            read_by_model,
            rank,
            model: answered.reply.model,
            usage,
        })
    }

    /// The graph of a project's story.
    ///
    /// Fails with [`Error::BadPattern`] if the time or the pattern cannot be read, or names what the story does not have.
    pub async fn story_graph(&self, project: &str, request: &GraphRequest) -> Result<GraphView, Error> {
        let Library { graph, .. } = self.library(project).await?;
        let when = request.as_of.as_deref().map_or(When::Ever, |time| When::AsOf(Instant::parse(time)));
        let bad_time = |error| bad_pattern(request.as_of.as_deref().unwrap_or_default(), &error);
        let most = request.most.unwrap_or(Choice::default().most);
        let Some(pattern) = &request.pattern else {
            let holding = Holding::new(&graph, when.span(&graph).map_err(bad_time)?);
            let drawing = graph.drawing(&holding, &Choice { most, ..Choice::default() });
            return Ok(GraphView { graph: graph.to_json(&holding), drawing });
        };
        let mut query = Pattern::parse(pattern).map_err(|error| bad_pattern(pattern, &error))?;
        if !when.is_ever() {
            query.when = when;
        }
        let found = query.run(&graph, Limits::default()).map_err(|error| bad_pattern(pattern, &error))?;
        let (nodes, edges) = found.parts();
        Ok(GraphView { graph: found.to_json(&graph), drawing: graph.drawing_of(&nodes, &edges, most) })
    }

    fn failed(&self, error: &qingyu_agents::Error) -> Error {
        let message = error.to_string();
        self.place("").known(error).unwrap_or(Error::Internal { message })
    }

    async fn library(&self, project: &str) -> Result<Library, Error> {
        let (project, kept) = self.kept_story(project).await?;
        let graph = StoryGraph::of(&kept.story);
        Ok(Library { project, story: kept.story, graph })
    }

    /// The assistant, and where its calls are booked.
    async fn assistant(&self, project: &str) -> Result<(Assistant, Books), Error> {
        let effective = self.settings().effective(Some(project))?;
        let Setup { models, prompts, answer_tokens, pricing, charges, .. } = self.set_up(&effective, None).await?;
        let (models, charges) = match self.given_models() {
            Some(_) => counted(&models, &pricing),
            None => (models, charges),
        };
        let books = Books::open(self.runs_table().clone(), project.to_owned(), pricing, charges);
        Ok((Assistant { models, prompts, answer_tokens }, books))
    }

    /// What makes the vectors of questions to a project: the embedder in use if all passages have its vectors.
    async fn vectors(&self, project: &str) -> Result<Vectors, Error> {
        let embedder = embedder_of(self.settings(), Some(project))?;
        if embedder.name() == LexicalEmbedder::NAME {
            return Ok(Vectors { embedder, behind: None });
        }
        if self.is_whole(&*embedder, project).await? == Some(true) {
            return Ok(Vectors { embedder, behind: None });
        }
        let embedded = self.embedded_by(project, &*embedder).await?;
        Ok(match embedded.is_whole() {
            true => Vectors { embedder, behind: None },
            false => Vectors { embedder: Arc::new(LexicalEmbedder::new()), behind: Some(embedded) },
        })
    }

    /// What search finds, joined with what the graph answers.
    async fn find(
        &self,
        library: &Library,
        vectors: &Vectors,
        query: &Query,
        pattern: Option<&Pattern>,
        rank: Option<&Rank>,
    ) -> Result<Vec<Hit>, Error> {
        let bad = |error| self.place("").store(error);
        let table = self.search_table();
        let hits = table.search(&library.project, query.clone()).await.map_err(bad)?;
        let Some(pattern) = pattern else { return Ok(hits) };
        let mut answers = library.answers(pattern, query)?;
        if let Some(rank) = rank.filter(|_| !answers.is_empty()) {
            let inside = recall::inside(rank, &answers, query);
            let inside = Query { vector: vectors.of(&inside.text).await?, ..inside };
            let near = table.search(&library.project, inside).await.map_err(bad)?;
            recall::by_quality(rank, &mut answers, &near);
        }
        Ok(recall::join(hits, answers, &Fusion::default(), query.limit))
    }

    async fn rerank(&self, library: &Library, searched: &mut Searched) -> Result<(), Error> {
        let (assistant, books) = self.assistant(&library.project).await?;
        let numbered = (1..).zip(&searched.hits);
        let passages = numbered.map(|(number, hit)| Shown {
            number,
            heading: hit.chunk.heading.clone(),
            text: hit.chunk.text.clone(),
            ..Shown::default()
        });
        let language = Language::of(&searched.text);
        let answering = Answering {
            question: searched.text.clone(),
            language,
            passages: passages.collect(),
            ..Answering::default()
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

/// Models that nothing counts yet, with what they will be charged.
fn counted(models: &Models, pricing: &Pricing) -> (Models, Charges) {
    let (bookkeeper, charges) = ChargeSender::new();
    let ledger = Ledger::new(Budget::default(), Prices::clone(&pricing.0)).with_bookkeeper(bookkeeper);
    let ledger = Arc::new(ledger);
    let models = models.wrapped(|model| Stack::new(Arc::clone(model)).budget(Arc::clone(&ledger)).build());
    (models, charges)
}

/// As much of a text as an error repeats.
fn brief(text: &str) -> String {
    let mut letters = text.chars();
    let shown: String = letters.by_ref().take(REPEATED).collect();
    if letters.next().is_some() { shown + "…" } else { shown }
}

/// Whether something can be asked with these words.
fn verify(question: &str) -> Result<(), Error> {
    let characters = question.chars().count();
    match characters {
        _ if question.trim().is_empty() => Err(Error::QuestionEmpty),
        0..=LONGEST => Ok(()),
        _ => Err(Error::QuestionTooLong { characters, limit: LONGEST }),
    }
}

/// The condition that kinds and a condition on metadata make together.
fn filter(kinds: &[String], condition: Option<&str>) -> Result<Option<Filter>, Error> {
    let mut all = Vec::new();
    if !kinds.is_empty() {
        let mut names = Vec::new();
        for given in kinds {
            match given.trim() {
                "chapter" | "chapters" => names.extend([PieceKind::Document.name(), PieceKind::OutlineNode.name()]),
                other => {
                    let kind = PieceKind::parse(other).ok_or_else(|| Error::UnknownKind { given: given.clone() })?;
                    names.push(kind.name());
                }
            }
        }
        all.push(Filter::In { field: "doc_type".into(), values: names.into_iter().map(Into::into).collect() });
    }
    if let Some(condition) = condition {
        let bad = |error: qingyu_knowledge::filter::ParseError| Error::BadCondition {
            condition: brief(condition),
            message: error.to_string(),
        };
        all.push(Filter::parse(condition).map_err(bad)?);
    }
    Ok((!all.is_empty()).then_some(Filter::And(all)))
}

/// What a model is told to read a question.
fn understanding(
    request: &AskRequest,
    language: Language,
    understood: &Understood,
    graph: &StoryGraph,
) -> Understanding {
    let named = understood.named.iter().map(|node| graph[*node].name.clone());
    let others = graph.nodes().map(|(_, node)| node.name.clone());
    let mut names: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    names.extend(named.chain(others).filter(|name| seen.insert(name.clone())).take(NAMES));
    let own = graph.words().into_iter().map(|word| word.name.clone());
    let groups = ["tied_to", "kin_of"].into_iter().filter(|word| vocabulary::is_known(word)).map(str::to_owned);
    Understanding { question: request.question.clone(), language, relations: own.chain(groups).collect(), names }
}

/// Takes what a model read into what is understood; whether there is a pattern now.
fn take(understood: &mut Understood, read: QuestionReading) -> bool {
    for search in read.searches.iter().take(3) {
        understood.words.push(' ');
        understood.words.push_str(search);
    }
    // It was checked: it can be read and asked.
    understood.reading.query = read.pattern.and_then(|pattern| Pattern::parse(&pattern).ok());
    understood.reading.rank = read.rank.or(understood.reading.rank.take());
    understood.reading.query.is_some()
}

fn hit_of<'h>(passage: &Passage, hits: &'h [Hit]) -> Option<&'h Hit> {
    hits.iter().find(|hit| hit.chunk.source == passage.citation.source && hit.way.is_some())
}

fn ties_of(passage: &Passage, hits: &[Hit]) -> Vec<Tied> {
    hit_of(passage, hits).and_then(|hit| hit.way.as_ref()).map(|way| way.ties.clone()).unwrap_or_default()
}

fn shown(passage: &Passage, hits: &[Hit], language: Language) -> Shown {
    let way = hit_of(passage, hits).and_then(|hit| hit.way.as_ref());
    let tie = |tied: &Tied| {
        let Tied { from, relation, to, since, .. } = tied;
        let since = if since.is_empty() { String::new() } else { format!(" ({since})") };
        let quote = tied.sentence().map(|sentence| format!(": {sentence}")).unwrap_or_default();
        format!("{from} —{}→ {to}{since}{quote}", vocabulary::shown(relation, language))
    };
    Shown {
        number: passage.number,
        heading: passage.heading.clone(),
        text: passage.text.clone(),
        ties: way.map(|way| way.ties.iter().map(tie).collect()).unwrap_or_default(),
        because: way.and_then(|way| way.quality.as_ref()).map(|judged| judged.because.clone()).unwrap_or_default(),
    }
}
