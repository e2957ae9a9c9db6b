use super::*;
use crate::stack::FallbackModel;

fn fallback<const N: usize>(first: &ScriptedModel, others: [&ScriptedModel; N]) -> FallbackModel {
    FallbackModel::new(Arc::new(first.clone()), others.map(|model| Arc::new(model.clone()) as Arc<dyn ChatModel>))
}

#[tokio::test]
async fn the_next_model_answers_and_is_named() {
    let refusing = scripted("a/one", [http(401, None).into()]);
    let thinking = scripted("b/two", [ModelScript::Items(vec![Ok(ChatEvent::Reasoning("想".into())), Err(lost())])]);
    let well = scripted("c/three", [answer("雪", 1, 1)]);
    let fallback = fallback(&refusing, [&thinking, &well]);
    assert_eq!(fallback.name(), "a/one");
    let reply = call(&fallback).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("雪", "c/three"));
    let substitution = reply.substitution.unwrap();
    assert_eq!((substitution.wanted.as_str(), substitution.error), ("a/one", http(401, None).to_string()));
}

#[tokio::test(start_paused = true)]
async fn an_empty_answer_is_a_reason_to_ask_the_next_model() {
    let empty = || ModelScript::from(Reply { reasoning: "想".into(), model: "a/one".into(), ..Reply::default() });
    let thinking = scripted("a/one", [empty(), empty()]);
    let well = scripted("b/two", [answer("雪", 1, 1)]);
    let stack = Stack::new(Arc::new(thinking.clone())).retry(RetryModel::default());
    let reply = call(&*stack.fallback([Arc::new(well) as Arc<dyn ChatModel>]).build()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str(), thinking.left()), ("雪", "b/two", 0));
    assert!(reply.substitution.unwrap().error.ends_with("all of it was thinking"));
}

#[tokio::test]
async fn nobody_else_is_asked_after_visible_text() {
    let breaking = scripted("a/one", [broken_off("雪", lost())]);
    let spare = scripted("b/two", [answer("雪夜", 1, 1)]);
    assert!(matches!(call(&fallback(&breaking, [&spare])).await, Err(Error::Transport { .. })));
    assert_eq!(spare.left(), 1);
}

#[tokio::test]
async fn a_used_up_budget_is_not_evaded() {
    let poor = scripted("a/one", [Error::Budget { message: "all spent".into(), overdraft: None }.into()]);
    let spare = scripted("b/two", [answer("雪", 1, 1)]);
    assert!(matches!(call(&fallback(&poor, [&spare])).await, Err(Error::Budget { .. })));
    assert_eq!(spare.left(), 1);
}

#[tokio::test]
async fn when_all_fail_the_wanted_model_says_why() {
    let first = scripted("a/one", [http(401, None).into()]);
    let second = scripted("b/two", [lost().into()]);
    assert!(matches!(call(&fallback(&first, [&second])).await, Err(Error::Http { status: 401, .. })));
}
