//! Reports on the engines that took part in an answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of the studio that a server may take over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnginePart {
    /// Keyword search.
    Keywords,
    /// Nearest vectors.
    Vectors,
    /// Graph queries.
    Graph,
    /// Memories of users.
    LongTerm,
    /// Memories of sessions.
    ShortTerm,
}

impl EnginePart {
    /// Returns the serialized name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keywords => "keywords",
            Self::Vectors => "vectors",
            Self::Graph => "graph",
            Self::LongTerm => "long_term",
            Self::ShortTerm => "short_term",
        }
    }
}

/// Whether a configured engine was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EngineState {
    /// The engine was used.
    Used,
    /// The engine's copy is not complete yet; the embedded engine was used.
    Behind,
    /// The engine does not answer; the embedded engine was used.
    Down,
    /// The engine cannot answer this request; the embedded engine was used.
    Unsupported,
}

/// How a configured engine took part in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EngineUse {
    /// The part.
    pub part: EnginePart,
    /// The server with its address, such as `PostgreSQL 127.0.0.1:5432`; never a password.
    pub server: String,
    /// Whether the engine was used.
    pub state: EngineState,
    /// The reason for not using the engine, in the words of the server or the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of pieces of the project, for an incomplete copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<usize>,
    /// The number of pieces in the copy, for an incomplete copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<usize>,
}

/// The reports of one answer: one for each part.
#[derive(Debug, Default)]
pub(crate) struct EngineUses(Vec<EngineUse>);

impl EngineUses {
    /// Adds a report; of several for a part, one that says why the engine was not used stays.
    pub(crate) fn add(&mut self, report: EngineUse) {
        match self.0.iter_mut().find(|known| known.part == report.part) {
            Some(known) if known.state == EngineState::Used => *known = report,
            Some(_) => {}
            None => self.0.push(report),
        }
    }

    pub(crate) fn into_reports(self) -> Vec<EngineUse> {
        self.0
    }
}

/// Adds the reports of a further search to those of an answer.
pub(crate) fn add_all(known: &mut Vec<EngineUse>, further: Vec<EngineUse>) {
    let mut uses = EngineUses(std::mem::take(known));
    further.into_iter().for_each(|report| uses.add(report));
    *known = uses.into_reports();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fallback_is_never_hidden_by_a_later_success() {
        let report = |state| EngineUse {
            part: EnginePart::Vectors,
            server: "Qdrant host:1".into(),
            state,
            reason: None,
            pieces: None,
            copied: None,
        };
        let mut uses = EngineUses::default();
        for state in [EngineState::Used, EngineState::Down, EngineState::Used] {
            uses.add(report(state));
        }
        assert_eq!(uses.into_reports(), [report(EngineState::Down)]);
    }
}
