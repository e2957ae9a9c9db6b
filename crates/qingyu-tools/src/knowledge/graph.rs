//! `knowledge_graph_tool`: relations, paths between characters, and characters matching several relations.

use std::collections::BTreeSet;

use qingyu_knowledge::pattern::{Query, QueryLimits};
use qingyu_knowledge::question::{ParsedQuestion, UnknownWords};
use qingyu_knowledge::{CharacterConnections, StoryGraph, question};
use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{CharacterRelation, PieceKind, RelationKind, Story};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, StoryTool};
use crate::reading::ReadingOrder;
use crate::writing::needed;
use crate::{Action, Category, Metadata, ToolError};

/// Maximum rows of an answer.
const ROWS: usize = 50;

/// The tool.
#[derive(Debug)]
pub(crate) struct KnowledgeGraphTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do. neighbours lists who is tied to somebody, path the shortest way between two, match the characters
    /// that fit all conditions, ask what a question or a pattern finds in the whole graph, with the sentence behind each
    /// tie.
    action: Do,
    /// The character, by id, name or alias; for neighbours, and where a path begins.
    from: Option<String>,
    /// The character where a path ends.
    to: Option<String>,
    /// For match: what must be true of a character.
    conditions: Option<Vec<Condition>>,
    /// For ask: a question in plain words, such as "who is both friend and enemy of the protagonist".
    question: Option<String>,
    /// For ask, instead of a question: a pattern, such as (x:Character)-[:enemy_of @ch30]->(a "Ann") return x.
    pattern: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Neighbours,
    Path,
    Match,
    Ask,
}

/// Something that is true of a character.
#[derive(Debug, Deserialize, JsonSchema)]
struct Condition {
    /// The tie: a kind of relation such as friend or enemy, visited, participated_in, or any predicate of facts such as
    /// holds.
    predicate: String,
    /// Who or what is on the other side: a character, place, event or thing.
    object: String,
    /// Whether it must not be so.
    #[serde(default)]
    not: bool,
}

impl StoryTool for KnowledgeGraphTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions =
            vec![Action::read("neighbours"), Action::read("path"), Action::read("match"), Action::read("ask")];
        Metadata::of::<Arguments>("knowledge_graph_tool", Category::Knowledge, actions)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let story = desk.story();
        let name = |given: &Option<String>, path: &str| {
            let position = desk.find(PieceKind::Character, needed(given.as_deref(), path)?, path)?;
            Ok::<_, ToolError>(story.characters[position].name.clone())
        };
        let relations = canonical(story);
        let connections = CharacterConnections::new(&relations);
        match arguments.action {
            Do::Neighbours => {
                let from = name(&arguments.from, "/from")?;
                Ok(json!({
                    "from": from, "neighbours": connections.neighbours(&from),
                    "relations": connections.of(&from),
                }))
            }
            Do::Path => {
                let (from, to) = (name(&arguments.from, "/from")?, name(&arguments.to, "/to")?);
                let path = connections.path(&from, &to);
                Ok(json!({"from": from, "to": to, "connected": path.is_some(), "path": path}))
            }
            Do::Ask => ask(story, arguments.question.as_deref(), arguments.pattern.as_deref()),
            Do::Match => matching(story, &relations, &needed(arguments.conditions, "/conditions")?),
        }
    }
}

/// Returns the graph's answer to a pattern, or to a question the rules can parse as a pattern.
fn ask(story: &Story, question: Option<&str>, pattern: Option<&str>) -> Result<Value, ToolError> {
    let graph = StoryGraph::of(story);
    let query = match pattern {
        Some(pattern) => Query::parse(pattern).map_err(|error| ToolError::invalid("/pattern", error.to_string()))?,
        None => {
            let ParsedQuestion { query, unread, .. } = question::read(needed(question, "/question")?, &graph);
            let unread: Vec<&str> = unread.iter().map(|UnknownWords { text, .. }| text.as_str()).collect();
            let message = || match unread.is_empty() {
                true => "the question has none of the known shapes; give a pattern".to_owned(),
                false => format!("these words are not understood: {}; give a pattern", unread.join(", ")),
            };
            query.ok_or_else(|| ToolError::invalid("/question", message()))?
        }
    };
    let place = if pattern.is_some() { "/pattern" } else { "/question" };
    let found = query.run(&graph, QueryLimits { rows: ROWS, ..QueryLimits::default() });
    let found = found.map_err(|error| ToolError::invalid(place, error.to_string()))?;
    Ok(json!({"pattern": query.to_string(), "found": found.to_json(&graph)}))
}

/// Returns the relations with the names on the cards instead of aliases.
fn canonical(story: &Story) -> Vec<CharacterRelation> {
    let reading = ReadingOrder::of(story);
    let name = |given: &String| {
        let card = reading.characters([given]).first().map(|position| story.characters[*position].name.clone());
        card.unwrap_or_else(|| given.clone())
    };
    let relation = |relation: &CharacterRelation| CharacterRelation {
        from: name(&relation.from),
        to: name(&relation.to),
        ..relation.clone()
    };
    story.character_relations.iter().map(relation).collect()
}

