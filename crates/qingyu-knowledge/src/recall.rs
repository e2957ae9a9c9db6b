//! Answers to questions: names by dictionary, the graph first, words and vectors inside and beside the graph's answers,
//! all in one ranking with reasons.
//!
//! A question [parsed](crate::question) as a pattern is run on the graph; the answers are joined to the search hits. A
//! superlative ("the most cautious of them") ranks the graph's answers by the words on their cards, and by nearness to
//! the quality. The caller chooses the search and the index; nothing here is async.

mod way;

use std::collections::BTreeMap;

use qingyu_story::PieceKind;

pub use way::{Tied, Way};

use crate::fusion::Fusion;
use crate::graph::{EdgeId, NodeId, NodeKind, StoryGraph};
use crate::pattern::PatternResult;
use crate::quality;
use crate::question::{self, ParsedQuestion, Rank};
use crate::search::Query;
use crate::{Chunk, Filter, Hit, injection};

/// The maximum number of rows of a graph query joined to hits.
pub const ANSWERS: usize = 200;

/// A question with the named pieces and the pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionAnalysis {
    /// The pieces named by name, alias or role, in the order of the question.
    pub named: Vec<NodeId>,
    /// The pattern and the unknown words.
    pub reading: ParsedQuestion,
    /// The search text: the question, with the full names of pieces named otherwise.
    pub words: String,
}

/// An answer of the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphAnswer {
    /// The node of the piece.
    pub node: NodeId,
    /// The rank, the connections and the quality.
    pub way: Way,
    /// The text of the piece.
    pub chunk: Chunk,
}

impl QuestionAnalysis {
    /// Parses a question about the story of `graph`.
    pub fn of(question: &str, graph: &StoryGraph) -> Self {
        let named = question::named(question, graph);
        let unsaid = named.iter().map(|node| graph[*node].name.as_str()).filter(|name| !question.contains(name));
        let words = std::iter::once(question).chain(unsaid).collect::<Vec<_>>().join(" ");
        Self { named, reading: question::read(question, graph), words }
    }
}

/// Returns the nodes of a graph query's result as answers; `chunk` returns the text of a piece, `None` if there is no
/// text or the piece is excluded.
pub fn answers(
    found: &PatternResult,
    graph: &StoryGraph,
    mut chunk: impl FnMut(&StoryGraph, NodeId) -> Option<Chunk>,
) -> Vec<GraphAnswer> {
    let mut order: Vec<NodeId> = Vec::new();
    let mut ties: BTreeMap<NodeId, Vec<Tied>> = BTreeMap::new();
    for row in &found.rows {
        for node in &row.nodes {
            let own = ties.entry(*node).or_insert_with(|| {
                order.push(*node);
                Vec::new()
            });
            for tied in row.ties.iter().flat_map(|tie| &tie.hops).filter_map(|hop| hop.first()) {
                let tied = tied_by(graph, *tied);
                if !own.contains(&tied) {
                    own.push(tied);
                }
            }
        }
    }
    let answers = order.into_iter().filter_map(|node| {
        let chunk = chunk(graph, node)?;
        Some(GraphAnswer { node, way: Way { ties: ties.remove(&node).unwrap_or_default(), ..Way::default() }, chunk })
    });
    let mut answers: Vec<GraphAnswer> = answers.collect();
    number(&mut answers);
    answers
}

fn tied_by(graph: &StoryGraph, edge: EdgeId) -> Tied {
    let edge = &graph[edge];
    Tied {
        from: graph[edge.from].name.clone(),
        relation: graph.word(edge.kind).name.clone(),
        to: graph[edge.to].name.clone(),
        since: edge.since.clone(),
        until: edge.until.clone(),
        source: edge.source.clone(),
        says: edge.says.clone(),
    }
}

fn number(answers: &mut [GraphAnswer]) {
    for (rank, answer) in (1..).zip(answers) {
        answer.way.rank = rank;
    }
}

