//! Facts: single statements about the story's world, with period of validity, knowers and source sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Language, Mode, phrase, predicate};

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
    /// Returns the name or id of the one who dies by the fact; `None` for a fact that tells no death.
    pub(crate) fn victim(&self) -> Option<&str> {
        predicate::victim(&self.predicate, &self.subject, self.object.as_deref(), &self.value)
    }

    /// Returns the statement as a line for a reader: `林青 瞳色 黑`, `周德海 没有死亡`, `Ann holds the ruler`; a relation as a
    /// sentence that reads in one direction only, `林青的师父是周德海`.
    pub fn sentence(&self, language: Language) -> String {
        let object = self.object.as_deref().map(str::trim).filter(|object| !object.is_empty());
        let other = match (object, &self.value) {
            (object, Value::Null | Value::Bool(_)) => object,
            (None, Value::String(text)) => Some(text.trim()).filter(|text| !text.is_empty()),
            _ => None,
        };
        let quote = self.source.as_ref().map_or("", |source| source.quote.as_str());
        let related = other.and_then(|other| {
            phrase::relation_told(self.subject.trim(), self.predicate.trim(), other, quote, language)
        });
        match (related, &self.value) {
            (Some(said), Value::Bool(false)) => return phrase::denied(&said, language),
            (Some(said), _) => return said,
            (None, _) => {}
        }
        let word = predicate::written_or_shown(self.predicate.trim(), language);
        let (word, value) = match &self.value {
            Value::Null => (word, String::new()),
            Value::Bool(is_so) => (predicate::whether(&word, *is_so, language), String::new()),
            Value::String(text) => (word, with_unit(text.trim(), &self.unit)),
            value => (word, with_unit(&value.to_string(), &self.unit)),
        };
        let parts = [self.subject.trim(), &word, object.unwrap_or_default(), &value];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Returns the statement as one line in the words of the fact, by which facts are compared: `林青 瞳色 黑`. Readers get
    /// [`sentence`](Self::sentence).
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
    fn a_reader_gets_every_statement_in_his_language() {
        let fact = |predicate: &str, object: Option<&str>, value: Value, unit: &str| Fact {
            subject: "周德海".into(),
            predicate: predicate.into(),
            object: object.map(str::to_owned),
            value,
            unit: unit.into(),
            ..Fact::default()
        };
        let cases = [
            (fact("dies", None, true.into(), ""), "周德海 死亡", "周德海 dies"),
            (fact("死亡", None, false.into(), ""), "周德海 没有死亡", "周德海 dies: no"),
            (fact("ally_of", Some("林青"), Value::Null, ""), "周德海和林青是盟友", "周德海 and 林青 work together"),
            (fact("mentor_of", Some("林青"), Value::Null, ""), "周德海是林青的师长", "周德海 is 林青's teacher"),
            (fact("father", None, "林伯".into(), ""), "周德海的父母是林伯", "周德海's father is 林伯"),
            (
                fact("parent_of", Some("林青"), false.into(), ""),
                "并非：周德海的子女是林青",
                "not so: 周德海 is 林青's parent",
            ),
            (fact("is_at", Some("旧港"), Value::Null, ""), "周德海 位于 旧港", "周德海 is at 旧港"),
            (fact("职位", None, "船长".into(), ""), "周德海 职位 船长", "周德海 rank 船长"),
            (fact("age", None, 31.into(), "岁"), "周德海 年龄 31岁", "周德海 age 31岁"),
            (fact("knows", Some("林青"), "暗号".into(), ""), "周德海 知道 林青 暗号", "周德海 knows 林青 暗号"),
            (fact("暗号", None, "灯".into(), ""), "周德海 暗号 灯", "周德海 暗号 灯"),
        ];
        for (fact, chinese, english) in cases {
            assert_eq!([Language::Zh, Language::En].map(|language| fact.sentence(language)), [chinese, english]);
        }
    }

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
