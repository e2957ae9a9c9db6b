//! Suggests what the plot could do next, from what the story leaves open. Invents nothing: each suggestion names the
//! pieces that it rests on.

use std::collections::BTreeSet;

use qingyu_story::{Character, PieceKind, PlotKind, RelationKind, RoleType, Story};
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::reading::{ReadingOrder, title};
use crate::texts::filled;

/// Default number of suggestions.
const SHOWN: usize = 10;
/// Maximum characters of a quotation.
const QUOTE: usize = 80;

/// Returns the suggestions, the most pressing first, with the total number.
pub(super) fn suggest(desk: &Desk, limit: Option<usize>) -> Value {
    let story = desk.story();
    let reading = ReadingOrder::of(story);
    let words = SuggestionWords { desk };
    let mut all = promises(story, &reading, &words);
    all.extend(meetings(story, &reading, &words));
    all.extend(secrets(story, &words));
    all.extend(missing_kinds(story, &words));
    all.extend(absent(story, &reading, &words));
    all.extend(empty_chapters(story, &reading, &words));
    let total = all.len();
    all.truncate(limit.unwrap_or(SHOWN));
    json!({"total": total, "suggestions": all})
}

/// The texts of suggestions in the caller's language.
struct SuggestionWords<'d> {
    desk: &'d Desk,
}

impl SuggestionWords<'_> {
    fn one(&self, kind: &str, values: &[(&str, &str)], evidence: &Value) -> Value {
        let text = filled(self.desk.language(), &format!("suggest.{kind}"), values);
        json!({"kind": kind, "suggestion": text, "evidence": evidence})
    }
}

fn evidence(kind: PieceKind, id: &str, name: &str, quote: &str) -> Value {
    let quote: String = quote.trim().chars().take(QUOTE).collect();
    json!({"kind": kind, "id": id, "name": name, "quote": quote})
}

/// Unpaid promises: those with a due place first, then by importance.
fn promises(story: &Story, reading: &ReadingOrder<'_>, words: &SuggestionWords<'_>) -> Vec<Value> {
    let mut open: Vec<_> = story.promises.iter().filter(|promise| promise.is_open()).collect();
    let due = |name: &Option<String>| {
        name.as_deref().and_then(|name| reading.node(name)).map_or(usize::MAX, |node| reading.place(node))
    };
    open.sort_by_key(|promise| (due(&promise.due), u8::MAX - promise.importance));
    let suggestion = |promise: &&qingyu_story::Promise| {
        let from = promise.planted.first().map_or("", String::as_str);
        let place = reading.node(from).map_or(from, |node| title(&story.outline_nodes[node]));
        let evidence = evidence(PieceKind::Promise, &promise.id, &promise.name, &promise.description);
        words.one("promise", &[("name", promise.name.as_str()), ("place", place)], &json!([evidence]))
    };
    open.iter().map(suggestion).collect()
}

/// Enemies and rivals who take part in no event together.
fn meetings(story: &Story, reading: &ReadingOrder<'_>, words: &SuggestionWords<'_>) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for relation in &story.character_relations {
        let is_against = matches!(relation.kind, RelationKind::Enemy | RelationKind::Rival);
        let ends = reading.characters([&relation.from, &relation.to]);
        let &[one, other] = ends.as_slice() else { continue };
        if !is_against || !seen.insert((one.min(other), one.max(other))) {
            continue;
        }
        let meet = story.timeline_events.iter().any(|event| {
            let present = reading.characters(&event.participants);
            present.contains(&one) && present.contains(&other)
        });
        if !meet {
            let (a, b) = (&story.characters[one], &story.characters[other]);
            let evidence =
                evidence(PieceKind::Relation, &relation.id, &format!("{} – {}", a.name, b.name), &relation.description);
            found.push(words.one("meeting", &[("a", a.name.as_str()), ("b", b.name.as_str())], &json!([evidence])));
        }
    }
    found
}

/// Secrets that no plot node and no event mentions.
fn secrets(story: &Story, words: &SuggestionWords<'_>) -> Vec<Value> {
    let is_told = |card: &Character| {
        let plots = story.plot_nodes.iter().map(|plot| &plot.description);
        let events = story.timeline_events.iter().map(|event| &event.description);
        plots.chain(events).any(|text| text.contains(card.secret.trim()))
    };
    let hiding = story.characters.iter().filter(|card| !card.secret.trim().is_empty() && !is_told(card));
    let suggestion = |card: &Character| {
        let evidence = evidence(PieceKind::Character, &card.id, &card.name, &card.secret);
        words.one("secret", &[("name", card.name.as_str())], &json!([evidence]))
    };
    hiding.map(suggestion).collect()
}

/// A plot without a conflict, a turn, a climax or a resolution.
fn missing_kinds(story: &Story, words: &SuggestionWords<'_>) -> Vec<Value> {
    let kinds = [
        (PlotKind::Conflict, "no_conflict"),
        (PlotKind::Turn, "no_turn"),
        (PlotKind::Climax, "no_climax"),
        (PlotKind::Resolution, "no_resolution"),
    ];
    let is_missing = |kind: PlotKind| story.plot_nodes.iter().all(|plot| plot.kind != kind);
    let missing = kinds.into_iter().filter(|(kind, _)| is_missing(*kind));
    missing.map(|(_, text)| words.one(text, &[], &json!([]))).collect()
}

/// People of weight who take part in nothing.
fn absent(story: &Story, reading: &ReadingOrder<'_>, words: &SuggestionWords<'_>) -> Vec<Value> {
    let events = story.timeline_events.iter().flat_map(|event| &event.participants);
    let nodes = story.outline_nodes.iter().flat_map(|node| &node.participants);
    let present = reading.characters(events.chain(nodes));
    let idle = story
        .characters
        .iter()
        .enumerate()
        .filter(|(position, card)| card.role_type != RoleType::Minor && !present.contains(position));
    let suggestion = |(_, card): (usize, &Character)| {
        let wants = if card.goals.trim().is_empty() { &card.background } else { &card.goals };
        let evidence = evidence(PieceKind::Character, &card.id, &card.name, wants);
        words.one("absent", &[("name", card.name.as_str())], &json!([evidence]))
    };
    idle.map(suggestion).collect()
}

/// Chapters in which nothing is said to happen.
fn empty_chapters(story: &Story, reading: &ReadingOrder<'_>, words: &SuggestionWords<'_>) -> Vec<Value> {
    let is_empty = |node: &usize| {
        story.outline_nodes[*node].description.trim().is_empty()
            && reading.events_of(*node).is_empty()
            && reading.documents_of(*node).is_empty()
    };
    let suggestion = |node: usize| {
        let node = &story.outline_nodes[node];
        let evidence = evidence(PieceKind::OutlineNode, &node.id, &node.name, &node.goal);
        words.one("empty_chapter", &[("name", title(node))], &json!([evidence]))
    };
    reading.chapters().into_iter().filter(is_empty).map(suggestion).collect()
}
