//! `encyclopedia_tool`: all knowledge of the book about a name, on a page.

use std::collections::BTreeSet;

use qingyu_knowledge::KeywordIndex;
use qingyu_story::settlement::as_told;
use qingyu_story::truth::{self, Question};
use qingyu_story::{Names, Piece, PieceKind, Story, excerpt};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{needed, page, text_of};
use crate::desk::{Desk, StoryTool};
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct EncyclopediaTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What to do. get shows all that is known of one entry, search finds entries by words, list gives all names.
    action: Do,
    /// The id, name or alias of the entry; for get.
    name: Option<String>,
    /// The words; for search.
    query: Option<String>,
    /// Only entries of this kind: character, location, organisation, item, world_rule or event.
    kind: Option<Kind>,
    /// How many entries to skip; for list.
    offset: Option<usize>,
    /// How many entries to give at most; for search and list.
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Do {
    Get,
    Search,
    List,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Character,
    Location,
    Organisation,
    Item,
    WorldRule,
    Event,
}

const KINDS: [Kind; 6] =
    [Kind::Character, Kind::Location, Kind::Organisation, Kind::Item, Kind::WorldRule, Kind::Event];
/// Default number of search results.
const FOUND: usize = 10;
/// Maximum excerpt of a search result, in characters.
const EXCERPT: usize = 200;

impl Kind {
    fn piece(self) -> PieceKind {
        match self {
            Self::Character => PieceKind::Character,
            Self::Location => PieceKind::Location,
            Self::Organisation => PieceKind::Organisation,
            Self::Item => PieceKind::Item,
            Self::WorldRule => PieceKind::WorldRule,
            Self::Event => PieceKind::Event,
        }
    }
}

impl StoryTool for EncyclopediaTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let actions = vec![Action::read("get"), Action::read("search"), Action::read("list")];
        Metadata::of::<Arguments>("encyclopedia_tool", Category::Knowledge, actions)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { action, name, query, kind, offset, limit } = arguments;
        let kinds: Vec<PieceKind> =
            KINDS.into_iter().filter(|one| kind.is_none_or(|kind| kind == *one)).map(Kind::piece).collect();
        match action {
            Do::Get => get(&as_told(desk.story()), &needed(name, "/name")?, &kinds),
            Do::Search => Ok(search(desk.story(), &needed(query, "/query")?, &kinds, limit.unwrap_or(FOUND))),
            Do::List => {
                let line = |piece: Piece| {
                    json!({
                        "id": piece.id(), "kind": piece.kind(), "name": piece.name(), "alias": piece.aliases(),
                    })
                };
                let all = kinds.iter().flat_map(|kind| desk.story().pieces_of(*kind)).map(line).collect();
                Ok(page("entries", all, offset, limit, |shown| shown))
            }
        }
    }
}

/// Returns the card, its facts, related people and things, and its appearances.
fn get(story: &Story, name: &str, kinds: &[PieceKind]) -> Result<Value, ToolError> {
    let names = Names::of(story);
    let found: Vec<_> = kinds.iter().flat_map(|kind| names.find(*kind, name)).collect();
    let entry = match found.as_slice() {
        [one] => *one,
        [] => {
            return Err(ToolError::NotFound { kind: "entry".into(), name: name.to_owned(), path: "/name".into() });
        }
        several => {
            let (name, count) = (name.to_owned(), several.len());
            return Err(ToolError::Ambiguous { kind: "entry".into(), name, count, path: "/name".into() });
        }
    };
    let (kind, position) = (entry.kind, entry.position);
    let piece = story.piece(kind, position).expect("names are of this story");
    let question = Question { about: Some(entry.name.clone()), ..Question::default() };
    // An entry without facts is no failure.
    let facts = truth::ask(story, &question).unwrap_or_default();
    let is_it = |name: &str| names.resolve(kind, name).is_some_and(|named| named.position == position);
    let relations = story
        .character_relations
        .iter()
        .filter(|one| kind == PieceKind::Character && (is_it(&one.from) || is_it(&one.to)));
    let nodes = story.outline_nodes.iter().filter(|node| {
        let placed = kind == PieceKind::Location && node.location.as_deref().is_some_and(is_it);
        let played = kind == PieceKind::Character && node.participants.iter().any(|name| is_it(name));
        placed || played || names.mentioned(&node.description, kind, position)
    });
    let events = story.timeline_events.iter().enumerate().filter(|(other, event)| {
        let itself = kind == PieceKind::Event && *other == position;
        let placed = kind == PieceKind::Location && event.location.as_deref().is_some_and(is_it);
        let played =
            kind == PieceKind::Character && event.participants.iter().chain(&event.deaths).any(|name| is_it(name));
        !itself && (placed || played || names.mentioned(&event.description, kind, position))
    });
    let texts = story.documents.iter().filter_map(|document| {
        let all = names.mentions_in_prose(&document.text);
        let times = all
            .iter()
            .filter(
                |mention| matches!(mention.bearers.as_slice(), [one] if one.kind == kind && one.position == position),
            )
            .count();
        (times > 0).then(|| json!({"id": document.id, "title": document.title, "mentions": times}))
    });
    let held =
        story.items().iter().filter(|item| kind == PieceKind::Character && item.holder.as_deref().is_some_and(is_it));
    Ok(json!({
        "kind": kind,
        "entry": piece.fields(),
        "facts": facts,
        "relations": relations.collect::<Vec<_>>(),
        "holds": held.map(|item| item.name.as_str()).collect::<Vec<_>>(),
        "outline_nodes": nodes.map(|node| json!({"id": node.id, "name": node.name})).collect::<Vec<_>>(),
        "events": events.map(|(_, event)| json!({
            "id": event.id, "title": event.title, "timestamp": event.timestamp,
        })).collect::<Vec<_>>(),
        "documents": texts.collect::<Vec<_>>(),
    }))
}

/// Returns the best-matching entries by keyword; an exact name comes first.
fn search(story: &Story, query: &str, kinds: &[PieceKind], limit: usize) -> Value {
    let names = Names::of(story);
    let mut seen = BTreeSet::new();
    let mut results = Vec::new();
    let mut add = |kind: PieceKind, position: usize, score: Option<f64>| {
        let Some(piece) = story.piece(kind, position).filter(|_| kinds.contains(&kind)) else { return };
        if seen.insert((kind, position)) {
            results.push(json!({
                "kind": kind,
                "id": piece.id(),
                "name": piece.name(),
                "excerpt": excerpt::beginning(&text_of(&piece), EXCERPT),
                "named": score.is_none(),
                "score": score,
            }));
        }
    };
    for mention in names.mentions(query) {
        for named in &mention.bearers {
            add(named.kind, named.position, None);
        }
    }
    let entries = kinds.iter().flat_map(|kind| {
        story.pieces_of(*kind).enumerate().map(move |(position, piece)| (*kind, position, text_of(&piece)))
    });
    let entries: Vec<_> = entries.collect();
    let index = KeywordIndex::new(entries.iter().map(|(_, _, text)| text.as_str()));
    for hit in index.search(query, limit) {
        let (kind, position, _) = entries[hit.row as usize];
        add(kind, position, Some((hit.score * 1e4).round() / 1e4));
    }
    results.truncate(limit);
    json!({"query": query, "results": results})
}
