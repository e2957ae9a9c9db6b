//! The wires against a server that speaks the protocols: what was sent, and what came back.

mod anthropic;
mod doubles;
mod limits;
mod openai;
mod sent;
mod vendors;

use crate::testing::server::{Recorded, Scripted, Server};
use crate::{ChatEvent, ChatMessage, ChatRequest, ClientLimits, Error, LlmClient, Reply, Wire};
use futures::StreamExt;

/// A request that says 「写雪夜」.
fn plain() -> ChatRequest {
    ChatRequest {
        purpose: "draft.scene".into(), messages: vec![ChatMessage::user("写雪夜")], ..ChatRequest::default()
    }
}

/// Asks `request` of a server that answers `answer`; returns what came back and what was sent.
async fn ask(wire: Wire, request: &ChatRequest, answer: Scripted) -> (Result<Reply, Error>, Recorded) {
    let server = Server::scripted([answer]).await;
    let model = LlmClient::new(ClientLimits::default()).chat(&server.provider(wire), "m", None).unwrap();
    let reply = match model.stream(request).await {
        Ok(stream) => collect(stream).await,
        Err(error) => Err(error),
    };
    let sent = server.requests().remove(0);
    (reply, sent)
}

/// Drains the stream and checks that what was streamed adds up to the answer.
async fn collect(mut stream: crate::EventStream) -> Result<Reply, Error> {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut arguments: Vec<String> = Vec::new();
    while let Some(event) = stream.next().await {
        match event? {
            ChatEvent::Text(piece) => text.push_str(&piece),
            ChatEvent::Reasoning(piece) => reasoning.push_str(&piece),
            ChatEvent::ToolDelta { slot, name, arguments: piece } => {
                arguments.resize(arguments.len().max(slot + 1), String::new());
                assert_eq!(arguments[slot].is_empty() && name.is_some(), name.is_some(), "the name comes first");
                arguments[slot].push_str(&piece);
            }
            ChatEvent::Usage(_) => {}
            ChatEvent::Done(reply) => {
                assert_eq!((&text, &reasoning), (&reply.text, &reply.reasoning));
                let called: Vec<&str> = reply.tool_calls.iter().map(|call| call.arguments.as_str()).collect();
                let streamed: Vec<&str> =
                    arguments.iter().map(|it| if it.is_empty() { "{}" } else { it.as_str() }).collect();
                assert_eq!(streamed, called);
                assert!(stream.next().await.is_none(), "something came after the end");
                return Ok(*reply);
            }
        }
    }
    panic!("the stream ended without an answer or an error");
}

/// The text without the ports of addresses on this machine.
fn without_port(text: &str) -> String {
    let mut parts = text.split("127.0.0.1:");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += "127.0.0.1";
        plain += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    plain
}

/// The whole outcome in one line. What is empty is left out, and the model's name, which is always the same.
fn line(outcome: &Result<Reply, Error>) -> String {
    let reply = match outcome {
        Ok(reply) => reply,
        Err(Error::Http { status, body, retry_after, .. }) => {
            let wait = retry_after.map(|wait| format!(", wait {wait:?}")).unwrap_or_default();
            return format!("http {status}: {body}{wait}");
        }
        // The port of the server is another one each time.
        Err(error) => {
            let told = without_port(&error.to_string());
            return format!("error: {}", told.split(" (asked http://127.0.0.1/").next().unwrap_or_default());
        }
    };
    assert_eq!(reply.model, "server/m");
    let mut words = Vec::new();
    for (label, text) in [("text", &reply.text), ("thinking", &reply.reasoning)] {
        if !text.is_empty() {
            words.push(format!("{label}={text}"));
        }
    }
    for call in &reply.tool_calls {
        words.push(format!("{}:{}({})", call.id, call.name, call.arguments));
    }
    words.push(format!("{:?}", reply.finish));
    let usage = reply.usage;
    if usage != crate::Usage::default() {
        words.push(format!("{}/{}/{}", usage.input, usage.cached, usage.output));
    }
    words.join(" ")
}
