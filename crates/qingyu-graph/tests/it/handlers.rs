//! Nodes that take over when others have failed.

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::{Command, CompiledGraph, Context, END, Error, Graph, NodeError, NodeFailure, RetryPolicy, START};

use crate::board::{Board, BoardUpdate, Counter, done, failed, log, on_every_store, waiting};

type Written = Result<BoardUpdate, NodeError>;

/// `works` runs `node`; `rescue` logs its failure and chooses the way, the first `crashes` times it fails itself.
fn rescued<W>(
    node: impl Fn(Context) -> W + Send + Sync + 'static,
    calls: &Counter,
    rescues: &Counter,
    crashes: usize,
) -> CompiledGraph<Board>
where
    W: Future<Output = Written> + Send + 'static,
{
    let (calls, rescues) = (calls.clone(), rescues.clone());
    Graph::<Board>::new("rescued")
        .node("works", move |_: Arc<Board>, context: Context| {
            calls.call();
            node(context)
        })
        .node("next", |_: Arc<Board>, _: Context| async { Written::Ok(log("next")) })
        .node("repair", |_: Arc<Board>, _: Context| async { Written::Ok(log("repair")) })
        .node("rescue", move |_: Arc<Board>, context: Context| {
            let crash = rescues.call() < crashes;
            async move {
                let NodeFailure { node, message } = context.payload()?;
                if crash {
                    return Err(NodeError::fatal("the handler crashed"));
                }
                Ok(Command::update(log(format!("{node}: {message}"))).goto(["repair"]))
            }
        })
        .retry("works", RetryPolicy { max_attempts: 2, initial_interval: Duration::ZERO, ..RetryPolicy::default() })
        .on_error("works", "rescue")
        .targets("rescue", ["repair"])
        .edge(START, "works")
        .edge("works", "next")
        .edge("next", END)
        .edge("repair", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c27_a_handler_takes_over_when_no_attempt_is_left_and_routes() {
    on_every_store(async |store| {
        let (calls, rescues) = (Counter::default(), Counter::default());
        let graph = rescued(|_| async { Err(NodeError::retryable("busy")) }, &calls, &rescues, 0);
        let board = done(graph.thread(store.clone(), "t").start(Board::update()).await).await;
        assert_eq!(board.log, ["works: busy", "repair"], "what follows the failed node does not run");
        assert_eq!((calls.get(), rescues.get()), (2, 1));
        let well = rescued(|_| async { Written::Ok(log("works")) }, &calls, &rescues, 0);
        assert_eq!(done(well.thread(store, "well").start(Board::update()).await).await.log, ["works", "next"]);
        assert_eq!(rescues.get(), 1);
    })
    .await;
}

#[tokio::test]
async fn c27_after_a_crash_of_the_handler_only_the_handler_runs_again() {
    on_every_store(async |store| {
        let (calls, rescues) = (Counter::default(), Counter::default());
        let graph = rescued(|_| async { Err(NodeError::fatal("broken")) }, &calls, &rescues, 1);
        let thread = graph.thread(store, "t");
        let error = failed(thread.start(Board::update()).await).await;
        assert!(matches!(&error, Error::Node { node, .. } if node == "rescue"), "{error}");
        assert_eq!(done(thread.resume().await).await.log, ["works: broken", "repair"]);
        assert_eq!((calls.get(), rescues.get()), (1, 2));
    })
    .await;
}

#[tokio::test]
async fn c27_a_handler_never_takes_a_question_or_a_refusal_of_the_engine() {
    on_every_store(async |store| {
        let (calls, rescues) = (Counter::default(), Counter::default());
        let asks = |context: Context| async move {
            let answer: String = context.ask("q", "?").await?;
            Written::Ok(log(answer))
        };
        let thread = rescued(asks, &calls, &rescues, 0).thread(store.clone(), "asks");
        waiting(thread.start(Board::update()).await).await;
        assert_eq!(done(thread.answer("yes").await).await.log, ["yes", "next"]);
        let twice = |context: Context| async move {
            for _ in 0..2 {
                context.step("s", "", async || Ok::<_, NodeError>(())).await?;
            }
            Written::Ok(log("never"))
        };
        let thread = rescued(twice, &calls, &rescues, 0).thread(store, "twice");
        let error = failed(thread.start(Board::update()).await).await;
        assert!(matches!(error, Error::DuplicateKey { .. }), "{error}");
        assert_eq!(rescues.get(), 0);
    })
    .await;
}
