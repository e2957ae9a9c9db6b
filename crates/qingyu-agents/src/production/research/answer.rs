//! Answer types of the research.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is to be answered and searched for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Queries {
    /// The questions that together answer the question, the most important first.
    #[serde(default)]
    pub(crate) questions: Vec<PlannedQuestion>,
    /// Words as one would type them into a search engine, the most important first.
    pub queries: Vec<String>,
}

impl Queries {
    /// Returns search terms for a question that is not divided.
    pub fn of(queries: Vec<String>) -> Self {
        Self { queries, ..Self::default() }
    }
}

/// A question that the question is divided into.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PlannedQuestion {
    /// Who would ask it, in a few words.
    #[serde(default)]
    pub(crate) perspective: String,
    /// The question.
    pub(crate) question: String,
}

/// What one page says about the question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Notes {
    /// The notes; none if the page says nothing about it.
    pub notes: Vec<Note>,
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// What the page says, in one's own words.
    pub claim: String,
    /// Words of the page that say so, copied.
    pub quote: String,
}

/// What all notes say together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Synthesis {
    /// The answer as prose; `[n]` names the source `n`.
    pub summary: String,
    /// The answer claim by claim.
    pub findings: Vec<Claimed>,
    /// What the notes do not say.
    #[serde(default)]
    pub gaps: Vec<String>,
}

/// A claim as a model makes it; whether its sources exist is not known yet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Claimed {
    /// The claim.
    pub claim: String,
    /// The numbers of the sources that say so.
    #[serde(default)]
    pub sources: Vec<u32>,
    /// The number of the question that it answers.
    #[serde(default)]
    pub question: Option<u32>,
}
