//! What a chapter is written from: the context card, of constant size however long the book is.
//!
//! Every section has a limit of its own, in tokens. What is the same for all chapters comes first, so that a provider's
//! cache finds it again.

use qingyu_llm::estimate;
use qingyu_story::{Document, OutlineNode, Story};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::book::{Book, Surroundings, title};
use super::clean::ending;
use super::state::Constraints;
use crate::preference;
use crate::prompts::compact;

/// Characters of the end of the chapter before.
pub(crate) const ENDING: usize = 500;
/// Chapters before whose summaries are shown.
const SUMMARIES: u32 = 3;

/// The most tokens of each section.
mod limit {
    pub(super) const STYLE: u64 = 700;
    pub(super) const WORLD: u64 = 900;
    pub(super) const SAMPLE: u64 = 1_200;
    pub(super) const NODE: u64 = 600;
    pub(super) const SCENES: u64 = 500;
    pub(super) const PLANNED: u64 = 350;
    pub(super) const TURNS: u64 = 250;
    pub(super) const ARC: u64 = 160;
    pub(super) const SUMMARY: u64 = 220;
    pub(super) const NEXT: u64 = 120;
    pub(super) const CAST: u64 = 1_300;
    pub(super) const RELATIONS: u64 = 350;
    pub(super) const PROMISES: u64 = 450;
    pub(super) const EVENTS: u64 = 400;
    pub(super) const FACTS: u64 = 600;
    pub(super) const SETTINGS: u64 = 400;
    pub(super) const PASSAGES: u64 = 900;
}

/// What the context tool may cost: all that is related. The card has a limit for each section of its own, so that in a
/// long book many events cannot crowd out the facts.
pub(crate) const RELATED_TOKENS: u64 = 1_000_000;

/// Which entries of a list are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    First,
    Last,
}

/// What is the same for all chapters.
pub(crate) fn stable(story: &Story, constraints: &Constraints, preferences: &[String]) -> String {
    let mut lines = Vec::new();
    if let Some(style) = &story.style {
        lines.push(format!("style: {}", object(style, limit::STYLE)));
    }
    if let Some(world) = &story.worldview {
        let known = json!({"summary": world.summary, "genre": world.genre, "era": world.era, "rules": world.rules});
        lines.push(format!("world: {}", object(&known, limit::WORLD)));
    }
    if !preferences.is_empty() {
        let preferences: Vec<Value> = preferences.iter().map(|line| json!(line)).collect();
        lines.push(format!("preferences: {}", list(preferences, preference::MOST_TOKENS, Keep::First)));
    }
    let sample = constraints.style_sample.trim();
    if !sample.is_empty() {
        lines.push(format!("sample: {}", json!(clip(sample, limit::SAMPLE))));
    }
    lines.join("\n")
}

/// What surrounds a chapter in the book.
pub(crate) fn surroundings(book: &Book<'_>, number: u32) -> Surroundings {
    let Some(node) = book.node(number) else { return Surroundings::default() };
    let story = book.story;
    let scenes = scenes(book, node);
    let own: Vec<usize> = scenes.iter().chain([&node]).filter_map(|node| book.position(&node.id)).collect();
    let is_told = |teller: &Option<String>| {
        teller.as_deref().and_then(|name| book.position(name)).is_some_and(|node| own.contains(&node))
    };
    let mut outline = vec![format!("chapter: {}", object(&bare(node), limit::NODE))];
    let mut add = |name: &str, entries: Vec<Value>, tokens: u64| {
        if !entries.is_empty() {
            outline.push(format!("{name}: {}", list(entries, tokens, Keep::First)));
        }
    };
    add("scenes", scenes.iter().map(|scene| bare(scene)).collect(), limit::SCENES);
    let planned = story.timeline_events.iter().filter(|event| is_told(&event.outline_node));
    add("planned_events", planned.map(compact).collect(), limit::PLANNED);
    let turns = story.plot_nodes.iter().filter(|plot| is_told(&plot.outline_node));
    add("turns", turns.map(compact).collect(), limit::TURNS);
    let arc = book.above(number).into_iter().next();
    let arc = arc.map(|above| clip(&format!("{}: {} {}", title(above), above.description, above.goal), limit::ARC));
    let first = number.saturating_sub(SUMMARIES).max(1);
    let summaries = (first..number).filter_map(|before| {
        let node = book.node(before)?;
        let summary = book.document(before).map(summary_of).filter(|summary| !summary.is_empty());
        let summary = summary.unwrap_or(&node.description);
        Some(clip(&format!("{}: {summary}", title(node)), limit::SUMMARY))
    });
    let before = (1..number).rev().filter_map(|before| book.document(before));
    let before = before.map(|document| document.text.trim()).find(|text| !text.is_empty());
    let mut participants: Vec<String> = Vec::new();
    for name in scenes.iter().chain([&node]).flat_map(|node| &node.participants) {
        if !participants.contains(name) {
            participants.push(name.clone());
        }
    }
    let next = book.node(number + 1).map(|next| format!("{}: {} {}", title(next), next.goal, next.description));
    Surroundings {
        outline,
        next: next.map(|next| clip(&next, limit::NEXT)).unwrap_or_default(),
        before: arc.into_iter().chain(summaries).collect(),
        ending: before.map(|text| ending(text, ENDING).to_owned()).unwrap_or_default(),
        participants,
    }
}

