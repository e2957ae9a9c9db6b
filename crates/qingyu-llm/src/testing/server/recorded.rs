//! Requests received by the server.

use std::collections::BTreeMap;

use serde_json::Value;

/// A request received by the server.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Sequence number among all requests, from 0.
    pub sequence: usize,
    /// The method in upper case.
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The JSON body; null if missing or not JSON.
    pub body: Value,
}

/// The endpoint of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordedEndpoint {
    /// `…/chat/completions`: OpenAI's protocol, Ollama's endpoint too.
    Chat,
    /// `…/messages`: Anthropic's protocol.
    Messages,
    /// `…/embeddings`.
    Embeddings,
    /// `…/models`.
    Models,
    /// Any other path.
    Other,
}

impl Recorded {
    /// Returns the requested endpoint.
    pub fn endpoint(&self) -> RecordedEndpoint {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        match last {
            "completions" if self.path.ends_with("/chat/completions") => RecordedEndpoint::Chat,
            "messages" => RecordedEndpoint::Messages,
            "embeddings" => RecordedEndpoint::Embeddings,
            "models" => RecordedEndpoint::Models,
            _ => RecordedEndpoint::Other,
        }
    }

    /// Returns the requested model.
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    /// Returns all text of the conversation, system text first, a paragraph per message.
    pub fn prompt(&self) -> String {
        let system = texts(&self.body["system"]);
        let messages = self.body["messages"].as_array().into_iter().flatten().flat_map(|it| texts(&it["content"]));
        system.into_iter().chain(messages).collect::<Vec<_>>().join("\n\n")
    }

    /// Returns the name of the required schema, if the request has a schema (JSON-schema mode or a forced tool).
    pub fn schema_name(&self) -> Option<&str> {
        self.body["response_format"]["json_schema"]["name"].as_str().or_else(|| self.forced_tool())
    }

    /// Returns the forced tool, if any.
    pub fn forced_tool(&self) -> Option<&str> {
        let choice = &self.body["tool_choice"];
        choice["function"]["name"].as_str().or_else(|| choice["name"].as_str())
    }

    /// Returns whether a stream is requested.
    pub fn streams(&self) -> bool {
        self.body["stream"] == true
    }
}

/// Returns the texts of a message's content, a string or a list of blocks.
fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .flat_map(|block| block["text"].as_str().map(Into::into).into_iter().chain(texts(&block["content"])))
            .collect(),
        _ => Vec::new(),
    }
}
