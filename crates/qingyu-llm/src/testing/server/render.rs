//! Renders a [`Reply`] in the request's protocol.

use serde_json::{Value, json};

use super::super::scripted::split;
use super::answer::{BodyEnding, RawAnswer};
use super::recorded::{Recorded, RecordedEndpoint};
use crate::{FinishReason, Reply, ToolCall, Usage};

/// The response of `…/models`.
pub(super) const MODELS: &str = r#"{"object":"list","data":[{"id":"scripted-model","object":"model"}]}"#;

/// Returns the HTTP answer for `reply`.
pub(super) fn render(mut reply: Reply, request: &Recorded, ollama: bool) -> RawAnswer {
    if let Some(tool) = request.forced_tool()
        && reply.tool_calls.is_empty()
    {
        let arguments = std::mem::take(&mut reply.text);
        reply.tool_calls.push(ToolCall { id: "call_server_output".into(), name: tool.into(), arguments });
    }
    if reply.usage == Usage::default() {
        reply.usage.input = request.prompt().chars().count() as u64;
        reply.usage.output = (reply.text.chars().count() + reply.reasoning.chars().count()) as u64;
    }
    let thinking = if ollama { "reasoning" } else { "reasoning_content" };
    match (request.endpoint(), request.streams()) {
        (RecordedEndpoint::Messages, true) => sse(&messages_stream(&reply, request.model())),
        (RecordedEndpoint::Messages, false) => whole(&message(&reply, request.model())),
        (_, true) => {
            let usage = request.body["stream_options"]["include_usage"] == true;
            let mut frames = chat_stream(&reply, request.model(), thinking, usage);
            frames.push("data: [DONE]\n\n".into());
            sse(&frames)
        }
        (_, false) => whole(&completion(&reply, request.model(), thinking)),
    }
}

fn sse(frames: &[String]) -> RawAnswer {
    RawAnswer {
        status: 200,
        headers: vec![("content-type".into(), "text/event-stream".into())],
        pieces: frames.iter().map(|frame| frame.as_str().into()).collect(),
        ending: BodyEnding::Whole,
    }
}

fn whole(body: &Value) -> RawAnswer {
    RawAnswer {
        status: 200,
        headers: vec![("content-type".into(), "application/json".into())],
        pieces: vec![body.to_string().into()],
        ending: BodyEnding::Whole,
    }
}

fn chat_stream(reply: &Reply, model: &str, thinking: &str, usage: bool) -> Vec<String> {
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let chunk =
            json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "model": model, "choices": [choice] });
        format!("data: {chunk}\n\n")
    };
    let mut frames = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
    frames.extend(split(&reply.reasoning).into_iter().map(|piece| chunk(json!({ thinking: piece }), Value::Null)));
    frames.extend(split(&reply.text).into_iter().map(|piece| chunk(json!({ "content": piece }), Value::Null)));
    for (index, call) in reply.tool_calls.iter().enumerate() {
        let head = json!({ "index": index, "id": call.id, "type": "function",
            "function": { "name": call.name, "arguments": "" } });
        frames.push(chunk(json!({ "tool_calls": [head] }), Value::Null));
        frames.extend(split(&call.arguments).into_iter().map(|piece| {
            chunk(json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] }), Value::Null)
        }));
    }
    frames.push(chunk(json!({}), json!(openai_finish(reply))));
    if usage {
        let tail = json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "model": model, "choices": [],
            "usage": openai_usage(reply.usage) });
        frames.push(format!("data: {tail}\n\n"));
    }
    frames
}

fn completion(reply: &Reply, model: &str, thinking: &str) -> Value {
    let calls = reply.tool_calls.iter().map(|call| {
        json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } })
    });
    let calls: Vec<Value> = calls.collect();
    let mut message = json!({ "role": "assistant", "content": reply.text, thinking: reply.reasoning });
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let choice = json!({ "index": 0, "message": message, "finish_reason": openai_finish(reply) });
    json!({ "id": "chatcmpl-1", "object": "chat.completion", "model": model, "choices": [choice],
        "usage": openai_usage(reply.usage) })
}

fn openai_finish(reply: &Reply) -> &str {
    match &reply.finish {
        FinishReason::Stop | FinishReason::ToolCalls if !reply.tool_calls.is_empty() => "tool_calls",
        FinishReason::Stop | FinishReason::ToolCalls => "stop",
        FinishReason::Length => "length",
        FinishReason::Filtered => "content_filter",
        FinishReason::Other(reason) => reason,
    }
}

