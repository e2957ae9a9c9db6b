//! Messages between the user and a production.

use qingyu_production::Intent;
use qingyu_story::bounded::at_most;
use qingyu_story::production::{Autonomy, Criterion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use qingyu_production::simulation::{Interaction, Persona};

/// What the user wants: in words, or as an order that needs no understanding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// Something in words.
    Say {
        /// The words.
        text: String,
    },
    /// What the phase made is confirmed; the next one begins. In an interview, enough has been asked.
    Advance,
    /// A phase is worked on again.
    Revisit {
        /// Its name or title.
        phase: String,
    },
    /// Fields are made, or made anew.
    Make {
        /// Their paths; those of the current phase that have no value if there are none.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        fields: Vec<String>,
        /// What the user wants of them.
        #[serde(default)]
        instruction: String,
        /// Whether their values are kept but for what the instruction asks for.
        #[serde(default)]
        is_change: bool,
    },
    /// Every stale field is made anew, and nothing else.
    MakeStale,
    /// The web is searched and read.
    Research {
        /// What is asked; the question of the production if it is empty.
        #[serde(default)]
        question: String,
        /// Most sources that are read; as many as usual if nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "at_most::<100, _, _>")]
        #[schemars(range(max = 100))]
        max_sources: Option<usize>,
    },
    /// Simulated consumers read.
    Simulate {
        /// Paths of the content; all of it if there are none.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        contents: Vec<String>,
        /// A text that is read in place of content of the project.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// What they do; everything if there is nothing.
        #[serde(default, deserialize_with = "at_most::<50, _, _>")]
        #[schemars(length(max = 50))]
        interactions: Vec<Interaction>,
        /// Who reads; those of the project if there are none. What these say is a report of its own.
        #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<50, _, _>")]
        #[schemars(length(max = 50))]
        personas: Vec<Persona>,
    },
    /// Content is judged.
    Evaluate {
        /// Paths of the content; all of it if there are none.
        #[serde(default, deserialize_with = "at_most::<1000, _, _>")]
        #[schemars(length(max = 1000))]
        contents: Vec<String>,
        /// A text that is judged in place of content of the project.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// How often; as often as usual if nothing is said.
        #[serde(default, deserialize_with = "at_most::<20, _, _>")]
        #[schemars(range(max = 20))]
        runs: Option<u32>,
        /// By what; the criteria of the production if there are none. What is judged by these is a report of its own.
        #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "at_most::<50, _, _>")]
        #[schemars(length(max = 50))]
        criteria: Vec<Criterion>,
    },
    /// Phases wait for a person, or do not.
    Autonomy {
        /// The phase, or `all`, and what holds from now on.
        phases: Vec<(String, Autonomy)>,
    },
    /// The run ends. The project stays as it is, and another run can go on with it.
    End,
}

/// What the run says when it waits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Turn {
    /// The phase that is worked on; empty if all are done.
    pub phase: String,
    /// What is wanted of the user.
    pub asks: Asks,
    /// The words.
    pub text: String,
    /// The fields that it is about.
    pub fields: Vec<String>,
    /// What the user may have meant, if they are to choose.
    pub options: Vec<Intent>,
    /// Whether it says why what was ordered cannot be done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_refusal: bool,
    /// Whether it tells of a failure, which is not told to a model later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    /// The order that waits for the user's agreement.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub proposal: Option<Box<Order>>,
}

/// What is wanted of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// Whatever they like.
    #[default]
    Anything,
    /// An answer to a question of the interview.
    Answer,
    /// That they confirm what a phase made.
    Confirm,
    /// That they say which of several things they meant.
    Choose,
    /// That they agree to the order as it was understood, before it costs anything.
    Agree,
}

impl Order {
    /// Returns the user's words, if any.
    pub fn words(&self) -> Option<&str> {
        let words = match self {
            Self::Say { text } => text,
            Self::Make { instruction, .. } => instruction,
            Self::Research { question, .. } => question,
            _ => return None,
        };
        Some(words.as_str()).filter(|words| !words.is_empty())
    }
}
