//! The body of a request. Built as values only, so that it is always JSON.
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
use crate::{Effort, Message, Request, Role};

/// The limit of a request for which neither it nor what is known of the model states one; the protocol demands one.
const MAX_TOKENS: u32 = 8_192;

/// The body that asks `model` for `request`.
pub(super) fn build(request: &Request, model: &str, provider: &str, quirks: &Quirks) -> Value {
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
    // Thinking fixes the temperature; without it the scale ends at 1.
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

/// The tool whose arguments will be the answer to `request`.
pub(super) fn output_tool(request: &Request, quirks: &Quirks) -> Option<String> {
    let is_tool = mode(request, quirks) == Some(OutputMode::Tool);
    request.output.as_ref().filter(|_| is_tool).map(|output| output.name.clone())
}

/// The protocol knows three modes: a schema, if it is simple enough; a forced call, but not while the model thinks; plain text.
fn mode(request: &Request, quirks: &Quirks) -> Option<OutputMode> {
    let can_force = quirks.known.forced_tools != Some(false) && !thinks(request, quirks);
    let is_simple = || request.output.as_ref().is_some_and(|output| native(&output.schema).is_some());
    output::mode(request, quirks).map(|mode| match mode {
        OutputMode::JsonSchema if is_simple() => OutputMode::JsonSchema,
        OutputMode::JsonSchema | OutputMode::Tool if can_force => OutputMode::Tool,
        _ => OutputMode::Text,
    })
}

/// How the model is told to think; nothing where it does so by itself, or cannot. A model that is not used to it is only told to
/// by a wish.
fn thinking(request: &Request, quirks: &Quirks) -> Option<Value> {
    let known = &quirks.known;
    let wish = request.effort;
    match known.thinking? {
        Thinking::On if wish == Some(Effort::Off) => Some(json!({ "type": "disabled" })),
        Thinking::Off if wish.is_none_or(|wish| wish == Effort::Off) => None,
        // Without a summary of the thinking nothing is heard of the model for minutes.
        _ if known.adaptive => Some(json!({ "type": "adaptive", "display": "summarized" })),
        _ => None,
    }
}

/// Whether the model thinks before it answers `request`.
fn thinks(request: &Request, quirks: &Quirks) -> bool {
    let is_on = |thinking: &Value| thinking["type"] != "disabled";
    let stated = quirks.extra_body.get("thinking");
    let by_itself = || quirks.known.thinking.is_some_and(|thinking| thinking != Thinking::Off);
    match stated.cloned().or_else(|| thinking(request, quirks)) {
        Some(thinking) => is_on(&thinking),
        None => by_itself(),
    }
}

/// The system text: in blocks, of which the first is kept by the provider, where it keeps any.
fn system(request: &Request, mode: Option<OutputMode>, quirks: &Quirks) -> Option<Value> {
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

/// Marks the end of a beginning that the provider keeps for the next request.
fn keep(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}

fn tool(name: &str, description: &str, parameters: &Value) -> Value {
    json!({ "name": name, "description": description, "input_schema": parameters })
}

/// The messages; neighbours of one role become one, so that all results of a round stand in one message.
///
/// What is said so far is kept by the provider while there is more to be said: in rounds of tools.
fn messages(request: &Request, model: &str, provider: &str, quirks: &Quirks) -> Value {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, blocks) = match message.role {
            Role::System => continue,
            Role::User => ("user", text(&message.text)),
            Role::Assistant => ("assistant", assistant(message, model, provider)),
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

/// The provider's own blocks, unchanged, if they are its own; else the same said in new ones. Thinking is bound to the model
/// that thought it.
fn assistant(message: &Message, model: &str, provider: &str) -> Vec<Value> {
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
