//! From request to value, over several calls.

use super::Outline;
use crate::structured::{AnswerCheck, MAX_ANSWER, StructuredAnswer, StructuredOptions, ask, ask_with};
use crate::testing::{ModelScript, ScriptedModel};
use crate::{ChatEvent, ChatMessage, ChatRequest, Error, FinishReason, MessageRole, Reply, ToolCall, ToolSpec, Usage};

const PURPOSE: &str = "outline.generate";
const GOOD: &str = r#"{"title":"青羽","chapters":[{"n":1,"summary":"雪夜"}]}"#;

fn request() -> ChatRequest {
    ChatRequest {
        purpose: PURPOSE.into(), messages: vec![ChatMessage::user("写一个大纲")], ..ChatRequest::default()
    }
}

fn model<const N: usize>(answers: [ModelScript; N]) -> ScriptedModel {
    let model = ScriptedModel::new("scripted");
    for answer in answers {
        model.push(PURPOSE, answer);
    }
    model
}

fn reply(text: &str, finish: FinishReason) -> ModelScript {
    let usage = Usage { input: 10, output: 5, ..Usage::default() };
    Reply { text: text.into(), finish, usage, ..Reply::default() }.into()
}

async fn run(model: &ScriptedModel) -> Result<StructuredAnswer<Outline>, Error> {
    ask(model, request(), &mut |_| {}).await
}

#[tokio::test]
async fn a_good_answer_takes_one_call_with_the_schema() {
    let model = model([reply(GOOD, FinishReason::Stop)]);
    let mut events = Vec::new();
    let answer = ask::<Outline>(&model, request(), &mut |event| events.push(event.clone())).await.unwrap();
    assert_eq!(answer.value.chapters[0].summary, "雪夜");
    assert_eq!((answer.attempts, answer.repaired, answer.raw.as_str()), (1, false, GOOD));
    assert_eq!(answer.usage, Usage { input: 10, output: 5, ..Usage::default() });
    assert_eq!(model.requests()[0].output.as_ref().unwrap().name, "Outline");
    assert!(matches!(events.last(), Some(ChatEvent::Done(_))));
}