/// Returns the search that orders `answers` by nearness to a quality.
pub fn inside(rank: &Rank, answers: &[GraphAnswer], usual: &Query) -> Query {
    let any = |field: &str, values: Vec<&str>| Filter::In {
        field: field.into(),
        values: values.into_iter().map(Into::into).collect(),
    };
    let kinds = answers.iter().map(|answer| answer.chunk.source.kind.name()).collect();
    let ids = answers.iter().map(|answer| answer.chunk.source.id.as_str()).collect();
    let filter = Filter::And(vec![any("doc_type", kinds), any("id", ids)]);
    Query {
        text: quality::words(&rank.quality).join(" "),
        filter: Some(filter),
        limit: answers.len(),
        variety: 0.0,
        focus: None,
        near: None,
        ..usual.clone()
    }
}

/// Ranks answers by a quality: by the words on their cards, and equal answers by their position in `near`.
///
/// Nearness does not distinguish a word from its opposite, so only the most of a quality uses it.
pub fn by_quality(rank: &Rank, answers: &mut [GraphAnswer], near: &[Hit]) {
    for answer in answers.iter_mut() {
        answer.way.quality = Some(quality::judge(rank, &answer.chunk));
    }
    let said = |answer: &GraphAnswer| answer.way.quality.as_ref().map_or(0.0, |judged| judged.score);
    let place = |answer: &GraphAnswer| near.iter().position(|hit| rank.most && hit.chunk.source == answer.chunk.source);
    answers.sort_by_cached_key(|answer| place(answer).unwrap_or(usize::MAX));
    answers.sort_by(|a, b| said(b).total_cmp(&said(a)));
    number(answers);
}

