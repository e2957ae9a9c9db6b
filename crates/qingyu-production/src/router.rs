//! What the user wants, by the words they use.

use qingyu_story::production::{Field, Phase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// That the phase ends and the next one begins; in an interview, that enough has been asked.
    AdvancePhase,
    /// That something is looked up in the world.
    Research,
    /// That content is made.
    Generate,
    /// That content is made differently.
    Modify,
    /// To see what is there.
    Query,
    /// To talk.
    Chat,
}

/// Where the user's words are said.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The fields of the project.
    pub fields: &'a [Field],
    /// Its phases, in order.
    pub phases: &'a [Phase],
    /// The name of the phase that is worked on.
    pub current_phase: &'a str,
    /// Whether it is one in which the user is asked questions.
    pub is_interview: bool,
    /// Whether the user was asked to confirm something.
    pub waits_for_confirmation: bool,
}

/// What the user's words are taken for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Routing {
    /// What the user wants.
    pub intent: Intent,
    /// The paths of the fields that are meant.
    pub fields: Vec<String>,
    /// The name of a phase that is named.
    pub phase: Option<String>,
    /// What is to be done, in the user's words.
    pub instruction: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Whether it can be acted upon without asking.
    pub is_sure: bool,
    /// By what it was decided.
    pub why: String,
    /// What else may be meant.
    pub others: Vec<Intent>,
}

/// What the words are taken for.
pub fn route(text: &str, situation: &Situation<'_>) -> Routing {
    let _ = situation;
    Routing {
        intent: Intent::Chat,
        fields: Vec::new(),
        phase: None,
        instruction: text.to_owned(),
        confidence: 0.5,
        is_sure: false,
        why: String::new(),
        others: Vec::new(),
    }
}
