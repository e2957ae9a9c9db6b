//! Contexts of the production's prompts. The same values are sent in [`qingyu_llm::ChatRequest::context`].

use qingyu_production::input::FieldInput;
use qingyu_production::sizes::ListSize;
use qingyu_production::{Intent, Status};
use qingyu_story::Language;
use qingyu_story::production::{Field, TextLength, Voice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Context of purpose `production.interview`: fills `prompts/production/interview`. The answer is prose: the next
/// question or two.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct InterviewContext {
    /// Language of the conversation.
    pub language: Language,
    /// Name of the template, such as `course`, with its label.
    pub template: String,
    /// The user's first words.
    pub premise: String,
    /// Conversation so far, oldest first.
    pub conversation: Vec<ConversationLine>,
    /// Fields to be made from the answers.
    pub(crate) wanted: Vec<WantedField>,
    /// Number of questions so far.
    pub asked: usize,
}

/// Context of purpose `production.route`: fills `prompts/production/route`. The answer is a `Routed`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RouteContext {
    /// Language of the project.
    pub language: Language,
    /// The user's words.
    pub text: String,
    /// Name of the current phase.
    pub phase: String,
    /// Whether the phase is an interview.
    pub is_interview: bool,
    /// Whether the user was asked for a confirmation.
    pub waits_for_confirmation: bool,
    /// Names of all phases.
    pub phases: Vec<String>,
    /// All fields.
    pub fields: Vec<FieldLine>,
    /// Last lines of the conversation, oldest first.
    pub conversation: Vec<ConversationLine>,
    /// Intent found by rules; `None` without a match.
    pub floor: Option<Intent>,
    /// Confidence of the rules, from 0 to 1.
    pub floor_confidence: f64,
    /// Fields found by rules.
    pub floor_fields: Vec<String>,
    /// Phase found by rules.
    pub floor_phase: Option<String>,
}

/// Context of purpose `production.make`: fills `prompts/production/make`. The answer is prose if
/// [`is_text`](Self::is_text), else JSON that fits [`schema`](Self::schema).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FieldContext {
    /// Language of the work.
    pub language: Language,
    /// Name of the template, such as `course`.
    pub template: String,
    /// The user's first words.
    pub premise: String,
    /// Path of the field.
    pub path: String,
    /// Title of the field.
    pub title: String,
    /// Description of the value.
    pub guidance: String,
    /// Whether the value is text.
    pub is_text: bool,
    /// JSON Schema of the value.
    pub schema: Value,
    /// Source fields of the value.
    pub sources: Vec<FieldSource>,
    /// Whether findings with numbered sources are among the sources.
    pub cites: bool,
    /// Sizes of the lists in the value, where the schema limits them.
    #[serde(default)]
    pub lists: Vec<ListSize>,
    /// Length of the text, if set.
    pub length: Option<TextLength>,
    /// How the creator writes, for content.
    pub voice: Option<Voice>,
    /// Entry of the source list, for a field made per entry.
    pub entry: Option<Value>,
    /// Conversation, oldest first: the whole interview, or the last lines.
    pub conversation: Vec<ConversationLine>,
    /// Current value, for a change.
    pub before: Option<Value>,
    /// The user's instruction; empty by default.
    pub instruction: String,
}

impl FieldContext {
    /// Returns whether an existing value is to be changed.
    pub fn is_change(&self) -> bool {
        self.before.is_some()
    }

    /// Returns the numbers of the sources of the findings shown.
    pub fn numbers(&self) -> Vec<u32> {
        let notes = self.sources.iter().filter(|source| FieldInput::parse(&source.path).is_relevant);
        let of_notes = notes.flat_map(|notes| notes.value["sources"].as_array().into_iter().flatten());
        of_notes.filter_map(|source| u32::try_from(source["number"].as_u64()?).ok()).collect()
    }

    /// Returns the field, with the schema for validation of its value.
    pub fn field(&self) -> Field {
        Field { path: self.path.clone(), schema: self.schema.clone(), ..Field::default() }
    }
}

/// Context of purpose `production.chat`: fills `prompts/production/chat`. The answer is prose.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ChatContext {
    /// Language of the conversation.
    pub language: Language,
    /// Name of the template, such as `course`.
    pub template: String,
    /// The user's first words.
    pub premise: String,
    /// The user's words.
    pub text: String,
    /// Name of the current phase.
    pub phase: String,
    /// All fields.
    pub fields: Vec<FieldLine>,
    /// Fields named by the user.
    pub sources: Vec<FieldSource>,
    /// Conversation before, oldest first.
    pub conversation: Vec<ConversationLine>,
}

/// A line of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ConversationLine {
    /// The speaker.
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

/// A field to be made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct WantedField {
    /// Path of the field.
    pub(crate) path: String,
    /// Title of the field.
    pub(crate) title: String,
    /// Description of the value.
    pub(crate) guidance: String,
}

/// A field, as listed in a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldLine {
    /// Path of the field.
    pub path: String,
    /// Title of the field.
    pub title: String,
    /// Status of the field.
    pub status: Status,
}

/// A field with its value.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct FieldSource {
    /// Path of the field; for a part of the value, followed by `#` and a JSON Pointer.
    pub path: String,
    /// Title of the field.
    pub title: String,
    /// The value.
    pub value: Value,
    /// The value as text, cut to its share of the budget.
    pub text: String,
}
