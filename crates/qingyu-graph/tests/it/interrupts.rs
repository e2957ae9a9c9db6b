//! Questions to people, and their answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, Outcome, START};
use serde_json::{Value, json};

use crate::board::{Board, BoardUpdate, Counter, done, log, on_every_store, waiting};

type Written = Result<BoardUpdate, NodeError>;

#[tokio::test]
async fn c32_a_question_pauses_and_its_answer_comes_back() {
    on_every_store(async |store| {
        let paid = Counter::default();
        let counted = paid.clone();
        let graph = Graph::<Board>::new("ask")
            .node("ask", move |_: Arc<Board>, context: Context| {
                let counted = counted.clone();
                async move {
                    let draft = context
                        .step("draft", "rain", async || Ok::<_, NodeError>(format!("draft {}", counted.call())))
                        .await?;
                    let good: bool = context.ask("approve", &json!({ "draft": draft })).await?;
                    Written::Ok(log(format!("{draft}: {good}")))
                }
            })
            .edge(START, "ask")
            .edge("ask", END)
            .compile()
            .unwrap();
        let thread = graph.thread(store, "t");
        let outcome = thread.start(Board::update()).await.unwrap().finish().await.unwrap();
        let Outcome::Waiting { questions, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!((questions[0].node.as_str(), questions[0].key.as_str()), ("ask", "approve"));
        assert_eq!(questions[0].payload, json!({ "draft": "draft 0" }));
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.next, snapshot.questions), (vec!["ask".to_owned()], questions));
        assert_eq!(waiting(thread.resume().await).await.len(), 1, "without an answer it keeps waiting");
        assert_eq!(done(thread.answer(true).await).await.log, ["draft 0: true"]);
        assert_eq!(paid.get(), 1);
    })
    .await;
}

#[tokio::test]
async fn c33_two_questions_in_turn_have_different_ids_and_old_answers_are_refused() {
    let graph = Graph::<Board>::new("twice")
        .node("ask", |_: Arc<Board>, context: Context| async move {
            let first: String = context.ask("first", "1?").await?;
            let second: String = context.ask("second", "2?").await?;
            Written::Ok(log(format!("{first} {second}")))
        })
        .edge(START, "ask")
        .route("ask", ["ask", END], |board: &Board| [if board.log.len() < 2 { "ask" } else { END }])
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let mut ids = waiting(thread.start(Board::update()).await).await;
        for answer in ["a", "b", "c"] {
            let answers = BTreeMap::from([(ids.last().unwrap().clone(), answer)]);
            ids.extend(waiting(thread.answer_map(answers.clone()).await).await);
            let refused = thread.answer_map(answers).await.unwrap_err();
            assert!(matches!(refused, Error::NoSuchQuestion { .. }), "{refused}");
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 4, "the second round asks anew");
        assert_eq!(done(thread.answer("d").await).await.log, ["a b", "c d"]);
        let refused = thread.answer("e").await.unwrap_err();
        assert!(matches!(refused, Error::NoSuchQuestion { .. }), "{refused}");
    })
    .await;
}

/// Two nodes that ask side by side, and one that does not.
fn two_who_ask(calls: &BTreeMap<&'static str, Counter>) -> CompiledGraph<Board> {
    let mut graph = Graph::<Board>::new("parallel");
    for (&name, counter) in calls {
        let counter = counter.clone();
        let node = move |_: Arc<Board>, context: Context| {
            counter.call();
            async move {
                let answer: String = if name == "plain" { name.to_owned() } else { context.ask("q", name).await? };
                Written::Ok(log(answer))
            }
        };
        graph = graph.node(name, node).edge(START, name).edge(name, END);
    }
    graph.compile().unwrap()
}