/// Joins the graph's answers to the search hits: an answer adds `graph / (k + rank)`, as a side of the
/// [fusion](crate::fusion) does. Returns at most `limit` hits, best first.
pub fn join(hits: Vec<Hit>, answers: Vec<GraphAnswer>, fusion: &Fusion, limit: usize) -> Vec<Hit> {
    let mut joined = hits;
    if fusion.graph > 0.0 {
        for GraphAnswer { way, chunk, .. } in answers {
            let part = fusion.graph / (fusion.k + way.rank as f64);
            let is_it = |hit: &&mut Hit| hit.chunk.source == chunk.source && hit.chunk.part == chunk.part;
            match joined.iter_mut().find(is_it) {
                Some(hit) => {
                    hit.score += part;
                    hit.way = Some(way);
                }
                None => {
                    let suspicious = injection::suspicious(&chunk.text).map(str::to_owned);
                    let way = Some(way);
                    joined.push(Hit {
                        chunk,
                        score: part,
                        keyword: None,
                        vector: None,
                        way,
                        emphasis: 1.0,
                        suspicious,
                        book: None,
                    });
                }
            }
        }
        joined.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    joined.truncate(limit);
    joined
}

/// Returns the kind and id of the piece whose text represents a node; `None` without an id.
pub fn piece_of(graph: &StoryGraph, node: NodeId) -> Option<(PieceKind, &str)> {
    let found = &graph[node];
    let kind = if found.kind == NodeKind::Fact { Some(PieceKind::Fact) } else { found.kind.piece() }?;
    (!found.id.is_empty()).then_some((kind, found.id.as_str()))
}

#[cfg(test)]
mod tests {
    use qingyu_story::Story;

    use super::*;
    use crate::chunk::Chunker;
    use crate::pattern::QueryLimits;
    use crate::{MemoryIndex, chunk};

    fn story() -> Story {
        serde_json::from_str(
            r#"{
            "characters": [
                {"id": "c-1", "name": "林青", "alias": ["青鸟"], "role_type": "protagonist", "traits": ["果敢"]},
                {"id": "c-2", "name": "苏婉", "traits": ["谨慎"]},
                {"id": "c-3", "name": "老周", "personality": "冲动，好酒"},
                {"id": "c-4", "name": "沈策", "traits": ["谨慎"], "personality": "步步为营"}
            ],
            "worldview": {"locations": [{"id": "l-1", "name": "迷雾森林"}]},
            "character_relations": [
                {"id": "r-1", "from": "苏婉", "to": "林青", "type": "friend", "description": "苏婉救过林青。"},
                {"id": "r-2", "from": "老周", "to": "林青", "type": "friend"},
                {"id": "r-3", "from": "沈策", "to": "林青", "type": "enemy"}
            ],
            "facts": [{"id": "f-1", "subject": "老周", "predicate": "背叛", "object": "林青",
                       "source": {"document": "雨夜", "version": 1, "quote": "老周把钥匙交给了沈策。"}},
                      {"id": "f-2", "subject": "沈策", "predicate": "嫉妒", "object": "林青"}],
            "documents": [{"id": "d-1", "title": "雨夜", "order": 1, "version": 1, "text": "老周把钥匙交给了沈策。"}]
        }"#,
        )
        .unwrap()
    }

    fn answers(question: &str) -> (QuestionAnalysis, Vec<GraphAnswer>) {
        let story = story();
        let graph = StoryGraph::of(&story);
        let chunker = Chunker::new(&story);
        let understood = QuestionAnalysis::of(question, &graph);
        let query = understood.reading.query.clone().expect("it is understood");
        let found = query.run(&graph, QueryLimits { rows: ANSWERS, ..QueryLimits::default() }).unwrap();
        let found = super::answers(&found, &graph, |graph, node| {
            let (kind, id) = piece_of(graph, node)?;
            let piece = story.pieces_of(kind).find(|piece| piece.id() == id)?;
            chunker.chunks(id, &piece).into_iter().next()
        });
        (understood, found)
    }

    fn names(answers: &[GraphAnswer]) -> Vec<&str> {
        answers.iter().map(|answer| answer.chunk.text_of("name")).collect()
    }

    #[test]
    fn an_answer_says_by_which_sentence() {
        let (understood, found) = answers("谁曾经背叛过主角");
        assert_eq!((understood.words.as_str(), names(&found)), ("谁曾经背叛过主角 林青", vec!["老周"]));
        let tied = &found[0].way.ties[0];
        assert_eq!((tied.relation.as_str(), tied.says.quote.as_str()), ("betrays", "老周把钥匙交给了沈策。"));
    }

    #[test]
    fn words_of_the_story_itself_are_understood() {
        assert_eq!(names(&answers("谁嫉妒过主角").1), ["沈策"]);
    }

    #[test]
    fn the_most_of_a_quality_comes_first_and_says_why() {
        let (understood, mut found) = answers("认识主角的人里最谨慎的是谁");
        let rank = understood.reading.rank.unwrap();
        let index = MemoryIndex::new(chunk::of(&story()));
        let near = index.search(&inside(&rank, &found, &Query::new("")));
        assert!(near.iter().all(|hit| found.iter().any(|answer| answer.chunk.source == hit.chunk.source)));
        by_quality(&rank, &mut found, &near);
        assert_eq!(names(&found), ["沈策", "苏婉", "老周"]);
        let judged = found[0].way.quality.as_ref().unwrap();
        assert_eq!(judged.because, ["谨慎", "步步为营"]);
        by_quality(&Rank { most: false, ..rank }, &mut found, &near);
        assert_eq!(names(&found)[0], "老周");
    }

    #[test]
    fn the_graph_is_a_side_of_the_ranking() {
        let (_, found) = answers("谁背叛过主角");
        let index = MemoryIndex::new(chunk::of(&story()));
        let hits = index.search(&Query::new("谁背叛过主角"));
        let fusion = Fusion::default();
        let joined = join(hits.clone(), found.clone(), &fusion, 3);
        assert_eq!(joined[0].chunk.text_of("name"), "老周");
        assert!(joined[0].way.is_some() && joined.len() == 3);
        assert_eq!(join(hits.clone(), found, &Fusion { graph: 0.0, ..fusion }, 10), hits);
    }
}
