//! Embeddings, listings, the probe, and the doubles themselves.

use std::sync::Arc;
use std::time::Duration;

use crate::model::drain;
use crate::probe::probe_loopback;
use crate::testing::server::{AnswerGate, RecordedEndpoint, Scripted, Server};
use crate::testing::{ModelScript, ScriptedModel};
use crate::{ChatEvent, ChatMessage, ChatModel, ChatRequest, Error, LlmClient, Providers, Reply, Usage, Wire};
use futures::future::join_all;
use serde_json::json;

use super::{collect, plain};

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("第{number}段")).collect()
}

#[tokio::test]
async fn texts_are_embedded_in_batches() {
    let server = Server::scripted([]).await;
    let mut provider = server.provider(Wire::OpenAi);
    provider.quirks.embedding_batch = Some(10);
    let embedder = LlmClient::default().embedder(&provider, "e", None).unwrap();
    let texts = texts(23);
    let vectors = embedder.embed(&texts).await.unwrap();
    assert_eq!((embedder.name(), vectors.len(), server.count(RecordedEndpoint::Embeddings)), ("server/e", 23, 3));
    assert_eq!(vectors[22], embedder.embed(&texts[22..]).await.unwrap()[0]);
    assert_ne!(vectors[0], vectors[1]);
    let sent = &server.requests()[0].body;
    assert_eq!(sent, &json!({ "model": "e", "input": texts[..10], "encoding_format": "float" }));
    assert!(embedder.embed(&[]).await.unwrap().is_empty());
}

/// A passage that is too long for the model is cut to what fits, and the others are embedded as they are.
#[tokio::test]
async fn what_is_too_long_for_an_embedder_is_cut() {
    let server = Server::scripted([]).await;
    let said =
        r#"{"message":"Input validation error: `inputs` must have less than 512 tokens. Given: 521","code":413}"#;
    server.push_for(RecordedEndpoint::Embeddings, Scripted::status(413, said));
    let embedder = LlmClient::default().embedder(&server.provider(Wire::OpenAi), "e", None).unwrap();
    let texts = ["雪".repeat(521), "夜".to_owned()];
    assert_eq!(embedder.embed(&texts).await.unwrap().len(), 2);
    let sent = &server.requests()[1].body["input"];
    assert_eq!((sent[0].as_str().unwrap().chars().count(), &sent[1]), (480, &json!("夜")));
}

#[tokio::test]
async fn broken_embeddings_are_errors() {
    let cases = [
        (Scripted::status(429, "{}"), "server/e answered 429: {}"),
        (
            Scripted::status(200, r#"{"error":{"message":"no such model"}}"#),
            "server/e is not served (200): no such model",
        ),
        (Scripted::status(200, r#"{"data":[]}"#), r#"server/e reported an error: not 1 vectors: {"data":[]}"#),
    ];
    for (answer, expected) in cases {
        let server = Server::scripted([]).await;
        server.push_for(RecordedEndpoint::Embeddings, answer);
        let embedder = LlmClient::default().embedder(&server.provider(Wire::OpenAi), "e", None).unwrap();
        let told = embedder.embed(&texts(1)).await.unwrap_err().to_string();
        assert_eq!(told.replace(&format!(" (asked {}/v1/embeddings)", server.url()), ""), expected);
    }
    let server = Server::scripted([]).await;
    let error = LlmClient::default().embedder(&server.provider(Wire::Anthropic), "e", None).unwrap_err();
    assert_eq!(error.to_string(), "provider server has no embeddings");
}

#[tokio::test]
async fn the_probe_finds_what_answers() {
    let server = Server::scripted([]).await;
    let silent = Server::scripted([]).await;
    silent.push_for(RecordedEndpoint::Models, Scripted::text("").behind(&AnswerGate::new()));
    // The built-in rows are moved away from ports that something may listen on.
    let rows = ["ollama", "lmstudio", "vllm", "llamacpp"]
        .map(|name| format!("[{name}]\nbase_url = \"http://127.0.0.1:1/v1\"\n"));
    let text = format!(
        "{}[here]\nbase_url = \"{}/v1\"\n[silent]\nbase_url = \"{}/v1\"\n",
        rows.concat(),
        server.url(),
        silent.url()
    );
    let found = probe_loopback(&Providers::with_overrides(&text.parse().unwrap()).unwrap()).await;
    let found: Vec<_> = found.iter().map(|it| (it.provider.name.as_str(), it.models.as_slice())).collect();
    assert_eq!(found, [("here", ["scripted-model".to_owned()].as_slice())]);
}

#[tokio::test]
async fn the_server_counts_when_the_script_does_not() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let server = Server::scripted([Scripted::text("雪夜")]).await;
        let model = LlmClient::default().chat(&server.provider(wire), "m", None).unwrap();
        let reply = collect(model.stream(&plain()).await.unwrap()).await.unwrap();
        assert_eq!(reply.usage, Usage { input: 3, output: 2, ..Usage::default() }, "{wire:?}");
    }
}

/// What a script says comes out of both wires unchanged.
#[tokio::test]
async fn a_scripted_reply_survives_both_wires() {
    let script = Reply {
        text: "雪夜，有人推门。".into(),
        reasoning: "先想一想，再写下来。".into(),
        usage: Usage { input: 50, cached: 20, output: 9, ..Usage::default() },
        model: "server/m".into(),
        ..Reply::default()
    };
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let server = Server::scripted([Scripted::reply(script.clone())]).await;
        let model = LlmClient::default().chat(&server.provider(wire), "m", None).unwrap();
        let reply = collect(model.stream(&plain()).await.unwrap()).await.unwrap();
        assert_eq!(Reply { raw: script.raw.clone(), ..reply }, script, "{wire:?}");
    }
}

