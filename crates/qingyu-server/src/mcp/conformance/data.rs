//! The constant data of the fixtures.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_tools::texts::fill;
use rmcp::model::{
    CallToolResult, ErrorData, GetPromptResult, InputRequests, JsonObject, Prompt, PromptArgument, Resource,
    ResourceContents, Tool,
};
use serde::Deserialize;
use serde_json::Value;

/// The contents of `fixtures.json`.
#[derive(Deserialize)]
pub(super) struct FixtureData {
    pub(super) tools: Vec<Tool>,
    /// Constant results of tools.
    pub(super) answers: BTreeMap<String, CallToolResult>,
    /// Questions of tools and prompts, by round.
    pub(super) rounds: BTreeMap<String, Vec<InputRequests>>,
    /// Forms shown by tools to older clients.
    pub(super) forms: BTreeMap<String, Value>,
    pub(super) prompts: BTreeMap<String, FixturePrompt>,
    pub(super) resources: BTreeMap<String, FixtureResource>,
}

/// A prompt where `{argument}` is replaced by an argument.
#[derive(Deserialize)]
pub(super) struct FixturePrompt {
    description: String,
    arguments: Vec<String>,
    messages: Value,
}

/// A resource.
#[derive(Deserialize)]
pub(super) struct FixtureResource {
    about: String,
    pub(super) contents: ResourceContents,
}

pub(super) static DATA: LazyLock<FixtureData> = LazyLock::new(|| {
    serde_json::from_str(include_str!("fixtures.json")).expect("the fixtures are as the code reads them")
});

impl FixturePrompt {
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

impl FixtureResource {
    pub(super) fn listed(&self, uri: &str) -> Resource {
        let name = uri.strip_prefix("test://").unwrap_or(uri);
        Resource::new(uri, name).with_description(&self.about)
    }
}

/// Returns the value with words inserted into all its strings.
fn put_in(value: &Value, words: &[(&str, &str)]) -> Value {
    match value {
        Value::String(text) => fill(text, words).into(),
        Value::Array(list) => list.iter().map(|value| put_in(value, words)).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), put_in(value, words))).collect(),
        other => other.clone(),
    }
}