/// The scenes that the outline has for a chapter.
pub(crate) fn scenes<'s>(book: &Book<'s>, chapter: &OutlineNode) -> Vec<&'s OutlineNode> {
    let here = book.position(&chapter.id);
    let is_scene = |node: &&OutlineNode| {
        node.id != chapter.id && here.is_some() && node.parent.as_deref().and_then(|name| book.position(name)) == here
    };
    let mut scenes: Vec<&OutlineNode> = book.story.outline_nodes.iter().filter(is_scene).collect();
    scenes.sort_by_key(|node| node.order);
    scenes
}

/// What this chapter needs to know, within `budget`: its surroundings, what the tools found. `people` are the ids of those
/// who appear.
pub(crate) fn chapter(
    surroundings: &Surroundings,
    related: &Value,
    people: &[String],
    passages: &[Value],
    budget: u64,
) -> String {
    let mut lines: Vec<String> = surroundings.outline.clone();
    if !surroundings.before.is_empty() {
        lines.push(format!("before: {}", json!(surroundings.before)));
    }
    if !surroundings.ending.is_empty() {
        lines.push(format!("previous_ending: {}", json!(surroundings.ending)));
    }
    if !surroundings.next.is_empty() {
        lines.push(format!("next: {}", json!(surroundings.next)));
    }
    lines.extend(related_lines(related, people));
    if !passages.is_empty() {
        let passages = passages.iter().map(|passage| json!({"from": passage["name"], "text": passage["text"]}));
        lines.push(format!("passages: {}", list(passages.collect(), limit::PASSAGES, Keep::First)));
    }
    let mut used = 0;
    lines.retain(|line| {
        used += estimate::tokens(line);
        used <= budget
    });
    lines.join("\n")
}

/// What the context tool found, section by section.
fn related_lines(related: &Value, people: &[String]) -> Vec<String> {
    let entries = |section: &str| match related.get(section) {
        Some(Value::Array(entries)) => entries.iter().map(compact).collect(),
        Some(other) => vec![compact(other)],
        None => Vec::new(),
    };
    let mut lines = Vec::new();
    let mut add = |name: &str, entries: Vec<Value>, tokens: u64, keep: Keep| {
        if !entries.is_empty() {
            lines.push(format!("{name}: {}", list(entries, tokens, keep)));
        }
    };
    let (here, others): (Vec<Value>, Vec<Value>) = entries("participating_characters")
        .into_iter()
        .partition(|card| card["id"].as_str().is_some_and(|id| people.iter().any(|one| one == id)));
    let share = limit::CAST / u64::try_from(here.len().max(2)).unwrap_or(1);
    let full =
        here.into_iter().map(|card| serde_json::from_str(&object(&without(card, &["id"]), share)).unwrap_or_default());
    let short = others.into_iter().map(|card| json!({"name": card["name"], "role": card["role_type"]}));
    add("cast", full.chain(short).collect(), limit::CAST, Keep::First);
    let bare = |section: &str, fields: &[&str]| -> Vec<Value> {
        entries(section).into_iter().map(|entry| without(entry, fields)).collect()
    };
    add("relations", bare("character_relations", &["id", "strength"]), limit::RELATIONS, Keep::First);
    add("promises", bare("open_promises", &["id"]), limit::PROMISES, Keep::First);
    add("events", bare("timeline_events", &["id", "importance", "outline_node"]), limit::EVENTS, Keep::Last);
    let mut facts = entries("facts");
    facts.sort_by_key(|fact| number_of(fact["fact"].as_str().unwrap_or_default()));
    add("facts", facts.iter().map(statement).collect(), limit::FACTS, Keep::Last);
    add("settings", bare("world_settings", &["id"]), limit::SETTINGS, Keep::First);
    lines
}

