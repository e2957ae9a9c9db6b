//! Personas and points to understand, from the fields of a project.

use qingyu_story::production::{Field, Golden};
use qingyu_story::{Story, without_placeholders};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::FieldBoard;
use crate::content::Content;
use crate::golden::{as_text, values};
use crate::topic::find;

/// Maximum number of personas.
const MOST_PERSONAS: usize = 12;
/// Maximum number of points.
const MOST_POINTS: usize = 6;

/// Articles and possessives, with which the name of a persona may begin and which name nobody.
const DETERMINERS: [&str; 10] = ["the", "a", "an", "my", "our", "your", "his", "her", "its", "their"];

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

/// An accessor of a persona's member.
type Member = fn(&mut Persona) -> &mut String;

/// The members of a persona, with the names used by people and models.
const NAMES: [(&[&str], Member); 6] = [
    (&["name", "title", "label", "名字", "姓名", "名称"], |persona| &mut persona.name),
    (&["who", "role", "description", "profile", "是谁", "身份", "描述"], |persona| &mut persona.who),
    (&["situation", "context", "scene", "处境", "场景"], |persona| &mut persona.situation),
    (&["wants", "needs", "goals", "goal", "想要", "需求", "目标"], |persona| &mut persona.wants),
    (&["doubts", "objections", "fears", "pains", "疑虑", "顾虑", "痛点"], |persona| &mut persona.doubts),
    (&["knows", "knowledge", "level", "已知", "基础", "了解"], |persona| &mut persona.knows),
];

/// Returns the names of simulated readers that a text mentions: of the personas of a project, and of those whose reactions
/// are in a report. Case does not matter; of `Ruth Hall (sceptic)` the first word is enough, and of `The busy parent` the
/// first word that is not an article or a possessive.
pub fn mentioned(text: &str, fields: &[Field]) -> Vec<String> {
    let text = text.to_lowercase();
    let mut names: Vec<String> = Vec::new();
    for field in fields {
        if field.golden == Some(Golden::ConsumerPersonas) {
            names.extend(personas(&field.value).into_iter().map(|persona| persona.name));
        }
        let readings = field.value.get("readings").and_then(Value::as_array).into_iter().flatten();
        names.extend(readings.filter_map(|read| Some(read.get("persona")?.as_str()?.to_owned())));
    }
    names.sort();
    names.dedup();
    let is_mentioned = |name: &String| {
        let is_own = |word: &&str| !word.is_empty() && !DETERMINERS.contains(&word.to_lowercase().as_str());
        let first = name.split(|c: char| !c.is_alphanumeric()).find(is_own).unwrap_or_default();
        let is_name = |word: &str| word.chars().count() > 1 && word.chars().any(char::is_alphabetic);
        let of_name = [name.as_str(), first].into_iter().filter(|word| is_name(word));
        of_name.into_iter().any(|word| find(&text, &word.to_lowercase()).is_some())
    };
    names.into_iter().filter(is_mentioned).collect()
}

/// Parses the personas of a value in any form: a list of objects, objects by name, a single object, or lines of text.
///
/// Names are made unique; empty personas are omitted, and so are personas after the twelfth.
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
                    // A second name of a member does not override the first.
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

/// Returns a value on a single line.
fn line(value: &Value) -> String {
    match value {
        Value::Array(entries) => entries.iter().map(as_text).collect::<Vec<_>>().join("; "),
        other => as_text(other),
    }
    .replace('\n', " ")
}

/// Returns the personas of a project; empty by default.
pub fn personas_of(story: &Story) -> Vec<Persona> {
    let board = FieldBoard::new(&story.fields);
    personas(&Value::Array(values(&board, Golden::ConsumerPersonas).collect()))
}

/// Returns the points for readers to understand, at most six: the titles of the contents, or the headings of a single
/// one. Readers are not asked about goals that they have not seen.
pub fn points_of(contents: &[Content]) -> Vec<String> {
    let heading =
        |line: &str| line.trim_start().strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim().to_owned());
    let all: Vec<String> = match contents {
        [only] => only.text.lines().filter_map(heading).collect(),
        several => several.iter().map(|content| subject(&content.title)).collect(),
    };
    let mut points: Vec<String> = Vec::new();
    for point in all {
        let point = without_placeholders(&point).trim().to_owned();
        if !point.is_empty() && !points.contains(&point) {
            points.push(point);
        }
    }
    points.truncate(MOST_POINTS);
    points
}

/// Returns a title without the name of its list: `Wool` of `Lesson 2: Wool`.
fn subject(title: &str) -> String {
    title.split_once(['：', ':']).map_or(title, |(_, subject)| subject).trim().to_owned()
}
