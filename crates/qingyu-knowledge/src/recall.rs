//! From a question to what answers it: names by dictionary, the graph first, words and vectors inside its answers and
//! beside them, all in one ranking with the reasons.
//!
//! A question that is [read](crate::question) as a pattern is asked of the graph; what the graph answers is joined to what
//! search finds. A superlative ("the most cautious of them") ranks the graph's answers by what their cards say, and by how
//! near these are to the quality. Who asks decides what to search with, and over which index; nothing here waits.

use std::collections::BTreeMap;

use qingyu_story::{Evidence, PieceKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fusion::Fusion;
use crate::graph::{EdgeId, NodeId, NodeKind, StoryGraph};
use crate::pattern::{self, Limits};
use crate::quality::{self, Judged};
use crate::question::{self, Rank, Reading};
use crate::search::Query;
use crate::{Chunk, Filter, Hit, injection};

/// The most answers of the graph that are joined to hits.
const ANSWERS: usize = 200;

/// What was understood of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    /// The pieces it names, by name, alias or role, in the order of the question.
    pub named: Vec<NodeId>,
    /// The pattern, and what is not understood.
    pub reading: Reading,
    /// What is searched for: the question, with the names of those whom it calls otherwise.
    pub words: String,
}

/// Something between two pieces, and the sentence that says so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tied {
    /// Whose it is.
    pub from: String,
    /// The word, such as `enemy_of`.
    pub relation: String,
    /// To whom.
    pub to: String,
    /// From when, as it is written; empty if it is not.
    pub since: String,
    /// Until when, as it is written; empty if it is not.
    pub until: String,
    /// The kind of the piece that says so, and its id, or its name if it has no id.
    pub source: (PieceKind, String),
    /// The sentence, and where it stands.
    pub says: Evidence,
}

/// Why the graph answers with a piece.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// Its rank among the answers, from 1.
    pub rank: usize,
    /// What ties it to what the question names.
    pub ties: Vec<Tied>,
    /// How much it has of the quality that is asked for, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Judged>,
}

/// A piece that the graph answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The piece.
    pub node: NodeId,
    /// Why.
    pub way: Way,
    /// The piece as a text.
    pub chunk: Chunk,
}

impl Tied {
    /// The sentence, unless there is none and it only repeats the words of the tie.
    pub fn sentence(&self) -> Option<&str> {
        let quote = self.says.quote.trim();
        (!quote.is_empty() && !quote.contains(&self.relation)).then_some(quote)
    }
}

impl Understood {
    /// What the rules understand of a question about the story of `graph`.
    pub fn of(question: &str, graph: &StoryGraph) -> Self {
        let named = question::named(question, graph);
        let unsaid = named.iter().map(|node| graph[*node].name.as_str()).filter(|name| !question.contains(name));
        let words = std::iter::once(question).chain(unsaid).collect::<Vec<_>>().join(" ");
        Self { named, reading: question::read(question, graph), words }
    }
}

/// Asks the graph; `chunk` gives the text of a piece, none if it has no text or must not be found.
///
/// Fails as [`pattern::Query::run`] does.
pub fn ask(
    query: &pattern::Query,
    graph: &StoryGraph,
    mut chunk: impl FnMut(&StoryGraph, NodeId) -> Option<Chunk>,
) -> Result<Vec<Answer>, pattern::Error> {
    let found = query.run(graph, Limits { rows: ANSWERS, ..Limits::default() })?;
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
        Some(Answer { node, way: Way { ties: ties.remove(&node).unwrap_or_default(), ..Way::default() }, chunk })
    });
    let mut answers: Vec<Answer> = answers.collect();
    number(&mut answers);
    Ok(answers)
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

fn number(answers: &mut [Answer]) {
    for (rank, answer) in (1..).zip(answers) {
        answer.way.rank = rank;
    }
}

/// The search whose order says how near each of `answers` is to a quality.
pub fn inside(rank: &Rank, answers: &[Answer], usual: &Query) -> Query {
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
        ..usual.clone()
    }
}

/// Ranks answers by a quality: by what their cards say of it, and of equal ones by how `near` they are to its words.
///
/// Nearness does not tell a word from its contrary, so it counts for the most of a quality only.
pub fn by_quality(rank: &Rank, answers: &mut [Answer], near: &[Hit]) {
    for answer in answers.iter_mut() {
        answer.way.quality = Some(quality::judge(rank, &answer.chunk));
    }
    let said = |answer: &Answer| answer.way.quality.as_ref().map_or(0.0, |judged| judged.score);
    let place = |answer: &Answer| near.iter().position(|hit| rank.most && hit.chunk.source == answer.chunk.source);
    answers.sort_by_cached_key(|answer| place(answer).unwrap_or(usize::MAX));
    answers.sort_by(|a, b| said(b).total_cmp(&said(a)));
    number(answers);
}

/// Joins what the graph answers to what search found: an answer gives `graph / (k + rank)`, as a side of the
/// [fusion](crate::fusion) does. At most `limit`, best first.
pub fn join(hits: Vec<Hit>, answers: Vec<Answer>, fusion: &Fusion, limit: usize) -> Vec<Hit> {
    let mut joined = hits;
    if fusion.graph > 0.0 {
        for Answer { way, chunk, .. } in answers {
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
                    });
                }
            }
        }
        joined.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    joined.truncate(limit);
    joined
}

/// The kinds of pieces whose texts stand for nodes.
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

    fn answers(question: &str) -> (Understood, Vec<Answer>) {
        let story = story();
        let graph = StoryGraph::of(&story);
        let chunker = Chunker::new(&story);
        let understood = Understood::of(question, &graph);
        let query = understood.reading.query.clone().expect("it is understood");
        let found = ask(&query, &graph, |graph, node| {
            let (kind, id) = piece_of(graph, node)?;
            let piece = story.pieces_of(kind).find(|piece| piece.id() == id)?;
            chunker.chunks(id, &piece).into_iter().next()
        });
        (understood, found.unwrap())
    }

    fn names(answers: &[Answer]) -> Vec<&str> {
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
