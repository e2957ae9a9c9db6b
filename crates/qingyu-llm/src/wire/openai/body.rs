//! Builds request bodies, as values only, so always valid JSON.
//!
//! Pages: <https://platform.openai.com/docs/api-reference/chat/create>,
//! <https://api-docs.deepseek.com/guides/thinking_mode>, <https://platform.kimi.ai/docs/api/models-overview>,
//! <https://docs.bigmodel.cn/cn/guide/capabilities/thinking>, <https://help.aliyun.com/zh/model-studio/deep-thinking>,
//! <https://platform.minimax.io/docs/api-reference/text-openai-api>.

use serde_json::{Map, Value, json};

use super::super::output;
use crate::catalogue::Thinking;
use crate::provider::{OutputMode, Quirks, ThinkingSwitch};
use crate::{ChatMessage, ChatRequest, Effort, MessageRole, ToolCall};

/// Returns the body of `request` for `model`.
pub(super) fn build(request: &ChatRequest, model: &str, provider: &str, quirks: &Quirks) -> Value {
    let mode = output::mode(request, quirks);
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("messages".into(), messages(request, mode, provider, quirks));
    body.insert("stream".into(), true.into());
    body.insert("stream_options".into(), json!({ "include_usage": true }));
    if let Some(temperature) = request.temperature {
        body.insert("temperature".into(), output::decimal(temperature));
    }
    if let Some(limit) = output::max_tokens(request, quirks) {
        let field = quirks.max_tokens_field.as_deref().unwrap_or("max_tokens");
        body.insert(field.into(), limit.into());
    }
    let mut tools: Vec<Value> =
        request.tools.iter().map(|tool| function(&tool.name, &tool.description, &tool.parameters)).collect();
    if let (Some(mode), Some(output)) = (mode, &request.output) {
        match mode {
            OutputMode::JsonSchema => {
                let strict = output::is_strict(&output.schema);
                let sent = output::sent_schema(output, quirks);
                let schema = json!({ "name": output.name, "schema": sent, "strict": strict });
                body.insert("response_format".into(), json!({ "type": "json_schema", "json_schema": schema }));
            }
            OutputMode::JsonObject => {
                body.insert("response_format".into(), json!({ "type": "json_object" }));
            }
            OutputMode::Tool => {
                let choice = match tools.is_empty() {
                    true => json!({ "type": "function", "function": { "name": output.name } }),
                    false => json!("required"),
                };
                tools.push(function(&output.name, output::TOOL_DESCRIPTION, &output.schema));
                body.insert("tool_choice".into(), choice);
            }
            OutputMode::Text => {}
        }
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    think(&mut body, request, provider, quirks);
    output::finish_body(body, mode, quirks)
}

/// Inserts the thinking effort in the provider's format. Inserts nothing without a requested effort, or for a model
/// without thinking.
fn think(body: &mut Map<String, Value>, request: &ChatRequest, provider: &str, quirks: &Quirks) {
    let (Some(switch), Some(thinking)) = (quirks.thinking_switch, quirks.known.thinking) else { return };
    // In tool rounds the thinking of each call must be sent back; a message without thinking, from another model or a
    // person, is refused while the model thinks.
    let lacks_thinking = |message: &ChatMessage| {
        let own = message.raw["provider"] == provider;
        let thought = own && message.raw["message"]["reasoning_content"].is_string();
        !message.tool_calls.is_empty() && !thought
    };
    let must_not =
        switch == ThinkingSwitch::Type && thinking == Thinking::On && request.messages.iter().any(lacks_thinking);
    let effort = match request.effort {
        _ if must_not => Effort::Off,
        Some(effort) => effort,
        None => return,
    };
    let is_off = effort == Effort::Off && thinking != Thinking::Always;
    let level = quirks.known.level(effort).map(Value::from);
    match switch {
        ThinkingSwitch::Effort => drop(level.map(|level| body.insert("reasoning_effort".into(), level))),
        ThinkingSwitch::Type if is_off => drop(body.insert("thinking".into(), json!({ "type": "disabled" }))),
        ThinkingSwitch::Type => {
            if thinking != Thinking::Always {
                let kind = if quirks.known.adaptive { "adaptive" } else { "enabled" };
                body.insert("thinking".into(), json!({ "type": kind }));
            }
            level.map(|level| body.insert("reasoning_effort".into(), level));
        }
        ThinkingSwitch::Enable if thinking != Thinking::Always => {
            body.insert("enable_thinking".into(), (!is_off).into());
        }
        ThinkingSwitch::Enable => {}
    }
}

/// Returns the tool whose arguments will be the answer to `request`.
pub(super) fn output_tool(request: &ChatRequest, quirks: &Quirks) -> Option<String> {
    let is_tool = output::mode(request, quirks) == Some(OutputMode::Tool);
    request.output.as_ref().filter(|_| is_tool).map(|output| output.name.clone())
}

fn function(name: &str, description: &str, parameters: &Value) -> Value {
    json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } })
}

fn messages(request: &ChatRequest, mode: Option<OutputMode>, provider: &str, quirks: &Quirks) -> Value {
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    let system = output::system_text(request, mode, quirks);
    if !system.is_empty() {
        messages.push(json!({ "role": "system", "content": system }));
    }
    // Thinking is sent back within a round of tool calls, and with every call while tools are offered: DeepSeek and
    // Kimi refuse a request with the thinking of a call missing. Other vendors ignore extra thinking.
    let round = request.messages.iter().rposition(|message| message.role == MessageRole::User).unwrap_or(0);
    for (position, message) in request.messages.iter().enumerate() {
        messages.extend(match message.role {
            MessageRole::System => None,
            MessageRole::User => Some(json!({ "role": "user", "content": message.text })),
            MessageRole::Assistant => {
                let is_call = !message.tool_calls.is_empty() && !request.tools.is_empty();
                Some(assistant(message, provider, position > round || is_call))
            }
            MessageRole::Tool => {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                Some(json!({ "role": "tool", "tool_call_id": id, "content": message.text }))
            }
        });
    }
    messages.into()
}

fn assistant(message: &ChatMessage, provider: &str, with_thinking: bool) -> Value {
    let mut said = Map::new();
    said.insert("role".into(), "assistant".into());
    said.insert("content".into(), message.text.as_str().into());
    let own = message.raw["provider"] == provider;
    if !message.tool_calls.is_empty() {
        if message.text.is_empty() {
            said.insert("content".into(), Value::Null);
        }
        let blocks = if own { &message.raw["calls"] } else { &Value::Null };
        let calls: Vec<Value> = message.tool_calls.iter().map(|call| tool_call(call, &blocks[&call.id])).collect();
        said.insert("tool_calls".into(), calls.into());
    }
    if own
        && with_thinking
        && let Some(fields) = message.raw["message"].as_object()
    {
        said.extend(fields.clone());
    }
    Value::Object(said)
}

/// Returns the call as made by the model, with the provider's own fields.
fn tool_call(call: &ToolCall, blocks: &Value) -> Value {
    // Truncated arguments are not JSON, and servers that parse the history would refuse the request.
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments).is_ok();
    let arguments = if is_json { call.arguments.as_str() } else { "{}" };
    let mut sent =
        json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } });
    if let (Some(sent), Some(blocks)) = (sent.as_object_mut(), blocks.as_object()) {
        sent.extend(blocks.clone());
    }
    sent
}