#[tokio::test]
async fn a_wrong_answer_is_quoted_back_with_its_errors() {
    let model = model([
        reply(r#"{"title":"青羽"}"#, FinishReason::Stop),
        reply("抱歉", FinishReason::Stop),
        reply(GOOD, FinishReason::Stop),
    ]);
    let answer = run(&model).await.unwrap();
    assert_eq!((answer.attempts, answer.repaired), (3, false));
    assert_eq!(answer.usage, Usage { input: 30, output: 15, ..Usage::default() });
    let [first, second, third] = model.requests().try_into().unwrap();
    assert_eq!(second.messages[0], first.messages[0]);
    assert_eq!(second.messages[1], ChatMessage::assistant(r#"{"title":"青羽"}"#));
    assert_eq!(second.messages[2].role, MessageRole::User);
    assert!(
        second.messages[2].text.contains("- /: \"chapters\" is a required property"),
        "{}",
        second.messages[2].text
    );
    assert!(second.messages[2].text.starts_with("上一次的回答无法使用"));
    assert_eq!(second.output, first.output);
    // Only the newest wrong answer is quoted, so the prompt does not grow.
    assert_eq!(third.messages.len(), 3);
    assert_eq!(third.messages[1], ChatMessage::assistant("抱歉"));
}

#[tokio::test]
async fn three_wrong_answers_are_an_error() {
    let model =
        model([reply("一", FinishReason::Stop), reply("二", FinishReason::Stop), reply("{}", FinishReason::Stop)]);
    let Err(Error::BadOutput { purpose, attempts, raw, problems }) = run(&model).await else { panic!() };
    assert_eq!((purpose.as_str(), attempts, raw.as_str()), (PURPOSE, 3, "{}"));
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn a_cut_answer_is_continued_without_the_schema() {
    let (first, rest) = GOOD.split_at(GOOD.find("雪").unwrap());
    let model =
        model([reply(&format!("<think>…</think>{first}"), FinishReason::Length), reply(rest, FinishReason::Stop)]);
    let answer = run(&model).await.unwrap();
    assert_eq!(answer.value.chapters[0].summary, "雪夜");
    assert_eq!((answer.attempts, answer.repaired, answer.raw.as_str()), (2, true, GOOD));
    let sent = &model.requests()[1];
    assert_eq!(sent.output, None);
    assert_eq!(sent.messages[1], ChatMessage::assistant(first));
    assert!(sent.messages[2].text.contains("接着写"));
}

#[tokio::test]
async fn an_answer_cut_twice_is_asked_for_again() {
    let model = model([
        reply("{\"title\":\"青", FinishReason::Length),
        reply("羽\",\"chap", FinishReason::Length),
        reply(GOOD, FinishReason::Stop),
    ]);
    let answer = run(&model).await.unwrap();
    assert_eq!((answer.attempts, answer.repaired), (3, false));
    let third = &model.requests()[2];
    assert!(third.output.is_some());
    assert_eq!(third.messages[1], ChatMessage::assistant("{\"title\":\"青羽\",\"chap"));
    assert!(third.messages[2].text.contains("cut off"));
}

#[tokio::test]
async fn a_truncated_object_is_never_repaired_into_success() {
    let cut = "{\"title\":\"青羽\",\"chapters\":[{\"n\":1,\"summary\":\"雪夜\"}";
    let model = model([reply(cut, FinishReason::Stop), reply("", FinishReason::Stop), reply(cut, FinishReason::Stop)]);
    assert!(matches!(run(&model).await, Err(Error::BadOutput { attempts: 3, .. })));
}

#[tokio::test]
async fn a_broken_connection_counts_as_a_cut() {
    let lost = Error::Transport { model: "scripted".into(), message: "reset".into() };
    let (first, rest) = GOOD.split_at(20);
    let broken = ModelScript::Items(vec![Ok(ChatEvent::Text(first.into())), Err(lost.clone())]);
    let mended = model([broken.clone(), reply(rest, FinishReason::Stop)]);
    let answer = run(&mended).await.unwrap();
    assert_eq!(answer.attempts, 2);
    assert!(answer.usage.estimated);

    let only = StructuredOptions::<Outline> { max_attempts: 1, ..StructuredOptions::default() };
    let error = ask_with(&model([broken]), request(), &only, &mut |_| {}).await.unwrap_err();
    assert!(matches!(error, Error::Transport { .. }), "{error}");

    let complete = model([ModelScript::Items(vec![Ok(ChatEvent::Text(GOOD.into())), Err(lost.clone())])]);
    assert_eq!(ask_with(&complete, request(), &only, &mut |_| {}).await.unwrap().value.title, "青羽");

    let early = model([ModelScript::Items(vec![Err(lost)]), reply(GOOD, FinishReason::Stop)]);
    assert!(matches!(run(&early).await, Err(Error::Transport { .. })), "before any text it is the retry layer's work");
}

#[tokio::test]
async fn the_caller_s_check_is_asked_about_in_its_own_words() {
    let two = r#"{"title":"青羽","chapters":[{"n":1,"summary":"雪"},{"n":2,"summary":"夜"}]}"#;
    let model = model([reply(GOOD, FinishReason::Stop), reply(two, FinishReason::Stop)]);
    let check: &AnswerCheck<'_, Outline> = &|outline| match outline.chapters.len() {
        2 => Vec::new(),
        _ => vec!["缺少第 2 章".to_owned()],
    };
    let options = StructuredOptions { check: Some(check), ..StructuredOptions::default() };
    let answer = ask_with(&model, request(), &options, &mut |_| {}).await.unwrap();
    assert_eq!((answer.value.chapters.len(), answer.attempts), (2, 2));
    assert!(model.requests()[1].messages[2].text.contains("- 缺少第 2 章"));
}

#[tokio::test]
async fn a_problem_that_occurs_often_is_said_once() {
    let model = model([reply(GOOD, FinishReason::Stop)]);
    let check: &AnswerCheck<'_, Outline> =
        &|_| (0..40).map(|index| format!("event {} occurs twice", index % 8)).collect();
    let options = StructuredOptions { max_attempts: 1, check: Some(check), ..StructuredOptions::default() };
    let error = ask_with(&model, request(), &options, &mut |_| {}).await.unwrap_err();
    let Error::BadOutput { problems, .. } = &error else { panic!("{error}") };
    assert_eq!(problems.len(), 8);
    assert!(error.to_string().ends_with("event 4 occurs twice; and 3 more"), "{error}");
}

#[tokio::test]
async fn the_arguments_of_a_forced_call_are_the_answer() {
    let call = |name: &str| ToolCall { id: "call_0".into(), name: name.into(), arguments: GOOD.into() };
    let with_calls =
        |text: &str, tool_calls| ModelScript::from(Reply { text: text.into(), tool_calls, ..Reply::default() });
    let named = model([with_calls("我来写大纲", vec![call("Outline")])]);
    assert_eq!(run(&named).await.unwrap().value.title, "青羽");
    let unnamed = model([with_calls("", vec![call("json")])]);
    assert_eq!(run(&unnamed).await.unwrap().value.title, "青羽");

    let tool = ToolSpec { name: "search".into(), description: String::new(), parameters: serde_json::json!({}) };
    let request = ChatRequest { tools: vec![tool], ..request() };
    let other = model([with_calls("", vec![call("search")])]);
    let options = StructuredOptions::<Outline> { max_attempts: 1, ..StructuredOptions::default() };
    let error = ask_with(&other, request, &options, &mut |_| {}).await.unwrap_err();
    assert!(matches!(error, Error::BadOutput { .. }), "{error}");
}

#[tokio::test]
async fn endless_answers_are_refused() {
    let piece = "雪".repeat(MAX_ANSWER / 4);
    let endless = model([ModelScript::Items(vec![Ok(ChatEvent::Text(piece.clone())), Ok(ChatEvent::Text(piece))])]);
    let Err(Error::BadOutput { attempts: 1, problems, .. }) = run(&endless).await else { panic!() };
    assert!(problems[0].contains("longer than 4194304 bytes"));
}

#[tokio::test]
async fn a_filtered_answer_is_not_asked_for_again() {
    let model = model([reply("{\"title\":", FinishReason::Filtered), reply(GOOD, FinishReason::Stop)]);
    assert!(matches!(run(&model).await, Err(Error::Filtered { .. })));
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn an_english_request_is_answered_back_in_english() {
    let model = model([reply("Sorry.", FinishReason::Stop), reply(GOOD, FinishReason::Stop)]);
    let request = ChatRequest { messages: vec![ChatMessage::user("Write an outline.")], ..request() };
    ask::<Outline>(&model, request, &mut |_| {}).await.unwrap();
    assert!(model.requests()[1].messages[2].text.starts_with("Your last answer could not be used"));
}

#[test]
fn asking_can_be_spawned() {
    fn is_send<T: Send>(_: T) {}
    let model = ScriptedModel::new("scripted");
    is_send(ask::<Outline>(&model, request(), &mut |_| {}));
}
