//! A chapter name as given by a caller.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bounded::{Measured, at_most};

/// The maximum number of names in a request.
const MOST: u64 = 10_000;

/// A caller's name for one or several chapters: a number (3, as in the heading), a title, an id, a place (`#4`), or a
/// range (`1-3`). Parsed by [`Chapters::resolve_list`](super::Chapters::resolve_list).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChapterName(String);

impl ChapterName {
    /// Returns the name as text.
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

/// Deserializes one name, such as `第3章` or `3-5`, or a list of at most 10,000 names.
pub fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ChapterName>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a chapter by number, title, id or place (\"#4\"), several (\"3-5\"), or a list")]
    enum OneOrSeveral {
        One(ChapterName),
        Several(Vec<ChapterName>),
    }
    impl Measured for OneOrSeveral {
        fn excess(&self, most: u64) -> Option<String> {
            match self {
                Self::One(_) => None,
                Self::Several(names) => names.excess(most),
            }
        }
    }
    Ok(match at_most::<MOST, OneOrSeveral, D>(deserializer)? {
        OneOrSeveral::One(name) => vec![name],
        OneOrSeveral::Several(names) => names,
    })
}

/// Returns the schema of the values read by [`one_or_several`].
pub fn one_or_several_schema(generator: &mut SchemaGenerator) -> Schema {
    let name = generator.subschema_for::<ChapterName>();
    json_schema!({"anyOf": [name, {"type": "array", "items": name, "maxItems": MOST}]})
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct NamedChapters {
        #[serde(deserialize_with = "one_or_several")]
        chapters: Vec<ChapterName>,
    }

    #[test]
    fn one_name_is_a_list_of_one() {
        let read = |given: serde_json::Value| {
            let read = serde_json::from_value::<NamedChapters>(serde_json::json!({"chapters": given}));
            read.map(|read| read.chapters).map_err(|error| error.to_string())
        };
        for (given, expected) in [
            (serde_json::json!("第3章"), vec!["第3章"]),
            (serde_json::json!("3-5"), vec!["3-5"]),
            (serde_json::json!(3), vec!["3"]),
            (serde_json::json!(["1-2", 7]), vec!["1-2", "7"]),
            (serde_json::json!([]), vec![]),
        ] {
            assert_eq!(read(given), Ok(expected.into_iter().map(ChapterName::from).collect()));
        }
        assert!(read(serde_json::json!({"from": 1})).unwrap_err().contains("3-5"));
        assert!(read(serde_json::json!(vec![1; 10_001])).unwrap_err().contains("at most 10000"));
    }
}
