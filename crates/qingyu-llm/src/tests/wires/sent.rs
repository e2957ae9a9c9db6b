//! What the wires send.

use crate::provider::{OutputMode, Quirks};
use crate::testing::server::{Recorded, Scripted, Server};
use crate::{
    ChatMessage, ChatRequest, FinishReason, LlmClient, OutputSchema, Provider, Reply, ToolCall, ToolSpec, Wire,
};
use insta::assert_json_snapshot;
use serde_json::{Map, Value, json};

use super::{collect, plain};

fn schema() -> OutputSchema {
    let properties = json!({ "title": { "type": "string" } });
    let schema =
        json!({ "type": "object", "properties": properties, "required": ["title"], "additionalProperties": false });
    OutputSchema { name: "Outline".into(), schema }
}

fn tool() -> ToolSpec {
    let parameters = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    ToolSpec { name: "look_up".into(), description: "Finds a character.".into(), parameters }
}

/// A request with everything in it.
fn full() -> ChatRequest {
    let reply = Reply {
        text: "查。".into(),
        tool_calls: vec![ToolCall {
            id: "call_1".into(),
            name: "look_up".into(),
            arguments: r#"{"name":"青羽"}"#.into(),
        }],
        finish: FinishReason::ToolCalls,
        ..Reply::default()
    };
    ChatRequest {
        messages: vec![
            ChatMessage::system("你是编辑。"),
            ChatMessage::user("早。"),
            ChatMessage::assistant("早安。"),
            ChatMessage::user("查青羽。"),
            ChatMessage::answer(&reply),
            ChatMessage::tool("call_1", "十七岁"),
        ],
        tools: vec![tool()],
        output: Some(schema()),
        temperature: Some(0.7),
        max_tokens: Some(500),
        context: json!({ "never": "sent" }),
        ..plain()
    }
}

/// What is sent to `provider` for `request`.
async fn sent(provider: Provider, server: &Server, request: &ChatRequest) -> Recorded {
    let model = LlmClient::default().chat(&provider, "m", Some(&"sk-secret".into())).unwrap();
    collect(model.stream(request).await.unwrap()).await.unwrap();
    server.requests().pop().unwrap()
}

