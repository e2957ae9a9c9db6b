//! Gates: where a long run stops and waits for the author.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use qingyu_story::Severity;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A place where a run waits for the author's approval. As text `arc`, a number of chapters, or the
/// severity of a finding: `low`, `medium`, `high`, `critical`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WritingGate {
    /// After the last chapter of an arc.
    Arc,
    /// After so many chapters.
    Chapters(u32),
    /// After a chapter with a finding at least so severe.
    Severity(Severity),
}

/// Why a run waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "gate", rename_all = "snake_case")]
pub enum GateReason {
    /// An arc is written.
    ArcEnded {
        /// The name of the arc.
        arc: String,
    },
    /// So many chapters are written since the run began or last waited.
    Chapters {
        /// How many.
        count: u32,
    },
    /// The last chapter has a severe finding.
    Finding {
        /// Its severity.
        severity: Severity,
        /// In a line.
        title: String,
    },
}

impl GateReason {
    /// Returns the subject of the reason: the name of the arc, the number of chapters, or the title of the finding.
    pub fn subject(&self) -> String {
        match self {
            Self::ArcEnded { arc } => arc.clone(),
            Self::Chapters { count } => count.to_string(),
            Self::Finding { title, .. } => title.clone(),
        }
    }
}

const SEVERITIES: [(&str, Severity); 4] =
    [("low", Severity::Low), ("medium", Severity::Medium), ("high", Severity::High), ("critical", Severity::Critical)];

impl FromStr for WritingGate {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let word = given.trim().to_lowercase();
        let severity = SEVERITIES.iter().find(|(name, _)| *name == word).map(|(_, severity)| *severity);
        match (word.as_str(), severity, word.parse::<u32>()) {
            ("arc", ..) => Ok(Self::Arc),
            (_, Some(severity), _) => Ok(Self::Severity(severity)),
            (_, _, Ok(count)) if (1..=10_000).contains(&count) => Ok(Self::Chapters(count)),
            _ => Err(format!(
                "\"{given}\" is no gate; write arc, a number of chapters from 1 to 10000, or low, medium, high, critical"
            )),
        }
    }
}

impl fmt::Display for WritingGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arc => f.write_str("arc"),
            Self::Chapters(count) => write!(f, "{count}"),
            Self::Severity(severity) => {
                let name = SEVERITIES.iter().find(|(_, known)| known == severity).map_or("low", |(name, _)| *name);
                f.write_str(name)
            }
        }
    }
}

impl Serialize for WritingGate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WritingGate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for WritingGate {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "WritingGate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`arc`, a number of chapters such as `10`, or a severity: `low`, `medium`, `high`, `critical`.",
            "type": "string",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_written_as_words() {
        for (given, gate) in [
            ("arc", WritingGate::Arc),
            ("10", WritingGate::Chapters(10)),
            ("High", WritingGate::Severity(Severity::High)),
        ] {
            assert_eq!(given.parse(), Ok(gate));
            assert_eq!(gate.to_string(), given.to_lowercase());
        }
        for given in ["", "0", "never", "-1"] {
            assert!(given.parse::<WritingGate>().unwrap_err().contains("no gate"), "{given}");
        }
    }
}
