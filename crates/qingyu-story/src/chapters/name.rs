//! What a caller calls a chapter.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a caller calls a chapter, or several: a number (3, as its heading has it), a title, an id, a place (`#4`), or a
/// stretch (`1-3`). Read by [`Chapters::resolve_list`](super::Chapters::resolve_list).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChapterName(String);

impl ChapterName {
    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<u32> for ChapterName {
    fn from(number: u32) -> Self {
        Self(number.to_string())
    }
}

impl From<&str> for ChapterName {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl From<String> for ChapterName {
    fn from(name: String) -> Self {
        Self(name)
    }
}

impl fmt::Display for ChapterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for ChapterName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<u32>() {
            Ok(number) if number.to_string() == self.0 => serializer.serialize_u32(number),
            _ => serializer.serialize_str(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for ChapterName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "the number, title, id or place (\"#4\") of a chapter")]
        enum Given {
            Number(u32),
            Name(String),
        }
        Ok(match Given::deserialize(deserializer)? {
            Given::Number(number) => number.into(),
            Given::Name(name) => Self(name),
        })
    }
}

impl JsonSchema for ChapterName {
    fn schema_name() -> Cow<'static, str> {
        "ChapterName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A chapter: its number as its heading has it, its title, its id, its place in the book (`#4`), or several (`1-3`).",
            "anyOf": [{"type": "string"}, {"type": "integer", "format": "uint32", "minimum": 0, "maximum": 4_294_967_295_u32}],
        })
    }
}
