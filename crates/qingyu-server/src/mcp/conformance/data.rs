//! What is constant of the fixtures.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_tools::texts::fill;
use rmcp::model::{
    CallToolResult, ErrorData, GetPromptResult, InputRequests, JsonObject, Prompt, PromptArgument, Resource,
    ResourceContents, Tool,
};
use serde::Deserialize;
use serde_json::Value;

/// What stands in `fixtures.json`.
#[derive(Deserialize)]
pub(super) struct Data {
    pub(super) tools: Vec<Tool>,
    /// What tools always answer.
    pub(super) answers: BTreeMap<String, CallToolResult>,
    /// What tools and prompts ask, one round after the other.
    pub(super) rounds: BTreeMap<String, Vec<InputRequests>>,
    /// The forms that tools show to older clients.
    pub(super) forms: BTreeMap<String, Value>,
    pub(super) prompts: BTreeMap<String, Sample>,
    pub(super) resources: BTreeMap<String, File>,
}

/// A prompt, with `{argument}` where an argument is put in.
#[derive(Deserialize)]
pub(super) struct Sample {
    description: String,
    arguments: Vec<String>,
    messages: Value,
}

/// A resource.
#[derive(Deserialize)]
pub(super) struct File {
    about: String,
    pub(super) contents: ResourceContents,
}

pub(super) static DATA: LazyLock<Data> = LazyLock::new(|| {
    serde_json::from_str(include_str!("fixtures.json")).expect("the fixtures are as the code reads them")
});

impl Sample {
    pub(super) fn listed(&self, name: &str) -> Prompt {
        let argument = |name: &String| PromptArgument::new(name).with_description("A word.").with_required(true);
        Prompt::new(name, Some(&self.description), Some(self.arguments.iter().map(argument).collect()))
    }

    pub(super) fn filled(&self, words: &JsonObject) -> Result<GetPromptResult, ErrorData> {
        let missing = self.arguments.iter().find(|name| !words.contains_key(*name));
        if let Some(name) = missing {
            return Err(ErrorData::invalid_params(format!("the argument '{name}' is needed"), None));
        }
        let words: Vec<(&str, &str)> =
            words.iter().filter_map(|(name, word)| Some((name.as_str(), word.as_str()?))).collect();
        let messages = serde_json::from_value(put_in(&self.messages, &words));
        messages.map(GetPromptResult::new).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

impl File {
    pub(super) fn listed(&self, uri: &str) -> Resource {
        let name = uri.strip_prefix("test://").unwrap_or(uri);
        Resource::new(uri, name).with_description(&self.about)
    }
}

/// The same value with words put into all its texts.
fn put_in(value: &Value, words: &[(&str, &str)]) -> Value {
    match value {
        Value::String(text) => fill(text, words).into(),
        Value::Array(list) => list.iter().map(|value| put_in(value, words)).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), put_in(value, words))).collect(),
        other => other.clone(),
    }
}
