//! The context in every prompt: creator, goal and audience.

use qingyu_story::Story;
use qingyu_story::production::Golden;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::FieldBoard;
use crate::text::is_nothing;

/// What every model is told of a project. Empty parts are left out of prompts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GoldenContext {
    /// Who creates.
    pub creator_profile: String,
    /// What is to be reached.
    pub intent: String,
    /// For whom.
    pub consumer_personas: String,
    /// What is known of the author's preferences, a line each; not part of the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
    /// What was said before in the same session; not part of the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<SaidLine>,
}

/// A line of a session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SaidLine {
    /// Whether the author said it; otherwise it is an answer.
    pub by_author: bool,
    /// The words.
    pub text: String,
}

/// Maximum number of characters of each part; longer parts are cut at the end of a line.
pub const LIMIT: usize = 4_000;

impl GoldenContext {
    /// Returns the context from the fields of a project, without preferences and session. Fields without a value are skipped.
    pub fn of(story: &Story) -> Self {
        let board = FieldBoard::new(&story.fields);
        let part = |golden: Golden| {
            let texts: Vec<String> =
                values(&board, golden).map(|value| as_text(&value)).filter(|text| !text.is_empty()).collect();
            cut(&texts.join("\n"))
        };
        Self {
            creator_profile: part(Golden::CreatorProfile),
            intent: part(Golden::Intent),
            consumer_personas: part(Golden::ConsumerPersonas),
            preferences: Vec::new(),
            said: Vec::new(),
        }
    }

    /// Returns whether the context is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Returns an iterator over the values of the fields for a part of the context, in order, without missing ones.
pub(crate) fn values(board: &FieldBoard<'_>, golden: Golden) -> impl Iterator<Item = Value> {
    let fields = board.fields().iter().filter(move |field| field.golden == Some(golden) && field.item.is_none());
    fields.filter_map(move |field| board.value(&field.path)).filter(|value| !value.is_null())
}

/// Returns a value as text for people and models: text verbatim, members as `name: value`, entries as a list.
pub fn as_text(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text.trim().to_owned()
}

fn write(value: &Value, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Null => {}
        Value::String(words) => text.push_str(words.trim()),
        Value::Bool(_) | Value::Number(_) => text.push_str(&value.to_string()),
        Value::Array(entries) => {
            for entry in entries {
                text.push_str(&format!("\n{indent}- "));
                write(entry, depth + 1, text);
            }
        }
        Value::Object(members) => {
            for (position, (name, value)) in members.iter().filter(|(_, value)| !is_nothing(value)).enumerate() {
                // The first member is on the line of the dash.
                if position > 0 || !text.ends_with("- ") {
                    text.push_str(&format!("\n{indent}"));
                }
                text.push_str(&format!("{name}: "));
                write(value, depth + 1, text);
            }
        }
    }
}

fn cut(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(LIMIT) else { return text.to_owned() };
    let kept = &text[..end];
    kept.rfind('\n').map_or(kept, |line| &kept[..line]).to_owned()
}