async fn answering_server() -> Server {
    Server::responding(|_| Scripted::text(r#"{"title":"雪"}"#)).await
}

/// The provider row of `server` with `output`.
fn row(server: &Server, wire: Wire, output: OutputMode) -> Provider {
    let provider = server.provider(wire);
    Provider { quirks: Quirks { output: Some(output), ..provider.quirks.clone() }, ..provider }
}

#[tokio::test]
async fn an_openai_request_in_full() {
    let server = answering_server().await;
    let sent = sent(row(&server, Wire::OpenAi, OutputMode::JsonSchema), &server, &full()).await;
    assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(sent.headers["authorization"], "Bearer sk-secret");
    assert_eq!(sent.headers["content-type"], "application/json");
    assert_json_snapshot!(sent.body);
}

#[tokio::test]
async fn an_anthropic_request_in_full() {
    let server = answering_server().await;
    let mut provider = row(&server, Wire::Anthropic, OutputMode::Tool);
    provider.quirks.headers.insert("anthropic-version".into(), "2023-06-01".into());
    let sent = sent(provider, &server, &full()).await;
    assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", "/v1/messages"));
    assert_eq!(sent.headers["x-api-key"], "sk-secret");
    assert_eq!(sent.headers["anthropic-version"], "2023-06-01");
    assert!(!sent.headers.contains_key("authorization"));
    assert_json_snapshot!(sent.body);
}

/// In every mode of both wires the model is told the schema, and the answer is the text.
#[tokio::test]
async fn a_schema_is_asked_for_in_the_way_of_the_row() {
    let request = ChatRequest { output: Some(schema()), ..plain() };
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        for mode in [OutputMode::JsonSchema, OutputMode::JsonObject, OutputMode::Tool, OutputMode::Text] {
            let server = answering_server().await;
            let model = LlmClient::default().chat(&row(&server, wire, mode), "m", None).unwrap();
            let reply = collect(model.stream(&request).await.unwrap()).await.unwrap();
            assert_eq!(reply.text, r#"{"title":"雪"}"#, "{wire:?} {mode:?}");
            assert_eq!((reply.tool_calls.len(), reply.finish, reply.raw), (0, FinishReason::Stop, Value::Null));
            let body = server.requests().remove(0).body;
            let mut fields = ["response_format", "tool_choice", "tools"].map(|field| body[field].clone());
            if fields[0].is_null() {
                fields[0] = body["output_config"]["format"].clone();
            }
            let prompt = if wire == Wire::OpenAi { &body["messages"][0]["content"] } else { &body["system"] };
            let shown = json!({ "prompt": prompt, "format": fields[0], "choice": fields[1], "tools": fields[2] });
            assert_json_snapshot!(format!("schema_{wire:?}_{mode:?}"), shown);
        }
    }
}

#[tokio::test]
async fn a_server_that_hides_the_schema_has_it_in_the_prompt_too() {
    let server = answering_server().await;
    let mut provider = row(&server, Wire::OpenAi, OutputMode::JsonSchema);
    provider.quirks.schema_in_prompt = Some(true);
    let body = sent(provider, &server, &full()).await.body;
    let system = body["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.starts_with("你是编辑。\n\n只输出一个 JSON 值") && system.ends_with(&schema().schema.to_string()),
        "{system}"
    );
    assert_eq!(body["response_format"]["type"], "json_schema");
}

#[tokio::test]
async fn a_loose_schema_is_not_called_strict() {
    let server = answering_server().await;
    let output = OutputSchema { schema: json!({ "type": "object", "properties": { "a": {} } }), ..schema() };
    let request = ChatRequest { output: Some(output), ..plain() };
    let sent = sent(row(&server, Wire::OpenAi, OutputMode::JsonSchema), &server, &request).await;
    assert_eq!(sent.body["response_format"]["json_schema"]["strict"], false);
}

#[tokio::test]
async fn quirks_shape_the_body() {
    let server = answering_server().await;
    let map = |value: Value| -> Map<String, Value> { value.as_object().unwrap().clone() };
    let mut provider = row(&server, Wire::OpenAi, OutputMode::JsonObject);
    provider.quirks.omit = Some(vec!["temperature".into(), "stream_options".into()]);
    provider.quirks.max_tokens_field = Some("max_completion_tokens".into());
    provider.quirks.extra_body = map(json!({ "enable_thinking": true, "top_k": 20 }));
    provider.quirks.extra_body_with_schema = map(json!({ "enable_thinking": false }));
    let with_schema = sent(provider.clone(), &server, &full()).await.body;
    let without = sent(provider, &server, &ChatRequest { output: None, ..full() }).await.body;
    assert_eq!((&with_schema["enable_thinking"], &with_schema["top_k"]), (&json!(false), &json!(20)));
    assert_eq!(without["enable_thinking"], true);
    assert_eq!(with_schema["max_completion_tokens"], 500);
    for absent in ["temperature", "stream_options", "max_tokens"] {
        assert_eq!(with_schema.get(absent), None, "{absent}");
    }
}

#[tokio::test]
async fn anthropic_does_not_force_a_call_while_thinking() {
    let server = answering_server().await;
    let mut provider = row(&server, Wire::Anthropic, OutputMode::Tool);
    provider.quirks.extra_body.insert("thinking".into(), json!({ "type": "enabled", "budget_tokens": 2000 }));
    let body = sent(provider, &server, &ChatRequest { tools: Vec::new(), ..full() }).await.body;
    assert_eq!((body.get("tool_choice"), body.get("tools"), body.get("temperature")), (None, None, None));
    assert!(body["system"].as_str().unwrap().contains("JSON Schema"), "{}", body["system"]);
}

/// Plays a round: the model calls a tool, gets its result, and is asked again. Returns the messages of the second call.
async fn second_round(provider: &Provider, server: &Server, first: Scripted) -> Value {
    server.push(first);
    server.push(Scripted::text("好"));
    let model = LlmClient::default().chat(provider, "m", None).unwrap();
    let mut request = ChatRequest { tools: vec![tool()], ..plain() };
    let reply = collect(model.stream(&request).await.unwrap()).await.unwrap();
    request.messages.push(ChatMessage::answer(&reply));
    request.messages.extend(reply.tool_calls.iter().map(|call| ChatMessage::tool(&call.id, "十七岁")));
    collect(model.stream(&request).await.unwrap()).await.unwrap();
    server.requests().pop().unwrap().body["messages"].clone()
}

fn thoughtful_call() -> Scripted {
    Scripted::reply(Reply {
        reasoning: "想一想".into(),
        tool_calls: vec![ToolCall { id: "a".into(), name: "look_up".into(), arguments: "{}".into() }],
        ..Reply::default()
    })
}

#[tokio::test]
async fn thinking_goes_back_within_a_round() {
    let server = Server::scripted([]).await;
    let provider = server.provider(Wire::OpenAi);
    let messages = second_round(&provider, &server, thoughtful_call()).await;
    assert_eq!(messages[1]["reasoning_content"], "想一想");
    server.speak_like_ollama();
    let messages = second_round(&provider, &server, thoughtful_call()).await;
    assert_eq!((messages[1].get("reasoning_content"), &messages[1]["reasoning"]), (None, &json!("想一想")));
    let messages = second_round(&server.provider(Wire::Anthropic), &server, thoughtful_call()).await;
    assert_json_snapshot!("anthropic_second_round", messages);
}

#[tokio::test]
async fn tags_and_unknown_fields_of_calls_go_back_within_a_round() {
    let server = Server::scripted([]).await;
    let call = json!([{ "index": 0, "id": "a", "type": "function", "function": { "name": "look_up", "arguments": "{}" },
        "extra_content": { "google": { "thought_signature": "c2ln+/==" } } }]);
    let delta = json!({ "content": "<think>想</think>查。", "tool_calls": call });
    let chunk = json!({ "choices": [{ "delta": delta, "finish_reason": "tool_calls" }] });
    let first = Scripted::sse([format!("data: {chunk}\n\ndata: [DONE]\n\n")]);
    let messages = second_round(&server.provider(Wire::OpenAi), &server, first).await;
    assert_json_snapshot!("openai_second_round", messages);
}

#[tokio::test]
async fn blocks_of_another_provider_are_not_sent() {
    let server = Server::scripted([thoughtful_call()]).await;
    let first = LlmClient::default().chat(&server.provider(Wire::Anthropic), "m", None).unwrap();
    let reply = collect(first.stream(&plain()).await.unwrap()).await.unwrap();
    assert!(!reply.raw.is_null());
    let request = ChatRequest {
        messages: vec![ChatMessage::user("x"), ChatMessage::answer(&reply), ChatMessage::tool("a", "y")],
        ..plain()
    };
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        server.push(Scripted::text("好"));
        let other = Provider { name: "other".into(), ..server.provider(wire) };
        let sent = sent(other, &server, &request).await.body.to_string();
        assert!(!sent.contains("想一想") && sent.contains("look_up"), "{sent}");
    }
}

#[tokio::test]
async fn a_long_history_is_sent_whole_and_is_json() {
    let cut = ToolCall { id: "a".into(), name: "f".into(), arguments: "{\"x\": \"雪".into() };
    let mut messages = Vec::new();
    for round in 0..125 {
        messages.push(ChatMessage::user(format!("第{round}轮：\"引号\"、\\反斜杠、\u{0} 与换行\n")));
        messages.push(ChatMessage { tool_calls: vec![cut.clone()], ..ChatMessage::assistant("") });
        messages.push(ChatMessage::tool("a", "cut"));
        messages.push(ChatMessage::assistant("好"));
    }
    messages.push(ChatMessage::user("完"));
    let request = ChatRequest { messages, ..plain() };
    for (wire, expected) in [(Wire::OpenAi, 501), (Wire::Anthropic, 501)] {
        let server = answering_server().await;
        let body = sent(server.provider(wire), &server, &request).await.body;
        let messages = body["messages"].as_array().unwrap();
        assert_eq!(messages.len(), expected, "{wire:?}");
        let call = if wire == Wire::OpenAi {
            &messages[1]["tool_calls"][0]["function"]["arguments"]
        } else {
            &messages[1]["content"][0]["input"]
        };
        let expected = if wire == Wire::OpenAi { json!("{}") } else { json!({}) };
        assert_eq!(call, &expected, "arguments that are not JSON must not be sent");
    }
}