/// Returns the characters matching all conditions, with the reason for each condition.
fn matching(story: &Story, relations: &[CharacterRelation], conditions: &[Condition]) -> Result<Value, ToolError> {
    if conditions.is_empty() {
        return Err(ToolError::invalid("/conditions", "at least one condition"));
    }
    let reading = ReadingOrder::of(story);
    let truth = GroundTruth::of(story);
    let mut fitting: BTreeSet<usize> = (0..story.characters.len()).collect();
    let mut reasons: Vec<Vec<(usize, Value)>> = Vec::new();
    for (index, condition) in conditions.iter().enumerate() {
        let found = held(story, &reading, &truth, relations, condition, index)?;
        let who: BTreeSet<usize> = found.iter().map(|(who, _)| *who).collect();
        fitting.retain(|position| who.contains(position) != condition.not);
        reasons.push(if condition.not { Vec::new() } else { found });
    }
    let shown = fitting.into_iter().map(|position| {
        let of_one = reasons.iter().flat_map(|found| found.iter().filter(|(who, _)| *who == position));
        let card = &story.characters[position];
        let because: Vec<&Value> = of_one.map(|(_, reason)| reason).collect();
        json!({"id": card.id, "name": card.name, "because": because})
    });
    Ok(json!({"matches": shown.collect::<Vec<_>>()}))
}

/// Returns the characters matching a condition, with reasons.
fn held(
    story: &Story,
    reading: &ReadingOrder<'_>,
    truth: &GroundTruth<'_>,
    relations: &[CharacterRelation],
    condition: &Condition,
    index: usize,
) -> Result<Vec<(usize, Value)>, ToolError> {
    let path = format!("/conditions/{index}/object");
    let find = |kind: PieceKind| match reading.names.resolve(kind, &condition.object) {
        Some(named) => Ok(named.position),
        None => {
            let (kind, name) = (kind.name().to_owned(), condition.object.clone());
            Err(ToolError::NotFound { kind, name, path: path.clone() })
        }
    };
    let word = condition.predicate.trim().trim_end_matches("_of");
    let kind = [condition.predicate.trim(), word]
        .into_iter()
        .find_map(|word| serde_json::from_value::<RelationKind>(word.into()).ok());
    if let Some(kind) = kind {
        let object = &story.characters[find(PieceKind::Character)?].name;
        let tied = relations.iter().filter_map(|relation| {
            // A relation stored from the other side is the inverse.
            let who = if relation.kind == kind && relation.to == *object {
                &relation.from
            } else if relation.kind.inverse() == kind && relation.from == *object {
                &relation.to
            } else {
                return None;
            };
            let who = reading.characters([who]).first().copied()?;
            Some((who, json!({"relation": relation.id, "type": relation.kind, "with": object})))
        });
        return Ok(tied.collect());
    }
    let events = || story.timeline_events.iter().enumerate();
    match condition.predicate.trim() {
        "participated_in" => {
            let event = find(PieceKind::Event)?;
            let told = &story.timeline_events[event];
            let people = reading.characters(told.participants.iter().chain(&told.deaths));
            Ok(people.into_iter().map(|who| (who, json!({"event": told.id, "title": told.title}))).collect())
        }
        "visited" => {
            let place = find(PieceKind::Location)?;
            let is_there = |name: &Option<String>| {
                let found = name.as_deref().and_then(|name| reading.names.resolve(PieceKind::Location, name));
                found.is_some_and(|named| named.position == place)
            };
            let at_events = events().filter(|(_, event)| is_there(&event.location)).flat_map(|(_, event)| {
                let reason = json!({"event": event.id, "title": event.title});
                reading.characters(&event.participants).into_iter().map(move |who| (who, reason.clone()))
            });
            let in_chapters = story.outline_nodes.iter().filter(|node| is_there(&node.location)).flat_map(|node| {
                let reason = json!({"outline_node": node.id, "name": node.name});
                reading.characters(&node.participants).into_iter().map(move |who| (who, reason.clone()))
            });
            Ok(at_events.chain(in_chapters).collect())
        }
        predicate => {
            let question = Question {
                about: Some(condition.object.clone()),
                predicate: Some(predicate.to_owned()),
                ..Question::default()
            };
            let answers = truth.ask(&question).map_err(|unclear| ToolError::NotFound {
                kind: "fact".into(),
                name: unclear.to_string(),
                path: format!("/conditions/{index}"),
            })?;
            let of_people = answers.into_iter().filter_map(|answer| {
                let who = reading.characters([&answer.subject]).first().copied()?;
                Some((who, json!({"fact": answer.fact, "says": answer.says})))
            });
            Ok(of_people.collect())
        }
    }
}
