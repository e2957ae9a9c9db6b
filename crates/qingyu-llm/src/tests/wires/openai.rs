//! Thirty-six shapes of streams that providers were seen to send, and some more.

use crate::model::drain;
use crate::testing::server::{BodyEnding, BodyPiece, Scripted, Server};
use crate::{LlmClient, Wire};
use serde_json::{Value, json};

use super::{ask, line, plain};

const DONE: &str = "data: [DONE]\n\n";

/// A chunk with this choice.
fn chunk(choice: Value) -> String {
    let chunk =
        json!({ "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice] });
    format!("data: {chunk}\n\n")
}

/// A chunk with this delta.
fn delta(delta: Value) -> String {
    chunk(json!({ "index": 0, "delta": delta, "finish_reason": null }))
}

fn content(text: &str) -> String {
    delta(json!({ "content": text }))
}

/// A chunk with these pieces of tool calls.
fn calls(pieces: Value) -> String {
    delta(json!({ "tool_calls": pieces }))
}

fn finish(reason: &str) -> String {
    chunk(json!({ "index": 0, "delta": {}, "finish_reason": reason }))
}

fn stream(frames: &[String]) -> Scripted {
    Scripted::sse(frames.iter().cloned().chain([DONE.to_owned()]))
}

fn tool_stream(pieces: &[Value]) -> Scripted {
    let frames = pieces.iter().map(|piece| calls(piece.clone())).chain([finish("tool_calls")]);
    stream(&frames.collect::<Vec<_>>())
}

/// One test for each scenario: what the server sends, and the outcome in one line.
macro_rules! scenarios {
    ($($name:ident: $answer:expr => $expected:expr;)*) => {$(
        #[tokio::test]
        async fn $name() {
            let (outcome, _) = ask(Wire::OpenAi, &plain(), $answer).await;
            assert_eq!(line(&outcome), $expected);
        }
    )*};
}

scenarios! {
    // Framing.
    plain_text: stream(&[delta(json!({ "role": "assistant", "content": "" })), content("雪"), content("夜"), finish("stop")])
        => "text=雪夜 Stop";
    lines_end_with_crlf: stream(&[content("雪夜").replace('\n', "\r\n"), finish("stop").replace('\n', "\r\n")])
        => "text=雪夜 Stop";
    comments_keep_the_connection_alive: Scripted::sse([": OPENROUTER PROCESSING\n\n", ":\n\n", &content("雪夜"), ": x\n",
        &finish("stop"), DONE]) => "text=雪夜 Stop";
    no_space_after_the_colon: stream(&[content("雪夜").replace("data: ", "data:"), finish("stop").replace("data: ", "data:")])
        => "text=雪夜 Stop";
    event_lines: stream(&[format!("id: 1\nevent: message\n{}", content("雪夜")), finish("stop")]) => "text=雪夜 Stop";
    characters_are_cut_across_packets: {
        let body = [content("雪夜🚪"), finish("stop"), DONE.into()].concat();
        Scripted::sse(body.into_bytes().chunks(1).map(|byte| BodyPiece::Bytes(byte.to_vec())).collect::<Vec<_>>())
    } => "text=雪夜🚪 Stop";
    no_blank_lines_between_chunks: Scripted::sse([[content("雪"), content("夜"), finish("stop"), DONE.into()].concat()
        .replace("\n\n", "\n")]) => "text=雪夜 Stop";
    empty_choices_come_first: stream(&["data: {\"choices\":[],\"prompt_filter_results\":[]}\n\n".into(), content("雪夜"),
        finish("stop")]) => "text=雪夜 Stop";
    chunks_without_id_and_date: stream(&["data: {\"choices\":[{\"delta\":{\"content\":\"雪夜\"}}]}\n\n".into(),
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n".into()]) => "text=雪夜 Stop";

    // Usage.
    usage_on_every_chunk: stream(&[
        r#"data: {"choices":[{"delta":{"content":"雪"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}"#.to_owned() + "\n\n",
        r#"data: {"choices":[{"delta":{"content":"夜"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#.to_owned() + "\n\n",
    ]) => "text=雪夜 Stop 5/0/2";
    usage_on_the_last_chunk: stream(&[content("雪夜"),
        r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_cache_hit_tokens":3}}"#.to_owned() + "\n\n",
    ]) => "text=雪夜 Stop 5/3/2";
    usage_in_a_tail_chunk: stream(&[content("雪夜"), finish("stop"),
        r#"data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}"#.to_owned() + "\n\n",
    ]) => "text=雪夜 Stop 5/4/2";
    usage_null_or_empty: stream(&[
        r#"data: {"choices":[{"delta":{"content":"雪夜"}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#.to_owned() + "\n\n",
        r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":null}"#.to_owned() + "\n\n",
        r#"data: {"choices":[],"usage":{}}"#.to_owned() + "\n\n",
    ]) => "text=雪夜 Stop 5/0/2";
    usage_inside_the_choice: stream(&[content("雪夜"),
        r#"data: {"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":5,"completion_tokens":2}}]}"#.to_owned() + "\n\n",
    ]) => "text=雪夜 Stop 5/0/2";

    // Thinking.
    reasoning_content: stream(&[delta(json!({ "reasoning_content": "想", "content": null })),
        delta(json!({ "reasoning_content": "想" })), content("雪夜"), finish("stop")]) => "text=雪夜 thinking=想想 Stop";
    ollama_reasoning: stream(&[delta(json!({ "content": "", "reasoning": "想" })), content("雪夜"), finish("stop")])
        => "text=雪夜 thinking=想 Stop";
    reasoning_twice_in_one_delta: stream(&[delta(json!({ "reasoning_content": "想", "reasoning": "想" })), content("雪夜"),
        finish("stop")]) => "text=雪夜 thinking=想 Stop";
    think_tags_split_over_chunks: stream(&[content("<th"), content("ink>想"), content("一想</thi"), content("nk>\n"),
        content("\n雪夜"), finish("stop")]) => "text=雪夜 thinking=想一想 Stop";
    content_in_parts: stream(&[delta(json!({ "content": [{ "type": "text", "text": "雪夜" }] })), finish("stop")])
        => "text=雪夜 Stop";

    // The end.
    empty_finish_reason: stream(&[chunk(json!({ "delta": { "content": "雪夜" }, "finish_reason": "" })), finish("stop")])
        => "text=雪夜 Stop";
    finish_reason_sensitive: stream(&[content("雪"), finish("sensitive")]) => "text=雪 Filtered";
    finish_reason_nobody_knows: stream(&[content("雪夜"), finish("repetition_truncation")])
        => "text=雪夜 Other(\"repetition_truncation\")";
    refusal_in_its_own_field: stream(&[delta(json!({ "refusal": "I cannot." })), finish("stop")]) => "text=I cannot. Filtered";
    cut_by_the_token_limit: stream(&[content("雪"), finish("length")]) => "text=雪 Length";
    only_done_and_no_finish_reason: stream(&[content("雪夜")]) => "text=雪夜 Stop";
    no_done_at_the_end: Scripted::sse([content("雪夜"), finish("stop")]) => "text=雪夜 Stop";
    no_blank_line_at_the_end: Scripted::sse([content("雪夜"), finish("stop").trim_end().to_owned()]) => "text=雪夜 Stop";
    neither_done_nor_finish_reason: Scripted::sse([content("雪夜")]) => "error: the answer was cut after 2 characters";
    connection_cut: Scripted::sse([content("雪夜")]).ending(BodyEnding::Cut) => "error: the answer was cut after 2 characters";
    connection_cut_in_an_event: Scripted::sse([content("雪夜"), "data: {\"choices\":[{\"del".into()]).ending(BodyEnding::Cut)
        => "error: the answer was cut after 2 characters";
    connection_cut_after_the_reason: Scripted::sse([content("雪夜"), finish("stop")]).ending(BodyEnding::Cut)
        => "text=雪夜 Stop";
    connection_cut_before_anything: Scripted::sse([""; 0]).ending(BodyEnding::Cut)
        => "error: the answer was cut after 0 characters";
    the_provider_broke: stream(&[content("雪"), finish("network_error")]) => "error: the answer was cut after 1 characters";

    // Errors.
    error_object_in_mid_stream: stream(&[content("雪"), "data: {\"error\":{\"message\":\"Server busy\",\"type\":\"server_error\"}}\n\n".into()])
        => "error: server/m reported an error: Server busy (server_error)";
    error_event_in_mid_stream: stream(&[content("雪"), "event: error\ndata: {\"message\":\"Server busy\"}\n\n".into()])
        => "error: server/m reported an error: {\"message\":\"Server busy\"}";
    rate_limit_in_mid_stream: stream(&["data: {\"error\":{\"message\":\"slow down\",\"code\":429}}\n\n".into()])
        => "http 429: slow down";
    an_event_that_is_not_json: stream(&[content("雪"), "data: {\"choices\":[{]}\n\n".into()])
        => "error: server/m reported an error: an event is not JSON: {\"choices\":[{]}";
    status_200_with_an_error_body: Scripted::status(200, r#"{"error":{"message":"Insufficient Balance","type":"unknown_error"}}"#)
        => "error: the account of server/m is used up: Insufficient Balance (unknown_error)";
    status_200_with_an_error_body_called_a_stream: Scripted::sse([r#" {"base_resp":{"status_code":1004,"status_msg":"login fail"}}"#])
        => "error: server/m refuses the key (200): login fail (1004)";
    status_200_with_a_body_nobody_knows: Scripted::status(200, r#"{"hello":"world"}"#)
        => "error: server/m reported an error: not an answer: {\"hello\":\"world\"}";
    status_200_with_a_page: Scripted::status(200, "<html>login</html>")
        => "error: no model answers at http://127.0.0.1/v1/chat/completions (200): a web page";
    status_200_with_nothing: Scripted::status(200, "") => "error: the answer was cut after 0 characters";
    whole_answer_instead_of_a_stream: Scripted::status(200, r#"{"choices":[{"message":{"content":"雪夜","reasoning_content":"想"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#)
        => "text=雪夜 thinking=想 Stop 5/0/2";
    status_429_with_seconds: Scripted::status(429, r#"{"error":{"message":"slow down"}}"#).header("retry-after", "7")
        => "http 429: slow down, wait 7s";
    status_429_with_a_date: Scripted::status(429, "{}").header("date", "Sat, 21 Nov 2026 10:00:00 GMT")
        .header("retry-after", "Sat, 21 Nov 2026 10:01:30 GMT") => "http 429: {}, wait 90s";
    status_500: Scripted::status(500, r#"{"error":"boom"}"#) => "http 500: boom";
    status_502_with_a_page: Scripted::status(502, "<html><h1>Bad Gateway</h1></html>")
        => "http 502: a web page, “Bad Gateway”";
    status_401: Scripted::status(401, r#"{"error":{"message":"Incorrect API key"}}"#)
        => "error: server/m refuses the key (401): Incorrect API key";
    redirects_are_not_followed: Scripted::status(307, "").header("location", "http://127.0.0.1:9/v1/chat/completions")
        => "error: no model answers at http://127.0.0.1/v1/chat/completions (307): it has moved to http://127.0.0.1/v1/chat/completions";
    refusal_with_a_cut_body: Scripted::status(503, "over").ending(BodyEnding::Cut) => "http 503: over";

    // Tool calls.
    canonical_call: tool_stream(&[json!([{ "index": 0, "id": "a", "type": "function", "function": { "name": "f", "arguments": "" } }]),
        json!([{ "index": 0, "function": { "arguments": "{\"x\"" } }]), json!([{ "index": 0, "function": { "arguments": ":1}" } }])])
        => r#"a:f({"x":1}) ToolCalls"#;
    empty_id_in_continuations: tool_stream(&[json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{\"x\"" } }]),
        json!([{ "index": 0, "id": "", "function": { "name": "", "arguments": ":1}" } }])]) => r#"a:f({"x":1}) ToolCalls"#;
    id_and_name_repeated: tool_stream(&[json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{\"x\"" } }]),
        json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": ":1}" } }])]) => r#"a:f({"x":1}) ToolCalls"#;
    two_interleaved_calls: tool_stream(&[
        json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "" } }, { "index": 1, "id": "b", "function": { "name": "g", "arguments": "" } }]),
        json!([{ "index": 0, "function": { "arguments": "{\"x\"" } }]), json!([{ "index": 1, "function": { "arguments": "{\"y\"" } }]),
        json!([{ "index": 0, "function": { "arguments": ":1}" } }]), json!([{ "index": 1, "function": { "arguments": ":2}" } }])])
        => r#"a:f({"x":1}) b:g({"y":2}) ToolCalls"#;
    finish_stop_with_calls: stream(&[calls(json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }])), finish("stop")])
        => "a:f({}) ToolCalls";
    call_without_index: tool_stream(&[json!([{ "id": "a", "function": { "name": "f", "arguments": "{\"x\":1}" } }]),
        json!([{ "id": "b", "function": { "name": "g", "arguments": "{\"y\":2}" } }])]) => r#"a:f({"x":1}) b:g({"y":2}) ToolCalls"#;
    index_starts_at_one: tool_stream(&[json!([{ "index": 1, "id": "a", "function": { "name": "f", "arguments": "" } }]),
        json!([{ "index": 1, "function": { "arguments": "{\"x\":1}" } }])]) => r#"a:f({"x":1}) ToolCalls"#;
    two_heads_on_one_index: tool_stream(&[json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{\"x\":1}" } }]),
        json!([{ "index": 0, "id": "b", "function": { "name": "g", "arguments": "{\"y\"" } }]),
        json!([{ "index": 0, "function": { "arguments": ":2}" } }])]) => r#"a:f({"x":1}) b:g({"y":2}) ToolCalls"#;
    call_without_id: tool_stream(&[json!([{ "index": 0, "function": { "name": "f", "arguments": "{\"x\":1}" } }])])
        => r#"call_0:f({"x":1}) ToolCalls"#;
    arguments_as_an_object: tool_stream(&[json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": { "x": 1 } } }])])
        => r#"a:f({"x":1}) ToolCalls"#;
    no_arguments_at_all: tool_stream(&[json!([{ "index": 0, "id": "a", "function": { "name": "f" } }])]) => "a:f({}) ToolCalls";
    arguments_cut_by_the_token_limit: stream(&[calls(json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{\"x\": \"雪" } }])),
        finish("length")]) => "a:f({\"x\": \"雪) Length";
    text_and_a_call: stream(&[content("我查一下。"), calls(json!([{ "index": 0, "id": "a", "function": { "name": "f", "arguments": "{}" } }])),
        finish("tool_calls")]) => "text=我查一下。 a:f({}) ToolCalls";
    whole_answer_with_a_call: Scripted::status(200, r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"}]}"#)
        => r#"a:f({"x":1}) ToolCalls"#;
}

#[tokio::test]
async fn thinking_without_its_opening_tag_is_parted_in_the_answer() {
    // It was streamed as text before anyone could know, so only the whole answer is right.
    let server = Server::scripted([stream(&[content("想</think>\n\n雪夜"), finish("stop")])]).await;
    let model = LlmClient::default().chat(&server.provider(Wire::OpenAi), "m", None).unwrap();
    let reply = drain(model.stream(&plain()).await.unwrap()).await;
    assert_eq!(line(&reply), "text=雪夜 thinking=想 Stop");
}
