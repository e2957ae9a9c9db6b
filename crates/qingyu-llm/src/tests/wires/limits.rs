//! Time, size, keys.

use std::time::Duration;

use crate::model::drain;
use crate::testing::server::{AnswerGate, BodyEnding, BodyPiece, Scripted, Server};
use crate::{ChatEvent, ClientLimits, Error, LlmClient, Provider, ProviderKey, Providers, Wire};
use futures::StreamExt;
use tokio::net::TcpListener;

use super::{plain, without_port};

async fn outcome(server: &Server, limits: ClientLimits) -> Result<String, Error> {
    let model = LlmClient::new(limits).chat(&server.provider(Wire::OpenAi), "m", None)?;
    drain(model.stream(&plain()).await?).await.map(|reply| reply.text)
}

const CHUNK: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"雪\"}}]}\n\n";

#[tokio::test(start_paused = true)]
async fn a_silent_server_is_given_up() {
    let cases = [
        ("before the status line", Scripted::text("雪").behind(&AnswerGate::new())),
        ("after the head", Scripted::sse([""; 0]).ending(BodyEnding::Hang)),
        ("in mid stream", Scripted::sse([CHUNK]).ending(BodyEnding::Hang)),
        ("in an error body", Scripted::sse(["x"]).ending(BodyEnding::Hang)),
    ];
    for (when, answer) in cases {
        let server = Server::scripted([answer]).await;
        let error = outcome(&server, ClientLimits::default()).await.unwrap_err();
        assert!(matches!(&error, Error::Transport { .. }), "{when}: {error}");
        assert_eq!(
            without_port(&error.to_string()),
            "no connection to server/m: nothing came for 120 s (asked http://127.0.0.1/v1/chat/completions)",
            "{when}"
        );
        assert!(error.is_transient());
    }
}

#[tokio::test(start_paused = true)]
async fn signs_of_life_keep_the_connection() {
    // Three pauses, each shorter than the limit, together longer.
    let pause = || BodyPiece::Wait(Duration::from_secs(100));
    let comment = || BodyPiece::from(": alive\n\n");
    let pieces = [pause(), comment(), pause(), comment(), pause(), CHUNK.into(), "data: [DONE]\n\n".into()];
    let server = Server::scripted([Scripted::sse(pieces)]).await;
    assert_eq!(outcome(&server, ClientLimits::default()).await.unwrap(), "雪");
}

#[tokio::test]
async fn an_answer_without_end_is_stopped() {
    let server = Server::scripted([Scripted::sse(vec![CHUNK; 2_000])]).await;
    let error = outcome(&server, ClientLimits { max_bytes: 10_000, ..ClientLimits::default() }).await.unwrap_err();
    assert_eq!(
        without_port(&error.to_string()),
        "no connection to server/m: the answer has more than 10000 bytes (asked http://127.0.0.1/v1/chat/completions)"
    );
}

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let provider = Provider::local("gone", &format!("http://{address}/v1"), Wire::OpenAi);
    let model = LlmClient::default().chat(&provider, "m", None).unwrap();
    let error = model.stream(&plain()).await.err().unwrap();
    assert!(
        matches!(&error, Error::Transport { model, message } if model == "gone/m" && message.contains("onnect")),
        "{error}"
    );
}

#[tokio::test]
async fn dropping_the_stream_cancels_the_request() {
    let in_mid_stream = Scripted::sse([CHUNK]).ending(BodyEnding::Hang);
    let before_the_status = Scripted::text("雪").behind(&AnswerGate::new());
    let server = Server::scripted([in_mid_stream, before_the_status]).await;
    let model = LlmClient::default().chat(&server.provider(Wire::OpenAi), "m", None).unwrap();
    let request = plain();
    let mut stream = model.stream(&request).await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap(), ChatEvent::Text("雪".into()));
    drop(stream);
    let mut pending = model.stream(&request);
    while server.requests().len() < 2 {
        assert!(futures::poll!(&mut pending).is_pending());
        tokio::task::yield_now().await;
    }
    drop(pending);
    while server.hung_up() < 2 {
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_missing_key_names_its_variable() {
    let providers = Providers::built_in();
    let error = LlmClient::default().chat(providers.get("deepseek").unwrap(), "deepseek-flash", None).unwrap_err();
    assert_eq!(error.to_string(), "provider deepseek needs a key: set DEEPSEEK_API_KEY");
    assert!(matches!(error, Error::Settings(_)));
}

#[test]
fn a_key_that_cannot_be_one_is_refused_without_being_shown() {
    let provider = Provider::local("any", "http://127.0.0.1:1/v1", Wire::OpenAi);
    let error = LlmClient::default().chat(&provider, "m", Some(&"sk-se\ncret".into())).unwrap_err();
    assert_eq!(error.to_string(), "the key of provider any has characters that no key has");
}

#[test]
fn keys_are_never_printed() {
    let key = ProviderKey::from("sk-secret");
    assert_eq!(format!("{key:?}"), "Key(…)");
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let provider = Provider::local("any", "http://127.0.0.1:1/v1", wire);
        let model = LlmClient::default().chat(&provider, "m", Some(&key)).unwrap();
        let shown = format!("{model:?}");
        assert!(shown.contains("any/m") && !shown.contains("secret"), "{shown}");
    }
}