/// The number in an id; a higher one was given later.
fn number_of(id: &str) -> u64 {
    let digits: String = id.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

/// A fact in a line.
fn statement(fact: &Value) -> Value {
    let word = |key: &str| fact[key].as_str().unwrap_or_default().to_owned();
    let value = match &fact["value"] {
        Value::Null => word("object"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut line = format!("{} {} {value}{}", word("subject"), word("predicate"), word("unit")).trim().to_owned();
    let mode = word("mode");
    if !mode.is_empty() && mode != "narrated" {
        line.push_str(&format!(" ({mode} {})", word("by")).replace(" )", ")"));
    }
    let knowers = fact["known_by"].as_array().into_iter().flatten().filter_map(|knower| knower["who"].as_str());
    let knowers: Vec<&str> = knowers.take(4).collect();
    if !knowers.is_empty() {
        line.push_str(&format!(" [{}]", knowers.join(", ")));
    }
    json!(line)
}

/// An entry without some fields.
fn without(mut entry: Value, names: &[&str]) -> Value {
    if let Value::Object(fields) = &mut entry {
        names.iter().for_each(|name| drop(fields.remove(*name)));
    }
    entry
}

/// What is told of a document: what settlement keeps of it.
fn summary_of(document: &Document) -> &str {
    document.summary.trim()
}

/// A node without what the card says otherwise.
fn bare(node: &OutlineNode) -> Value {
    without(compact(node), &["id", "parent", "order", "kind"])
}

/// The value as JSON; what is too long is cut, text by text.
fn object(value: &impl Serialize, tokens: u64) -> String {
    let value = compact(value);
    let whole = value.to_string();
    if estimate::tokens(&whole) <= tokens {
        return whole;
    }
    let Value::Object(fields) = value else { return clip(&whole, tokens) };
    let share = tokens / u64::try_from(fields.len().max(1)).unwrap_or(1);
    let shorten = |value: Value| match value {
        Value::String(text) => json!(clip(&text, share)),
        Value::Array(entries) => {
            serde_json::from_str(&list(entries, share, Keep::First)).expect("a list of values is JSON")
        }
        other => other,
    };
    Value::Object(fields.into_iter().map(|(name, value)| (name, shorten(value))).collect::<Map<_, _>>()).to_string()
}

/// Entries as a JSON list, as many as fit.
fn list(entries: Vec<Value>, tokens: u64, keep: Keep) -> String {
    let mut used = 1;
    let mut kept = Vec::new();
    let order: Box<dyn Iterator<Item = Value>> = match keep {
        Keep::First => Box::new(entries.into_iter()),
        Keep::Last => Box::new(entries.into_iter().rev()),
    };
    for entry in order {
        let cost = estimate::tokens(&entry.to_string()) + 1;
        if used + cost <= tokens {
            used += cost;
            kept.push(entry);
        } else if kept.is_empty() {
            // The one that matters most is there in any case, if not in full.
            kept.push(clipped(entry, tokens));
            used = tokens;
        }
    }
    if keep == Keep::Last {
        kept.reverse();
    }
    Value::Array(kept).to_string()
}

/// An entry that is too long, its texts cut.
fn clipped(entry: Value, tokens: u64) -> Value {
    match entry {
        Value::String(text) => json!(clip(&text, tokens)),
        Value::Object(fields) => {
            let share = tokens / u64::try_from(fields.len().max(1)).unwrap_or(1);
            Value::Object(fields.into_iter().map(|(name, value)| (name, clipped(value, share))).collect())
        }
        other => other,
    }
}

/// The beginning of a text that costs no more than that, with `…` if it goes on.
pub(crate) fn clip(text: &str, tokens: u64) -> String {
    let text = text.trim();
    if estimate::tokens(text) <= tokens {
        return text.to_owned();
    }
    let (mut low, mut high) = (0, text.chars().count());
    let cut = |count: usize| text.chars().take(count).collect::<String>();
    while low < high {
        let middle = (low + high).div_ceil(2);
        if estimate::tokens(&cut(middle)) < tokens {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    cut(low) + "…"
}

#[cfg(test)]
mod tests {
    use qingyu_story::OutlineNodeKind;

    use super::*;

    fn long_story() -> Story {
        let node = |order: u32| OutlineNode {
            id: format!("o-{order}"),
            order,
            name: format!("第{order}章"),
            description: "雨".repeat(5_000),
            goal: "找".repeat(2_000),
            participants: vec!["林青".into()],
            ..OutlineNode::default()
        };
        let document = |order: u32| Document {
            id: format!("d-{order}"),
            order,
            title: format!("第{order}章"),
            outline_node: Some(format!("o-{order}")),
            text: "他走了。".repeat(1_000),
            ..Document::default()
        };
        Story {
            outline_nodes: (1..=9).map(node).collect(),
            documents: (1..=8).map(document).collect(),
            ..Story::default()
        }
    }

    #[test]
    fn every_section_keeps_its_limit() {
        let story = long_story();
        let around = surroundings(&Book::of(&story), 9);
        assert!(around.outline.iter().all(|line| estimate::tokens(line) <= limit::NODE + 20), "{around:?}");
        assert_eq!(around.before.len(), 3);
        assert!(around.before.iter().all(|line| estimate::tokens(line) <= limit::SUMMARY));
        assert!(around.ending.chars().count() <= ENDING && around.ending.ends_with("他走了。"));
        assert_eq!(around.next, "", "the last chapter has none after it");
        let entries: Vec<Value> =
            (0..900).map(|number| json!({"title": format!("事件{number}"), "description": "雨".repeat(50)})).collect();
        let facts: Vec<Value> = (0..900)
            .map(|number| json!({"fact": format!("f-{number}"), "subject": "林青", "predicate": "知道", "value": "雨".repeat(30), "mode": "said", "by": "苏曼", "known_by": [{"who": "老周"}]}))
            .collect();
        let related = json!({"timeline_events": entries, "facts": facts, "participating_characters": entries});
        let passages: Vec<Value> = (0..50).map(|_| json!({"name": "第一章", "text": "雨".repeat(400)})).collect();
        let card = chapter(&around, &related, &[], &passages, 6_000);
        assert!(estimate::tokens(&card) <= 6_000);
        assert!(card.lines().any(|line| line.starts_with("facts: ")), "events do not crowd out facts");
        let events = card.lines().find(|line| line.starts_with("events: ")).unwrap();
        assert!(events.contains("事件899") && !events.contains("事件0\""), "the last events are the nearest");
        assert!(card.lines().last().unwrap().starts_with("passages: "));
    }

    #[test]
    fn clipping_keeps_the_limit() {
        for text in ["雨夜里的灯。".repeat(40), "a stormy night ".repeat(40)] {
            for tokens in [1, 7, 50, 100_000] {
                let clipped = clip(&text, tokens);
                assert!(estimate::tokens(&clipped) <= tokens.max(1), "{clipped} > {tokens}");
            }
        }
    }

    #[test]
    fn scenes_are_the_nodes_below() {
        let mut story = long_story();
        let scene = OutlineNode {
            id: "o-20".into(),
            kind: OutlineNodeKind::Scene,
            parent: Some("第2章".into()),
            order: 20,
            name: "码头".into(),
            ..OutlineNode::default()
        };
        story.outline_nodes.push(scene);
        let book = Book::of(&story);
        let of =
            |number| scenes(&book, book.node(number).unwrap()).iter().map(|node| node.name.clone()).collect::<Vec<_>>();
        assert_eq!((of(1), of(2)), (vec![], vec!["码头".to_owned()]));
    }
}
