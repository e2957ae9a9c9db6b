//! Shapes of streams on the Anthropic wire.

use crate::Wire;
use crate::testing::server::{BodyEnding, Scripted};
use serde_json::{Value, json};

use super::{ask, line, plain};

/// A signature with every character that careless code changes.
const SIGNATURE: &str = "EqoBCkgIARABGAIiQL+/=\u{e9}\\\"/";

fn event(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())
}

fn start() -> String {
    let usage = json!({ "input_tokens": 5, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 2, "output_tokens": 1 });
    event(&json!({ "type": "message_start", "message": { "role": "assistant", "content": [], "usage": usage } }))
}

fn block(index: u64, block: Value) -> String {
    event(&json!({ "type": "content_block_start", "index": index, "content_block": block }))
}

fn delta(index: u64, delta: Value) -> String {
    event(&json!({ "type": "content_block_delta", "index": index, "delta": delta }))
}

fn text_block(index: u64, text: &str) -> String {
    block(index, json!({ "type": "text", "text": "" })) + &delta(index, json!({ "type": "text_delta", "text": text }))
}

fn tool_block(index: u64, id: &str, pieces: &[&str]) -> String {
    let mut frames = block(index, json!({ "type": "tool_use", "id": id, "name": "f", "input": {} }));
    for piece in pieces {
        frames += &delta(index, json!({ "type": "input_json_delta", "partial_json": piece }));
    }
    frames + &event(&json!({ "type": "content_block_stop", "index": index }))
}

fn thinking_block(index: u64) -> String {
    block(index, json!({ "type": "thinking", "thinking": "", "signature": "" }))
        + &delta(index, json!({ "type": "thinking_delta", "thinking": "想" }))
        + &delta(index, json!({ "type": "thinking_delta", "thinking": "一想" }))
        + &delta(index, json!({ "type": "signature_delta", "signature": SIGNATURE }))
}

fn end(reason: &str) -> String {
    event(&json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 9 } }))
        + &event(&json!({ "type": "message_stop" }))
}

fn stream(frames: &[String]) -> Scripted {
    Scripted::sse([start()].into_iter().chain(frames.iter().cloned()))
}

macro_rules! scenarios {
    ($($name:ident: $answer:expr => $expected:expr;)*) => {$(
        #[tokio::test]
        async fn $name() {
            let (outcome, _) = ask(Wire::Anthropic, &plain(), $answer).await;
            assert_eq!(line(&outcome), $expected);
        }
    )*};
}

/// What is written to the cache has a price of its own.
#[tokio::test]
async fn tokens_written_to_the_cache_are_counted() {
    let (reply, _) = ask(Wire::Anthropic, &plain(), stream(&[text_block(0, "雪夜"), end("end_turn")])).await;
    let usage = reply.unwrap().usage;
    assert_eq!((usage.input, usage.cached, usage.written), (10, 3, 2));
}

scenarios! {
    plain_text: stream(&[text_block(0, "雪"), event(&json!({ "type": "ping" })), delta(0, json!({ "type": "text_delta", "text": "夜" })),
        end("end_turn")]) => "text=雪夜 Stop 10/3/9";
    thinking_and_text: stream(&[thinking_block(0), text_block(1, "雪夜"), end("end_turn")])
        => "text=雪夜 thinking=想一想 Stop 10/3/9";
    tool_use: stream(&[text_block(0, "查。"), tool_block(1, "toolu_1", &["{\"x\"", ":1}"]), end("tool_use")])
        => r#"text=查。 toolu_1:f({"x":1}) ToolCalls 10/3/9"#;
    two_tools_and_no_arguments: stream(&[tool_block(0, "a", &["{\"x\":1}"]), tool_block(1, "b", &[]), end("tool_use")])
        => r#"a:f({"x":1}) b:f({}) ToolCalls 10/3/9"#;
    cut_by_the_token_limit: stream(&[text_block(0, "雪"), end("max_tokens")]) => "text=雪 Length 10/3/9";
    refusal: stream(&[text_block(0, "不"), end("refusal")]) => "text=不 Filtered 10/3/9";
    no_message_stop: stream(&[text_block(0, "雪夜"),
        event(&json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }))]) => "text=雪夜 Stop 10/3/1";
    connection_cut: stream(&[text_block(0, "雪夜")]).ending(BodyEnding::Cut) => "error: the answer was cut after 2 characters";
    stream_ends_too_early: stream(&[text_block(0, "雪夜")]) => "error: the answer was cut after 2 characters";
    overloaded_in_mid_stream: stream(&[text_block(0, "雪"),
        event(&json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }))])
        => "error: server/m reported an error: Overloaded (overloaded_error)";
    status_529: Scripted::status(529, r#"{"type":"error","error":{"type":"overloaded_error"}}"#).header("retry-after", "3")
        => "http 529: overloaded_error, wait 3s";
    status_200_with_an_error_body: Scripted::status(200, r#"{"type":"error","error":{"type":"api_error","message":"boom"}}"#)
        => "error: server/m reported an error: boom (api_error)";
    an_event_that_is_not_json: stream(&["data: {\"type\":\n\n".into()])
        => "error: server/m reported an error: an event is not JSON: {\"type\":";
    a_block_that_is_no_object: stream(&[
        event(&json!({ "type": "content_block_start", "index": 0, "content_block": "text" })),
        event(&json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "雪" } }))])
        => "error: server/m reported an error: a block is no object: \"text\"";
    whole_answer_instead_of_a_stream: Scripted::status(200, r#"{"type":"message","content":[{"type":"thinking","thinking":"想","signature":"s"},{"type":"text","text":"雪夜"},{"type":"tool_use","id":"a","name":"f","input":{"x":1}}],"stop_reason":"tool_use","usage":{"input_tokens":5,"output_tokens":2}}"#)
        => r#"text=雪夜 thinking=想 a:f({"x":1}) ToolCalls 5/0/2"#;
}

#[tokio::test]
async fn blocks_are_kept_byte_for_byte() {
    let redacted = json!({ "type": "redacted_thinking", "data": SIGNATURE });
    let frames =
        [thinking_block(0), block(1, redacted.clone()), tool_block(2, "a", &["{\"x\":", "1}"]), end("tool_use")];
    let (outcome, _) = ask(Wire::Anthropic, &plain(), stream(&frames)).await;
    let expected = json!({ "provider": "server", "model": "m", "blocks": [
        { "type": "thinking", "thinking": "想一想", "signature": SIGNATURE },
        redacted,
        { "type": "tool_use", "id": "a", "name": "f", "input": { "x": 1 } },
    ] });
    assert_eq!(outcome.unwrap().raw, expected);
}

#[tokio::test]
async fn thinking_that_was_cut_before_its_signature_is_not_kept() {
    let unsigned = block(0, json!({ "type": "thinking", "thinking": "想", "signature": "" }));
    let frames = [unsigned, tool_block(1, "a", &["{}"]), end("max_tokens")];
    let (outcome, _) = ask(Wire::Anthropic, &plain(), stream(&frames)).await;
    let blocks = &outcome.unwrap().raw["blocks"];
    assert_eq!(blocks, &json!([{ "type": "tool_use", "id": "a", "name": "f", "input": {} }]));
}
