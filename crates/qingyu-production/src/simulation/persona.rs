//! Who reads, as the fields of a project say it, and what they are to understand.

use qingyu_story::Story;
use qingyu_story::production::Golden;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Board;
use crate::golden::as_text;

/// Most personas that read.
const MOST_PERSONAS: usize = 12;
/// Most points that are asked for.
const MOST_POINTS: usize = 6;

/// Somebody who reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Persona {
    /// The name.
    pub name: String,
    /// Who they are.
    pub who: String,
    /// The situation in which they meet the content.
    pub situation: String,
    /// What they want.
    pub wants: String,
    /// What they doubt.
    pub doubts: String,
    /// What they know already.
    pub knows: String,
}

/// A member of a persona.
type Member = fn(&mut Persona) -> &mut String;

/// The members of a persona, with the names that people and models give them.
const NAMES: [(&[&str], Member); 6] = [
    (&["name", "title", "label", "名字", "姓名", "名称"], |persona| &mut persona.name),
    (&["who", "role", "description", "profile", "是谁", "身份", "描述"], |persona| &mut persona.who),
    (&["situation", "context", "scene", "处境", "场景"], |persona| &mut persona.situation),
    (&["wants", "needs", "goals", "goal", "想要", "需求", "目标"], |persona| &mut persona.wants),
    (&["doubts", "objections", "fears", "pains", "疑虑", "顾虑", "痛点"], |persona| &mut persona.doubts),
    (&["knows", "knowledge", "level", "已知", "基础", "了解"], |persona| &mut persona.knows),
];

/// The personas of a value, however it was written: a list of objects, objects by name, one object, or lines of text.
///
/// Each has a name of its own; of whom nothing is said, not even a name, is left out, and so is who comes after the twelfth.
pub fn personas(value: &Value) -> Vec<Persona> {
    let mut found = Vec::new();
    gather(value, "", &mut found);
    found.truncate(MOST_PERSONAS);
    for place in 0..found.len() {
        if found[place].name.is_empty() {
            found[place].name = format!("{}", place + 1);
        }
        let name = found[place].name.clone();
        let is_taken = |found: &[Persona], name: &str| found[..place].iter().any(|other| other.name == name);
        let mut number = 1;
        while is_taken(&found, &found[place].name) {
            number += 1;
            found[place].name = format!("{name} {number}");
        }
    }
    found
}

fn gather(value: &Value, name: &str, found: &mut Vec<Persona>) {
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| gather(entry, name, found)),
        Value::Object(members) => {
            let mut persona = Persona { name: name.to_owned(), ..Persona::default() };
            let mut rest = Vec::new();
            for (key, value) in members {
                let wanted = key.trim().to_lowercase();
                match NAMES.iter().find(|(names, _)| names.contains(&wanted.as_str())) {
                    // A second name for the same does not take the place of the first.
                    Some((_, part)) => add(part(&mut persona), &line(value)),
                    None => rest.push((key, value)),
                }
            }
            let says_nothing = persona == Persona { name: persona.name.clone(), ..Persona::default() };
            if says_nothing && !rest.is_empty() && rest.iter().all(|(_, value)| value.is_object() || value.is_array()) {
                rest.into_iter()
                    .for_each(|(key, value)| gather(value, if value.is_object() { key } else { "" }, found));
                return;
            }
            for (key, value) in rest {
                let told = line(value);
                if !told.is_empty() {
                    add(&mut persona.who, &format!("{key}: {told}"));
                }
            }
            if persona != Persona::default() {
                found.push(persona);
            }
        }
        Value::String(text) => {
            let lines = text.lines().map(|line| line.trim().trim_start_matches(['-', '*', '•', '#']).trim());
            for line in lines.filter(|line| !line.is_empty()) {
                let (name, who) = line.split_once(['：', ':']).unwrap_or(("", line));
                found.push(Persona { name: name.trim().into(), who: who.trim().into(), ..Persona::default() });
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn add(part: &mut String, told: &str) {
    if !part.is_empty() && !told.is_empty() {
        part.push_str("; ");
    }
    part.push_str(told);
}

/// A value in one line.
fn line(value: &Value) -> String {
    match value {
        Value::Array(entries) => entries.iter().map(as_text).collect::<Vec<_>>().join("; "),
        other => as_text(other),
    }
    .replace('\n', " ")
}

/// The values that the fields of a project say about that part of the golden context.
fn golden(story: &Story, golden: Golden) -> Vec<Value> {
    let board = Board::new(&story.fields);
    let fields = story.fields.iter().filter(|field| field.golden == Some(golden) && field.item.is_none());
    fields.filter_map(|field| board.value(&field.path)).filter(|value| !value.is_null()).collect()
}

/// The personas of a project; none if its fields name none.
pub fn personas_of(story: &Story) -> Vec<Persona> {
    personas(&Value::Array(golden(story, Golden::ConsumerPersonas)))
}

/// What readers are to understand: promise, goal and signs of success of the intent, at most six.
pub fn points_of(story: &Story) -> Vec<String> {
    let mut points = Vec::new();
    for intent in golden(story, Golden::Intent) {
        for name in ["promise", "承诺", "goal", "目标", "success", "成功标准"] {
            let texts: Vec<String> = match intent.get(name) {
                Some(Value::Array(entries)) => entries.iter().map(line).collect(),
                Some(value) => vec![line(value)],
                None => Vec::new(),
            };
            for text in texts {
                if !text.is_empty() && !points.contains(&text) {
                    points.push(text);
                }
            }
        }
    }
    points.truncate(MOST_POINTS);
    points
}