#[tokio::test]
async fn c34_and_c35_parallel_questions_are_answered_one_by_one() {
    on_every_store(async |store| {
        let calls = BTreeMap::from(["a", "b", "plain"].map(|name| (name, Counter::default())));
        let count = || ["a", "b", "plain"].map(|name| calls[name].get());
        let thread = two_who_ask(&calls).thread(store, "t");
        let ids = waiting(thread.start(Board::update()).await).await;
        assert_eq!(ids.len(), 2);
        assert_eq!(thread.snapshot().await.unwrap().unwrap().state.log, ["plain"], "the sibling's write is kept");
        let refused = thread.answer("which?").await.unwrap_err();
        assert!(matches!(&refused, Error::SeveralQuestions { ids: open, .. } if *open == ids), "{refused}");
        let one = BTreeMap::from([(ids[1].clone(), "to b")]);
        assert_eq!(waiting(thread.answer_map(one).await).await, [ids[0].clone()]);
        assert_eq!(count(), [1, 2, 1], "who has no answer does not run again");
        let wrong = BTreeMap::from([("no such id".to_owned(), "?")]);
        assert!(matches!(thread.answer_map(wrong).await, Err(Error::NoSuchQuestion { .. })));
        assert_eq!(done(thread.answer("to a").await).await.log, ["to a", "to b", "plain"]);
        assert_eq!(count(), [2, 2, 1]);
    })
    .await;
}

#[tokio::test]
async fn c34_two_questions_of_one_node_are_both_listed() {
    let graph = Graph::<Board>::new("both")
        .node("ask", |_: Arc<Board>, context: Context| async move {
            let (left, right) = tokio::join!(context.ask::<String>("left", "l?"), context.ask::<String>("right", "r?"));
            Written::Ok(log(format!("{}{}", left?, right?)))
        })
        .edge(START, "ask")
        .edge("ask", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let ids = waiting(thread.start(Board::update()).await).await;
        assert_eq!(ids.len(), 2);
        let left = waiting(thread.answer_map(BTreeMap::from([(ids[0].clone(), "L")])).await).await;
        assert_eq!(left, [ids[1].clone()]);
        assert_eq!(done(thread.answer("R").await).await.log, ["LR"]);
    })
    .await;
}

#[tokio::test]
async fn c37_a_wrong_answer_is_refused_and_the_question_stays() {
    let graph = Graph::<Board>::new("typed")
        .node("ask", |_: Arc<Board>, context: Context| async move {
            let words: u32 = context.ask("words", "how many?").await?;
            Written::Ok(Board::update().total(u64::from(words)))
        })
        .edge(START, "ask")
        .edge("ask", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let ids = waiting(thread.start(Board::update()).await).await;
        let outcome = thread.answer("many").await.unwrap().finish().await.unwrap();
        let Outcome::Waiting { questions, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(questions[0].id, ids[0]);
        assert!(questions[0].refused.as_ref().unwrap().contains("invalid type"), "{questions:?}");
        assert_eq!(thread.snapshot().await.unwrap().unwrap().questions, questions);
        assert_eq!(done(thread.answer(3).await).await.total, 3);
    })
    .await;
}

#[tokio::test]
async fn c37_a_question_needs_a_store() {
    let graph = two_who_ask(&BTreeMap::from([("a", Counter::default())]));
    let error = graph.run(Board::update()).await.unwrap_err();
    assert!(matches!(&error, Error::CannotWait { node, key } if node == "a" && key == "q"), "{error}");
}

#[tokio::test]
async fn a_swallowed_interrupt_still_interrupts() {
    let graph = Graph::<Board>::new("swallow")
        .node("ask", |_: Arc<Board>, context: Context| async move {
            let answer: Value = context.ask("q", "?").await.unwrap_or_else(|_| json!("made up"));
            Written::Ok(log(answer.to_string()))
        })
        .edge(START, "ask")
        .edge("ask", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        waiting(thread.start(Board::update()).await).await;
        assert_eq!(done(thread.answer("real").await).await.log, ["\"real\""]);
    })
    .await;
}

#[tokio::test]
async fn a_key_is_asked_once_in_an_execution() {
    let graph = Graph::<Board>::new("same key")
        .node("ask", |_: Arc<Board>, context: Context| async move {
            let first: String = context.ask("q", "?").await?;
            let second: String = context.ask("q", "?").await?;
            Written::Ok(log(first + &second))
        })
        .edge(START, "ask")
        .edge("ask", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        waiting(thread.start(Board::update()).await).await;
        let error = crate::board::failed(thread.answer("x").await).await;
        assert!(matches!(&error, Error::DuplicateKey { key, .. } if key == "q"), "{error}");
    })
    .await;
}