#[tokio::test]
async fn a_responder_sees_what_was_asked_and_many_are_served_at_once() {
    let gate = AnswerGate::new();
    let held = gate.clone();
    let server = Arc::new(Server::responding(move |asked| Scripted::text(asked.prompt()).behind(&held)).await);
    let model = LlmClient::default().chat(&server.provider(Wire::OpenAi), "m", None).unwrap();
    let calls = (0..8).map(|number| {
        let model = Arc::clone(&model);
        async move {
            let request = ChatRequest { messages: vec![ChatMessage::user(number.to_string())], ..plain() };
            drain(model.stream(&request).await.unwrap()).await.unwrap().text
        }
    });
    let calls = tokio::spawn(join_all(calls.collect::<Vec<_>>()));
    // Nothing is answered before all have asked: they are served side by side.
    while server.count(RecordedEndpoint::Chat) < 8 {
        tokio::task::yield_now().await;
    }
    gate.open();
    let answers = calls.await.unwrap();
    assert_eq!(answers, (0..8).map(|number| number.to_string()).collect::<Vec<_>>());
    let sequence: Vec<usize> = server.requests().iter().map(|request| request.sequence).collect();
    assert_eq!(sequence, (0..8).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_empty_queue_is_an_error_and_not_an_answer() {
    let server = Server::scripted([]).await;
    let model = LlmClient::default().chat(&server.provider(Wire::OpenAi), "m", None).unwrap();
    let error = model.stream(&plain()).await.err().unwrap();
    assert!(error.to_string().contains("no scripted answer is left"), "{error}");
    let error = ScriptedModel::new("scripted").stream(&plain()).await.err().unwrap();
    assert_eq!(error.to_string(), "scripted cannot do draft.scene: no scripted answer is left");
}

#[tokio::test(start_paused = true)]
async fn a_scripted_model_plays_its_parts() {
    let truncated = Error::Truncated { partial: "雪".into() };
    let model = ScriptedModel::responding("scripted", |request| request.purpose.as_str().into())
        .with_latency(Duration::from_secs(3))
        .on("draft.scene", "雪夜，有人推门进来。")
        .on("draft.scene", ModelScript::Items(vec![Ok(ChatEvent::Text("雪".into())), Err(truncated)]))
        .on("draft.scene", Error::Transport { model: "scripted".into(), message: "down".into() });
    assert_eq!(model.left(), 3);
    let started = tokio::time::Instant::now();
    let reply = collect(model.stream(&plain()).await.unwrap()).await.unwrap();
    assert_eq!((reply.text.as_str(), started.elapsed()), ("雪夜，有人推门进来。", Duration::from_secs(3)));
    let cut = drain(model.stream(&plain()).await.unwrap()).await.unwrap_err();
    assert_eq!(cut.to_string(), "the answer was cut after 1 characters");
    assert!(matches!(model.stream(&plain()).await, Err(Error::Transport { .. })));
    assert_eq!(drain(model.stream(&plain()).await.unwrap()).await.unwrap().text, "draft.scene");
    assert_eq!((model.requests().len(), model.left()), (4, 0));
}
