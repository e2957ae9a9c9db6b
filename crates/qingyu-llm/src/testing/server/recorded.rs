//! What the server was asked.

use std::collections::BTreeMap;

use serde_json::Value;

/// One request that reached the server.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Its place among all requests, from 0.
    pub sequence: usize,
    /// The method, in capitals.
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The JSON body; null if there was none or it was not JSON.
    pub body: Value,
}

/// What kind of answer a path wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endpoint {
    /// `…/chat/completions`: OpenAI's protocol, Ollama's endpoint too.
    Chat,
    /// `…/messages`: Anthropic's protocol.
    Messages,
    /// `…/embeddings`.
    Embeddings,
    /// `…/models`.
    Models,
    /// Anything else.
    Other,
}

impl Recorded {
    /// What kind of answer is wanted.
    pub fn endpoint(&self) -> Endpoint {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        match last {
            "completions" if self.path.ends_with("/chat/completions") => Endpoint::Chat,
            "messages" => Endpoint::Messages,
            "embeddings" => Endpoint::Embeddings,
            "models" => Endpoint::Models,
            _ => Endpoint::Other,
        }
    }

    /// The model that was asked for.
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    /// All text of the conversation, system text first, one message a paragraph.
    pub fn prompt(&self) -> String {
        let system = texts(&self.body["system"]);
        let messages = self.body["messages"].as_array().into_iter().flatten().flat_map(|it| texts(&it["content"]));
        system.into_iter().chain(messages).collect::<Vec<_>>().join("\n\n")
    }

    /// The name of the schema the answer must match, if the request names one (JSON-schema mode or a forced tool).
    pub fn schema_name(&self) -> Option<&str> {
        self.body["response_format"]["json_schema"]["name"].as_str().or_else(|| self.forced_tool())
    }

    /// The tool the model is made to call, if any.
    pub fn forced_tool(&self) -> Option<&str> {
        let choice = &self.body["tool_choice"];
        choice["function"]["name"].as_str().or_else(|| choice["name"].as_str())
    }

    /// Whether the answer is to be streamed.
    pub fn streams(&self) -> bool {
        self.body["stream"] == true
    }
}

/// The texts of a message's content, which is a string or a list of blocks.
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
