//! What the prompts of the production are filled from. The same values travel in [`qingyu_llm::Request::context`].

use qingyu_production::{Intent, Status};
use qingyu_story::Language;
use qingyu_story::production::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Purpose `production.interview`: fills `prompts/production/interview`. The answer is prose: the next question or two.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Interviewing {
    /// The language to speak in.
    pub language: Language,
    /// What is produced, such as `course`, and its name for people.
    pub template: String,
    /// The user's first words.
    pub premise: String,
    /// What was said so far, oldest first.
    pub conversation: Vec<Line>,
    /// The fields that are made from the answers.
    pub wanted: Vec<Wanted>,
    /// How many questions were asked so far.
    pub asked: usize,
}

/// Purpose `production.route`: fills `prompts/production/route`. The answer is a [`Routed`](super::Routed).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RouteAsking {
    /// The language of the project.
    pub language: Language,
    /// What the user says.
    pub text: String,
    /// The name of the phase that is worked on.
    pub phase: String,
    /// Whether it is one in which the user is asked questions.
    pub is_interview: bool,
    /// Whether the user was asked to confirm something.
    pub waits_for_confirmation: bool,
    /// The phases, by name.
    pub phases: Vec<String>,
    /// The fields there are.
    pub fields: Vec<FieldLine>,
    /// What was said last, oldest first.
    pub conversation: Vec<Line>,
    /// What the rules take it for; `None` if they have no idea.
    pub floor: Option<Intent>,
}

/// Purpose `production.make`: fills `prompts/production/make`. The answer is prose if [`is_text`](Self::is_text), else JSON
/// that fits [`schema`](Self::schema).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Making {
    /// The language of the work.
    pub language: Language,
    /// What is produced, such as `course`.
    pub template: String,
    /// The user's first words.
    pub premise: String,
    /// The field.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// What it is to hold.
    pub guidance: String,
    /// Whether its value is text.
    pub is_text: bool,
    /// JSON Schema of its value.
    pub schema: Value,
    /// What it is made from.
    pub sources: Vec<Source>,
    /// The entry of the list that it is made for, if it is for one.
    pub entry: Option<Value>,
    /// What was said, oldest first: the whole interview, or the last of the conversation.
    pub conversation: Vec<Line>,
    /// Its value so far, if it is to be changed.
    pub before: Option<Value>,
    /// What the user wants of it, in words; empty if nothing was said.
    pub instruction: String,
}

impl Making {
    /// Whether the value is to be changed, not made.
    pub fn is_change(&self) -> bool {
        self.before.is_some()
    }

    /// The field with what its value is checked by.
    pub fn field(&self) -> Field {
        Field { path: self.path.clone(), schema: self.schema.clone(), ..Field::default() }
    }
}

/// Purpose `production.chat`: fills `prompts/production/chat`. The answer is prose.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Chatting {
    /// The language to speak in.
    pub language: Language,
    /// What is produced, such as `course`.
    pub template: String,
    /// The user's first words.
    pub premise: String,
    /// What the user says.
    pub text: String,
    /// The name of the phase that is worked on.
    pub phase: String,
    /// The fields there are.
    pub fields: Vec<FieldLine>,
    /// The fields that the user names.
    pub sources: Vec<Source>,
    /// What was said before, oldest first.
    pub conversation: Vec<Line>,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Line {
    /// Who said it.
    pub who: Who,
    /// The words.
    pub text: String,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The user.
    #[default]
    User,
    /// The agent.
    Agent,
}

/// A field that is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Wanted {
    /// Its path.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// What it is to hold.
    pub guidance: String,
}

/// A field in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldLine {
    /// Its path.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// How it stands.
    pub status: Status,
}

/// A field with its value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Source {
    /// Its path; with a JSON Pointer behind `#` if it is a part of the value.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// The value.
    pub value: Value,
    /// The value as text, cut to its share of the budget.
    pub text: String,
}
