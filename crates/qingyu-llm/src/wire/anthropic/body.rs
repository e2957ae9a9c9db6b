//! Builds request bodies, as values only, so always valid JSON.
//!
//! Pages: <https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide> (settings that are refused),
//! <https://platform.claude.com/docs/en/build-with-claude/structured-outputs> (`output_config.format`),
//! <https://platform.claude.com/docs/en/build-with-claude/effort> (`output_config.effort`),
//! <https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking> and
//! <https://platform.claude.com/docs/en/build-with-claude/prompt-caching> (`cache_control`).

use serde_json::{Map, Value, json};

use super::super::output;
use super::schema::native;
use crate::catalogue::Thinking;
use crate::provider::{OutputMode, Quirks};
use crate::{ChatMessage, ChatRequest, Effort, MessageRole};

/// Default token limit if neither the request nor the model's data has a limit; the protocol requires a limit.
const MAX_TOKENS: u32 = 8_192;

/// Returns the body of `request` for `model`.
pub(super) fn build(request: &ChatRequest, model: &str, provider: &str, quirks: &Quirks) -> Value {
    let mode = mode(request, quirks);
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("max_tokens".into(), output::max_tokens(request, quirks).unwrap_or(MAX_TOKENS).into());
    if let Some(system) = system(request, mode, quirks) {
        body.insert("system".into(), system);
    }
    body.insert("messages".into(), messages(request, model, provider, quirks));
    body.insert("stream".into(), true.into());
    let thinking = thinking(request, quirks);
    // Thinking fixes the temperature; without thinking the scale ends at 1.
    if let Some(temperature) = request.temperature.filter(|_| !thinks(request, quirks)) {
        body.insert("temperature".into(), output::decimal(temperature.min(1.0)));
    }
    if let Some(thinking) = thinking {
        body.insert("thinking".into(), thinking);
    }
    let mut config = Map::new();
    if let Some(level) = request.effort.and_then(|effort| quirks.known.level(effort)) {
        config.insert("effort".into(), level.into());
    }
    let mut tools: Vec<Value> =
        request.tools.iter().map(|tool| self::tool(&tool.name, &tool.description, &tool.parameters)).collect();
    match (mode, &request.output) {
        (Some(OutputMode::Tool), Some(output)) => {
            let choice = match tools.is_empty() {
                true => json!({ "type": "tool", "name": output.name }),
                false => json!({ "type": "any" }),
            };
            tools.push(tool(&output.name, output::TOOL_DESCRIPTION, &output.schema));
            body.insert("tool_choice".into(), choice);
        }
        (Some(OutputMode::JsonSchema), Some(output)) => {
            config.insert("format".into(), json!({ "type": "json_schema", "schema": native(&output.schema) }));
        }
        _ => {}
    }
    if !config.is_empty() {
        body.insert("output_config".into(), config.into());
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    output::finish_body(body, mode, quirks)
}

/// Returns the tool whose arguments will be the answer to `request`.
pub(super) fn output_tool(request: &ChatRequest, quirks: &Quirks) -> Option<String> {
    let is_tool = mode(request, quirks) == Some(OutputMode::Tool);
    request.output.as_ref().filter(|_| is_tool).map(|output| output.name.clone())
}

/// The protocol has three modes: a schema, if simple enough; a forced call, but not while the model thinks; plain text.
fn mode(request: &ChatRequest, quirks: &Quirks) -> Option<OutputMode> {
    let can_force = quirks.known.forced_tools != Some(false) && !thinks(request, quirks);
    let is_simple = || request.output.as_ref().is_some_and(|output| native(&output.schema).is_some());
    output::mode(request, quirks).map(|mode| match mode {
        OutputMode::JsonSchema if is_simple() => OutputMode::JsonSchema,
        OutputMode::JsonSchema | OutputMode::Tool if can_force => OutputMode::Tool,
        _ => OutputMode::Text,
    })
}

/// Returns the thinking setting; `None` if the model thinks by itself or cannot think. For a model without thinking by
/// default, thinking is set only on request.
fn thinking(request: &ChatRequest, quirks: &Quirks) -> Option<Value> {
    let known = &quirks.known;
    let wish = request.effort;
    match known.thinking? {
        Thinking::On if wish == Some(Effort::Off) => Some(json!({ "type": "disabled" })),
        Thinking::Off if wish.is_none_or(|wish| wish == Effort::Off) => None,
        // Without a summary of the thinking the stream is silent for minutes.
        _ if known.adaptive => Some(json!({ "type": "adaptive", "display": "summarized" })),
        _ => None,
    }
}

/// Returns whether the model thinks before answering `request`.
fn thinks(request: &ChatRequest, quirks: &Quirks) -> bool {
    let is_on = |thinking: &Value| thinking["type"] != "disabled";
    let stated = quirks.extra_body.get("thinking");
    let by_itself = || quirks.known.thinking.is_some_and(|thinking| thinking != Thinking::Off);
    match stated.cloned().or_else(|| thinking(request, quirks)) {
        Some(thinking) => is_on(&thinking),
        None => by_itself(),
    }
}

/// Returns the system text: in blocks, the first marked for caching, if the provider caches.
fn system(request: &ChatRequest, mode: Option<OutputMode>, quirks: &Quirks) -> Option<Value> {
    if !quirks.known.caching {
        let whole = output::system_text(request, mode, quirks);
        return (!whole.is_empty()).then(|| whole.into());
    }
    let (rules, schema) = output::system_parts(request, mode, quirks);
    let mut blocks: Vec<Value> = text(&rules);
    blocks.iter_mut().for_each(keep);
    blocks.extend(text(&schema));
    (!blocks.is_empty()).then(|| blocks.into())
}

/// Marks the end of a prefix cached by the provider.
fn keep(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}

fn tool(name: &str, description: &str, parameters: &Value) -> Value {
    json!({ "name": name, "description": description, "input_schema": parameters })
}

/// Returns the messages; adjacent messages of a role are merged, so that all results of a round are in a single
/// message.
///
/// In tool rounds, the conversation so far is marked for caching.
fn messages(request: &ChatRequest, model: &str, provider: &str, quirks: &Quirks) -> Value {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, blocks) = match message.role {
            MessageRole::System => continue,
            MessageRole::User => ("user", text(&message.text)),
            MessageRole::Assistant => ("assistant", assistant(message, model, provider)),
            MessageRole::Tool => {
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
    let is_long = !request.tools.is_empty() || messages.len() > 1;
    if quirks.known.caching
        && is_long
        && let Some(last) = messages.last_mut().and_then(|(_, blocks)| blocks.last_mut())
    {
        keep(last);
    }
    messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

/// Empty text blocks are refused.
fn text(text: &str) -> Vec<Value> {
    if text.is_empty() { Vec::new() } else { vec![json!({ "type": "text", "text": text })] }
}

/// Returns the provider's own blocks unchanged if they are from the same provider; else the same content in new blocks.
/// Thinking is bound to its model.
fn assistant(message: &ChatMessage, model: &str, provider: &str) -> Vec<Value> {
    if message.raw["provider"] == provider
        && let Some(blocks) = message.raw["blocks"].as_array()
    {
        let is_own = message.raw["model"].as_str().is_none_or(|by| by == model);
        let is_thinking = |block: &Value| matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"));
        return blocks.iter().filter(|block| is_own || !is_thinking(block)).cloned().collect();
    }
    let calls = message.tool_calls.iter().map(|call| {
        let input = serde_json::from_str(&call.arguments).ok().filter(Value::is_object);
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input.unwrap_or_else(|| json!({})) })
    });
    text(&message.text).into_iter().chain(calls).collect()
}
