//! Typed answers through the layers and the wires, from a server.

use std::sync::Arc;
use std::time::Duration;

use crate::cassette::{Recorder, Recording};
use crate::stack::{BudgetLedger, Replayed, RetryModel, SpendingBudget, Stack};
use crate::structured::ask;
use crate::testing::server::{BodyEnding, Scripted, Server};
use crate::{ChatMessage, ChatModel, ChatRequest, ClientLimits, FinishReason, LlmClient, Prices, Reply, Wire};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Outline {
    title: String,
    chapters: Vec<String>,
}

const GOOD: &str = r#"{"title":"青羽","chapters":["雪夜","门开"]}"#;

fn request() -> ChatRequest {
    ChatRequest {
        purpose: "outline.generate".into(),
        messages: vec![ChatMessage::user("写一个大纲")],
        ..ChatRequest::default()
    }
}

fn open(server: &Server, wire: Wire) -> Arc<dyn ChatModel> {
    LlmClient::new(ClientLimits::default()).chat(&server.provider(wire), "any", None).unwrap()
}

fn at_once() -> RetryModel {
    RetryModel { attempts: 3, first_wait: Duration::from_millis(1), longest_wait: Duration::from_millis(1) }
}

fn cut(text: &str) -> Scripted {
    Scripted::reply(Reply { text: text.into(), finish: FinishReason::Length, ..Reply::default() })
}

#[tokio::test]
async fn a_refused_then_cut_answer_is_had_and_can_be_replayed() {
    let (first, rest) = GOOD.split_at(GOOD.find("门").unwrap());
    let busy = Scripted::status(429, "{\"error\":{\"message\":\"slow down\"}}").header("retry-after", "0");
    let server = Server::scripted([busy, cut(&format!("```json\n{first}")), Scripted::text(rest)]).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let ledger = Arc::new(BudgetLedger::new(SpendingBudget::default(), Prices::built_in()));
    let model = Stack::new(open(&server, Wire::OpenAi))
        .retry(at_once())
        .budget(Arc::clone(&ledger))
        .record(Arc::new(Recorder::open(&path).unwrap()))
        .build();

    let answer = ask::<Outline>(&*model, request(), &mut |_| {}).await.unwrap();
    assert_eq!(answer.value.chapters, ["雪夜", "门开"]);
    assert_eq!((answer.attempts, answer.repaired), (2, true));
    let sent = server.requests();
    assert_eq!(sent.len(), 3);
    assert_eq!((sent[1].schema_name(), sent[2].schema_name()), (Some("Outline"), None));
    assert_eq!(sent[2].body["messages"][1]["content"], first);
    assert_eq!((ledger.spent().calls, ledger.spent().usage), (2, answer.usage));

    let replayed = Replayed::new(model.name(), Arc::new(Recording::open(&path).unwrap()));
    let again = ask::<Outline>(&replayed, request(), &mut |_| {}).await.unwrap();
    assert!(again.reply.replayed && !answer.reply.replayed);
    assert_eq!((again.value, again.usage, again.attempts), (answer.value, answer.usage, answer.attempts));
    assert_eq!((again.raw, again.repaired), (answer.raw, answer.repaired));
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_forced_call_of_the_wrong_shape_is_asked_for_again() {
    let server = Server::scripted([Scripted::text(r#"{"title":"青羽"}"#), Scripted::text(GOOD)]).await;
    let answer = ask::<Outline>(&*open(&server, Wire::Anthropic), request(), &mut |_| {}).await.unwrap();
    assert_eq!((answer.attempts, answer.repaired), (2, false));
    let sent = server.requests();
    assert_eq!(sent[1].forced_tool(), Some("Outline"));
    assert!(sent[1].prompt().contains("\"chapters\" is a required property"), "{}", sent[1].prompt());
}

#[tokio::test]
async fn a_server_that_refuses_the_key_is_replaced() {
    let refusing = Server::scripted([Scripted::status(401, "{\"error\":{\"message\":\"invalid key\"}}")]).await;
    let spare = Server::scripted([Scripted::text(GOOD)]).await;
    let model =
        Stack::new(open(&refusing, Wire::OpenAi)).retry(at_once()).fallback([open(&spare, Wire::OpenAi)]).build();
    ask::<Outline>(&*model, request(), &mut |_| {}).await.unwrap();
    assert_eq!((refusing.requests().len(), spare.requests().len()), (1, 1));
}

#[tokio::test]
async fn a_connection_lost_in_the_middle_is_picked_up() {
    let (first, rest) = GOOD.split_at(GOOD.find("门").unwrap());
    let chunk = serde_json::json!({"choices": [{"delta": {"content": first}}]});
    let lost = Scripted::sse([format!("data: {chunk}\n\n")]).ending(BodyEnding::Cut);
    let server = Server::scripted([lost, Scripted::text(rest)]).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let recorder = Arc::new(Recorder::open(&path).unwrap());
    let model = Stack::new(open(&server, Wire::OpenAi)).retry(at_once()).record(recorder).build();
    let answer = ask::<Outline>(&*model, request(), &mut |_| {}).await.unwrap();
    assert_eq!(answer.value.chapters, ["雪夜", "门开"]);
    assert_eq!(server.requests()[1].body["messages"][1]["content"], first);

    let replayed = Replayed::new(model.name(), Arc::new(Recording::open(&path).unwrap()));
    let again = ask::<Outline>(&replayed, request(), &mut |_| {}).await.unwrap();
    assert_eq!((again.value, again.usage), (answer.value, answer.usage), "what was lost is part of the recording");
}