fn openai_usage(usage: Usage) -> Value {
    json!({ "prompt_tokens": usage.input, "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output, "prompt_tokens_details": { "cached_tokens": usage.cached } })
}

fn messages_stream(reply: &Reply, model: &str) -> Vec<String> {
    let mut start = message(&Reply::default(), model);
    start["stop_reason"] = Value::Null;
    start["usage"] = anthropic_usage(Usage { output: 1, ..reply.usage });
    let mut frames = vec![frame(&json!({ "type": "message_start", "message": start }))];
    for (index, block) in blocks(reply).into_iter().enumerate() {
        frames.extend(block_frames(index, block).iter().map(frame));
    }
    let delta = json!({ "stop_reason": anthropic_finish(reply), "stop_sequence": null });
    let usage = json!({ "output_tokens": reply.usage.output });
    frames.push(frame(&json!({ "type": "message_delta", "delta": delta, "usage": usage })));
    frames.push(frame(&json!({ "type": "message_stop" })));
    frames
}

/// Returns the events of a content block: start, deltas, end.
fn block_frames(index: usize, block: Value) -> Vec<Value> {
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    let (head, deltas): (Value, Vec<Value>) = match block["type"].as_str() {
        Some("thinking") => {
            let pieces =
                split(&text("thinking")).into_iter().map(|it| json!({ "type": "thinking_delta", "thinking": it }));
            let signature = json!({ "type": "signature_delta", "signature": text("signature") });
            (json!({ "type": "thinking", "thinking": "", "signature": "" }), pieces.chain([signature]).collect())
        }
        Some("tool_use") => {
            let pieces =
                split(&text("input")).into_iter().map(|it| json!({ "type": "input_json_delta", "partial_json": it }));
            let deltas = pieces.collect();
            let mut head = block;
            head["input"] = json!({});
            (head, deltas)
        }
        _ => {
            let pieces = split(&text("text")).into_iter().map(|it| json!({ "type": "text_delta", "text": it }));
            (json!({ "type": "text", "text": "" }), pieces.collect())
        }
    };
    let start = json!({ "type": "content_block_start", "index": index, "content_block": head });
    let deltas = deltas.into_iter().map(|it| json!({ "type": "content_block_delta", "index": index, "delta": it }));
    let stop = json!({ "type": "content_block_stop", "index": index });
    [start].into_iter().chain(deltas).chain([stop]).collect()
}

/// Returns the content blocks of `reply`; the input of a tool call is still JSON text.
fn blocks(reply: &Reply) -> Vec<Value> {
    let mut blocks = Vec::new();
    if !reply.reasoning.is_empty() {
        blocks.push(json!({ "type": "thinking", "thinking": reply.reasoning, "signature": "c2lnbmF0dXJl" }));
    }
    if !reply.text.is_empty() {
        blocks.push(json!({ "type": "text", "text": reply.text }));
    }
    blocks.extend(
        reply
            .tool_calls
            .iter()
            .map(|call| json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments })),
    );
    blocks
}

fn message(reply: &Reply, model: &str) -> Value {
    let mut content = blocks(reply);
    for block in content.iter_mut().filter(|block| block["type"] == "tool_use") {
        block["input"] = serde_json::from_str(block["input"].as_str().unwrap_or_default()).unwrap_or(json!({}));
    }
    json!({ "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": anthropic_finish(reply), "stop_sequence": null, "usage": anthropic_usage(reply.usage) })
}

fn anthropic_finish(reply: &Reply) -> &str {
    match &reply.finish {
        FinishReason::Stop | FinishReason::ToolCalls if !reply.tool_calls.is_empty() => "tool_use",
        FinishReason::Stop | FinishReason::ToolCalls => "end_turn",
        FinishReason::Length => "max_tokens",
        FinishReason::Filtered => "refusal",
        FinishReason::Other(reason) => reason,
    }
}

fn anthropic_usage(usage: Usage) -> Value {
    json!({ "input_tokens": usage.input.saturating_sub(usage.cached), "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": 0, "output_tokens": usage.output })
}

fn frame(event: &Value) -> String {
    let name = event["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {event}\n\n")
}
