//! The body of a request. Built as values only, so that it is always JSON.

use serde_json::{Map, Value, json};

use super::super::output;
use crate::provider::{OutputMode, Quirks};
use crate::{Message, Request, Role};

/// The limit of a request for which neither it nor the provider's row states one; the protocol demands one.
const MAX_TOKENS: u32 = 8_192;

/// The body that asks `model` for `request`.
pub(super) fn build(request: &Request, model: &str, provider: &str, quirks: &Quirks) -> Value {
    let mode = mode(request, quirks);
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("max_tokens".into(), request.max_tokens.or(quirks.max_tokens).unwrap_or(MAX_TOKENS).into());
    let system = output::system_text(request, mode, quirks);
    if !system.is_empty() {
        body.insert("system".into(), system.into());
    }
    body.insert("messages".into(), messages(request, provider));
    body.insert("stream".into(), true.into());
    // Thinking fixes the temperature; without it the scale ends at 1.
    if let Some(temperature) = request.temperature.filter(|_| !thinks(quirks)) {
        body.insert("temperature".into(), output::decimal(temperature.min(1.0)));
    }
    let mut tools: Vec<Value> =
        request.tools.iter().map(|tool| self::tool(&tool.name, &tool.description, &tool.parameters)).collect();
    if let (Some(OutputMode::Tool), Some(output)) = (mode, &request.output) {
        let choice = match tools.is_empty() {
            true => json!({ "type": "tool", "name": output.name }),
            false => json!({ "type": "any" }),
        };
        tools.push(tool(&output.name, output::TOOL_DESCRIPTION, &output.schema));
        body.insert("tool_choice".into(), choice);
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    output::finish_body(body, mode, quirks)
}

/// The tool whose arguments will be the answer to `request`.
pub(super) fn output_tool(request: &Request, quirks: &Quirks) -> Option<String> {
    let is_tool = mode(request, quirks) == Some(OutputMode::Tool);
    request.output.as_ref().filter(|_| is_tool).map(|output| output.name.clone())
}

/// The protocol knows two modes, a forced call and plain text, and no forced call while thinking.
fn mode(request: &Request, quirks: &Quirks) -> Option<OutputMode> {
    output::mode(request, quirks).map(|mode| match mode {
        OutputMode::Tool if !thinks(quirks) => OutputMode::Tool,
        _ => OutputMode::Text,
    })
}

fn thinks(quirks: &Quirks) -> bool {
    quirks.extra_body.get("thinking").is_some_and(|thinking| thinking["type"] != "disabled")
}

fn tool(name: &str, description: &str, parameters: &Value) -> Value {
    json!({ "name": name, "description": description, "input_schema": parameters })
}

/// The messages; neighbours of one role become one, so that all results of a round stand in one message.
fn messages(request: &Request, provider: &str) -> Value {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, blocks) = match message.role {
            Role::System => continue,
            Role::User => ("user", text(&message.text)),
            Role::Assistant => ("assistant", assistant(message, provider)),
            Role::Tool => {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                ("user", vec![json!({ "type": "tool_result", "tool_use_id": id, "content": message.text })])
            }
        };
        match messages.last_mut() {
            Some((last, so_far)) if *last == role => so_far.extend(blocks),
            _ if blocks.is_empty() => {}
            _ => messages.push((role, blocks)),
        }
    }
    messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

/// Empty text blocks are refused.
fn text(text: &str) -> Vec<Value> {
    if text.is_empty() { Vec::new() } else { vec![json!({ "type": "text", "text": text })] }
}

/// The provider's own blocks, unchanged, if they are its own; else the same said in new ones.
fn assistant(message: &Message, provider: &str) -> Vec<Value> {
    if message.raw["provider"] == provider
        && let Some(blocks) = message.raw["blocks"].as_array()
    {
        return blocks.clone();
    }
    let calls = message.tool_calls.iter().map(|call| {
        let input = serde_json::from_str(&call.arguments).ok().filter(Value::is_object);
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input.unwrap_or_else(|| json!({})) })
    });
    text(&message.text).into_iter().chain(calls).collect()
}
