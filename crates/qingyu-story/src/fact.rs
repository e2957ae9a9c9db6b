//! Facts: single statements about the story's world, with period of validity, knowers and source sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Mode;

/// One statement: a subject, a predicate, and an object or a value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Fact {
    /// Given by the studio, such as `f-3`; may be left empty.
    pub id: String,
    /// The name or id of the character, place, thing, organisation or event that it is about.
    pub subject: String,
    /// What is said of it: a word of the [vocabulary](crate::predicate), such as `holds` or `瞳色`, or a word of its own.
    pub predicate: String,
    /// The name or id of what is on the other side: a character, place, thing, organisation, event, or the id of a fact.
    pub object: Option<String>,
    /// The value, if there is no object: a number, a text, or whether it is so.
    #[schemars(with = "Option<Plain>")]
    #[serde(deserialize_with = "plain")]
    pub value: Value,
    /// What a number is counted in, such as `尺` or `years`; empty if it needs none.
    pub unit: String,
    /// From when it holds: a time in the story's words, or the title or id of an event or outline node; empty if unknown.
    pub from: String,
    /// Until when it holds, in the same words; empty if unknown. The same as `from` for what is seen at one moment.
    pub until: String,
    /// How it is told.
    pub mode: Mode,
    /// Who says, believes, dreams, plans it, or lies.
    pub by: Option<String>,
    /// The sentence that asserts it.
    pub source: Option<Quotation>,
    /// Who knows it; of a lie, who believes it.
    pub known_by: Vec<Knower>,
}

impl Fact {
    /// Returns the statement as one line: `林青 瞳色 黑`.
    pub fn label(&self) -> String {
        let other = match (&self.object, &self.value) {
            (Some(object), _) => object.clone(),
            (None, Value::Null) => String::new(),
            (None, Value::String(text)) => text.clone(),
            (None, value) => with_unit(&value.to_string(), &self.unit),
        };
        format!("{} {} {other}", self.subject.trim(), self.predicate.trim()).trim().to_owned()
    }
}

/// Returns a value with its unit, as written: `31 years`, but `9尺`.
pub fn with_unit(value: &str, unit: &str) -> String {
    let unit = unit.trim();
    let space = if unit.starts_with(|c: char| c.is_alphabetic() && c < '\u{2E80}') { " " } else { "" };
    format!("{value}{space}{unit}")
}

/// A sentence of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Quotation {
    /// The id or title of the document.
    pub document: String,
    /// The version of the document that was read; 0 if unknown.
    pub version: u32,
    /// Where the sentence begins, in characters (not bytes) from the beginning of the text.
    pub start: Option<u32>,
    /// Where it ends, in characters; the character there is no longer part of it.
    pub end: Option<u32>,
    /// The words.
    pub quote: String,
}

/// Somebody who knows a fact.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Knower {
    /// The name or id of the character or organisation.
    pub who: String,
    /// Since when, in the words of [`Fact::from`]; empty if unknown.
    pub since: String,
    /// How they came to know, in a few words.
    pub how: String,
    /// Who told them in person, if somebody did.
    pub told_by: Option<String>,
}

/// Deserializes a scalar value; returns an error for a list or an object of values.
fn plain<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Array(_) | Value::Object(_) => {
            Err(serde::de::Error::custom("a value is a number, a text, or whether it is so"))
        }
        value => Ok(value),
    }
}

/// What a value may be.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Plain {
    /// Whether it is so.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_of_letters_stands_apart_from_its_number() {
        let label = |value: Value, unit: &str| {
            Fact { subject: "林青".into(), predicate: "age".into(), value, unit: unit.into(), ..Fact::default() }
                .label()
        };
        assert_eq!(label(31.into(), "years"), "林青 age 31 years");
        assert_eq!(label(31.into(), "岁"), "林青 age 31岁");
        assert_eq!(label(31.into(), ""), "林青 age 31");
        assert_eq!([with_unit("9", "尺"), with_unit("5", "%"), with_unit("9", " m ")], ["9尺", "5%", "9 m"]);
    }
}
