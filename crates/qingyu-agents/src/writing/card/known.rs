//! What is so by a chapter, as lines in the language of the book: from what the context tool found.

use std::collections::BTreeSet;

use qingyu_story::{CharacterRelation, Mode, TimelineEvent, with_unit};
use serde::Deserialize;
use serde_json::Value;

use super::words::Words;

/// The most people who are named as knowing or not knowing something.
const KNOWERS: usize = 4;

/// What is between the people, a line each.
pub(super) fn relations(found: &[Value], words: &Words) -> Vec<String> {
    let relations = found.iter().filter_map(|one| CharacterRelation::deserialize(one).ok());
    let line = |relation: CharacterRelation| {
        let says = words.relation(relation.from.trim(), relation.kind, relation.to.trim());
        match relation.description.trim() {
            "" => says,
            description => words.labelled(&says, description),
        }
    };
    relations.map(line).collect()
}

/// Events, a line each: when and where, then what.
pub(super) fn events(found: &[Value], words: &Words) -> Vec<String> {
    found.iter().filter_map(|one| TimelineEvent::deserialize(one).ok()).map(|event| event_line(&event, words)).collect()
}

/// An event in a line.
pub(super) fn event_line(event: &TimelineEvent, words: &Words) -> String {
    let place = event.location.as_deref().unwrap_or_default();
    let when: Vec<&str> = [event.timestamp.trim(), place.trim()].into_iter().filter(|text| !text.is_empty()).collect();
    let (title, description) = (event.title.trim(), event.description.trim());
    let what = match description {
        "" => title.to_owned(),
        _ if description.contains(title) => description.to_owned(),
        _ => words.labelled(title, description),
    };
    let what = format!("{}{what}", words.mode(event.mode, ""));
    let line = if when.is_empty() { what } else { words.labelled(&when.join(words.comma), &what) };
    // Those whom the line names already are not named again.
    let people: Vec<&str> = event.participants.iter().map(String::as_str).filter(|name| !line.contains(name)).collect();
    if people.is_empty() { line } else { format!("{line}{}", words.remark(&people.join(words.comma))) }
}

/// Promises, a line each; `place` says which chapter a document or node is.
pub(super) fn promises(found: &[Value], words: &Words, place: &dyn Fn(&str) -> String) -> Vec<String> {
    let line = |promise: &Value| {
        let text = |key: &str| promise[key].as_str().unwrap_or_default().trim().to_owned();
        let planted = match &promise["planted"] {
            Value::Array(places) => places.first().and_then(Value::as_str).map(place).unwrap_or_default(),
            other => other.as_str().map(place).unwrap_or_default(),
        };
        let mut remarks = Vec::new();
        match text("state").as_str() {
            "pay_here" => remarks.push(words.pay_here.to_owned()),
            "overdue" => remarks.push(words.overdue.to_owned()),
            _ => {}
        }
        let labelled = |label: &str, place: &str| format!("{label}{}{place}", if words.is_zh() { "" } else { " " });
        if !planted.is_empty() {
            remarks.push(labelled(words.planted_in, &planted));
        }
        let due = text("due");
        if !due.is_empty() {
            remarks.push(labelled(words.due, &place(&due)));
        }
        let mut line = text("name");
        if !text("description").is_empty() {
            line = words.labelled(&line, &text("description"));
        }
        if remarks.is_empty() { line } else { format!("{line}{}", words.remark(&remarks.join(words.comma))) }
    };
    found.iter().map(line).collect()
}

/// Places, things and organisations, a line each; the world and its rules stand elsewhere.
pub(super) fn settings(found: &[Value], words: &Words) -> Vec<String> {
    let is_setting = |one: &&Value| matches!(one["kind"].as_str(), Some("location" | "item" | "organisation"));
    let line = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap_or_default().trim().to_owned();
        match text("description").as_str() {
            "" => text("name"),
            description => words.labelled(&text("name"), description),
        }
    };
    found.iter().filter(is_setting).map(line).collect()
}

/// A fact as a line of its subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// About whom or what.
    pub(super) subject: String,
    /// What is said.
    pub(super) says: String,
    /// Whether somebody who takes part is its subject or object.
    pub(super) is_near: bool,
    /// The higher, the later it became known.
    pub(super) age: u64,
}

/// The facts, without those that a card or another fact says already and without states of a past that is over. `here` are
/// the names of those who take part; `cards` their cards, as text.
pub(super) fn facts(found: &[Value], here: &[String], cards: &str, words: &Words) -> Vec<Said> {
    let mut seen = BTreeSet::new();
    let facts = found.iter().filter_map(|fact| said(fact, here, words));
    let mut facts: Vec<Said> = facts.filter(|said| !said.says.is_empty()).collect();
    facts.sort_by_key(|said| std::cmp::Reverse(said.age));
    facts.retain(|said| seen.insert((said.subject.clone(), said.says.clone())));
    // What stands on a card need not be said again.
    facts.retain(|said| {
        let rest = said.says.trim_start_matches(|c: char| !c.is_ascii_digit());
        let is_age = said.says.starts_with(&words.predicate("age")) && cards.contains(rest) && !rest.is_empty();
        let trade = said.says.strip_prefix(&words.predicate("occupation")).map(str::trim);
        !is_age && !trade.is_some_and(|trade| !trade.is_empty() && cards.contains(trade))
    });
    facts
}

fn said(fact: &Value, here: &[String], words: &Words) -> Option<Said> {
    let text = |key: &str| fact[key].as_str().unwrap_or_default().trim().to_owned();
    let mode = Mode::deserialize(&fact["mode"]).unwrap_or_default();
    let (subject, predicate) = (text("subject"), text("predicate"));
    let from = text("from");
    let word = qingyu_story::predicate::find(&predicate);
    let is_state = word.is_some_and(|word| word.single || word.exclusive || word.role.is_some());
    if mode == Mode::Flashback && is_state && from.is_empty() {
        return None;
    }
    let label = words.predicate(&predicate);
    let is_chinese = words.is_zh();
    let joined = |value: &str| match is_chinese {
        true => format!("{label}{value}"),
        false => format!("{label} {value}"),
    };
    let says = match (&fact["value"], text("object")) {
        (_, object) if !object.is_empty() => joined(&object),
        (Value::Bool(true), _) => label.clone(),
        (Value::Bool(false), _) if is_chinese => format!("没有{label}"),
        (Value::Bool(false), _) => format!("not {label}"),
        (Value::Null, _) => return None,
        (Value::String(value), _) => joined(value.trim()),
        (other, _) => joined(&with_unit(&other.to_string(), &text("unit"))),
    };
    let mut says = format!("{}{says}", words.mode(mode, &text("by")));
    if mode == Mode::Flashback && !from.is_empty() {
        says = format!("{from}{}{says}", words.comma);
    }
    let knowers = fact["known_by"].as_array().into_iter().flatten().filter_map(|knower| knower["who"].as_str());
    let knowers: Vec<&str> = knowers.collect();
    if !knowers.is_empty() && knowers.len() <= KNOWERS {
        let known = format!("{}{}", words.known_by, knowers.join(words.comma));
        says.push_str(&words.remark(&known));
    }
    let object = text("object");
    let is_near = here.iter().any(|name| *name == subject || *name == object);
    Some(Said { subject, says, is_near, age: number_of(fact["fact"].as_str().unwrap_or_default()) })
}

/// The number in an id; a higher one was given later.
fn number_of(id: &str) -> u64 {
    let digits: String = id.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}
