//! Failures, retries, and what is kept of a superstep that did not end.

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{
    CompiledGraph, Context, END, Error, EventKind, Graph, NodeError, OnUnfinished, Outcome, RetryPolicy, START,
};
use tokio::sync::Semaphore;

use crate::board::{Board, BoardUpdate, Counter, done, failed, log, on_every_store, waiting};

type Written = Result<BoardUpdate, NodeError>;

/// `one` succeeds, `two` fails the first `fails` times.
fn one_and_two(one: &Counter, two: &Counter, fails: usize) -> CompiledGraph<Board> {
    let (one, two) = (one.clone(), two.clone());
    Graph::<Board>::new("siblings")
        .node("one", move |_: Arc<Board>, _: Context| {
            one.call();
            async { Written::Ok(log("one")) }
        })
        .node("two", move |_: Arc<Board>, _: Context| {
            let call = two.call();
            async move { if call < fails { Err(NodeError::fatal("no luck")) } else { Written::Ok(log("two")) } }
        })
        .edge(START, "one")
        .edge(START, "two")
        .edge("one", END)
        .edge("two", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c22_only_the_failed_sibling_runs_again() {
    on_every_store(async |store| {
        let (one, two) = (Counter::default(), Counter::default());
        let thread = one_and_two(&one, &two, 1).thread(store, "t");
        let error = failed(thread.start(Board::update()).await).await;
        assert!(
            matches!(&error, Error::Node { node, superstep: 0, message, .. } if node == "two" && message == "no luck"),
            "{error}"
        );
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.state.log.len(), snapshot.committed().log.len()), (1, 0));
        assert_eq!((snapshot.next, snapshot.superstep), (vec!["two".to_owned()], -1));
        assert_eq!(snapshot.error.unwrap().message, "no luck");
        assert_eq!(done(thread.resume().await).await.log, ["one", "two"]);
        assert_eq!((one.get(), two.get()), (1, 2));
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.superstep, snapshot.error), (0, None));
    })
    .await;
}

#[tokio::test]
async fn c23_a_slow_sibling_of_a_failure_is_awaited_and_kept() {
    on_every_store(async |store| {
        let slow_calls = Counter::default();
        let failures = Arc::new(Semaphore::new(0));
        let (counted, gate, opener) = (slow_calls.clone(), Arc::clone(&failures), Arc::clone(&failures));
        let graph = Graph::<Board>::new("slow")
            .node("fails", move |_: Arc<Board>, context: Context| {
                let opener = Arc::clone(&opener);
                async move {
                    opener.add_permits(1);
                    if context.run_id() == context.thread_id() {
                        Written::Ok(log("never"))
                    } else {
                        Err(NodeError::fatal("no"))
                    }
                }
            })
            .node("slow", move |_: Arc<Board>, _: Context| {
                counted.call();
                let gate = Arc::clone(&gate);
                async move {
                    gate.acquire().await?.forget();
                    for _ in 0..100 {
                        tokio::task::yield_now().await;
                    }
                    Written::Ok(log("slow"))
                }
            })
            .edge(START, "fails")
            .edge(START, "slow")
            .edge("fails", END)
            .edge("slow", END)
            .compile()
            .unwrap();
        let thread = graph.thread(store, "t");
        assert!(matches!(failed(thread.start(Board::update()).await).await, Error::Node { .. }));
        assert_eq!(thread.snapshot().await.unwrap().unwrap().state.log, ["slow"]);
        assert!(matches!(failed(thread.resume().await).await, Error::Node { .. }));
        assert_eq!(slow_calls.get(), 1);
    })
    .await;
}

#[tokio::test]
async fn the_reported_failure_is_the_first_in_declaration_order() {
    let fail = |_: Arc<Board>, context: Context| async move {
        if context.node() == "a" {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
        }
        Written::Err(NodeError::fatal(context.node().to_owned()))
    };
    let graph = Graph::<Board>::new("two failures").node("a", fail).node("b", fail);
    let graph = graph.edge(START, "a").edge(START, "b").edge("a", END).edge("b", END).compile().unwrap();
    on_every_store(async |store| {
        let error = failed(graph.thread(store, "t").start(Board::update()).await).await;
        assert!(matches!(&error, Error::Node { node, .. } if node == "a"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn c25_retries_follow_the_policy_and_discard_what_failed_attempts_did() {
    let policy = RetryPolicy { max_attempts: 3, initial_interval: Duration::ZERO, ..RetryPolicy::default() };
    let graph = |fails: u32, retryable: bool| {
        Graph::<Board>::new("retry")
            .node("a", move |_: Arc<Board>, context: Context| async move {
                let attempt = context.attempt();
                if attempt > fails {
                    return Written::Ok(log(format!("attempt {attempt}")));
                }
                Err(if retryable { NodeError::retryable("busy") } else { NodeError::fatal("broken") })
            })
            .retry("a", policy.clone())
            .edge(START, "a")
            .edge("a", END)
            .compile()
            .unwrap()
    };
    on_every_store(async |store| {
        let mut run = graph(2, true).thread(store.clone(), "third").start(Board::update()).await.unwrap();
        let mut failures = Vec::new();
        while let Some(event) = run.next().await {
            if let EventKind::TaskFailed { attempt, will_retry, .. } = event.kind {
                failures.push((attempt, will_retry));
            }
        }
        assert_eq!(failures, [(1, true), (2, true)]);
        assert_eq!(run.finish().await.unwrap().into_state().log, ["attempt 3"]);
        let spent = failed(graph(3, true).thread(store.clone(), "spent").start(Board::update()).await).await;
        assert!(matches!(&spent, Error::Node { message, .. } if message == "busy"), "{spent}");
        let mut run = graph(2, false).thread(store, "fatal").start(Board::update()).await.unwrap();
        let mut started = 0;
        while let Some(event) = run.next().await {
            started += u32::from(matches!(event.kind, EventKind::TaskStarted { .. }));
        }
        assert_eq!(started, 1, "what is not retryable is not retried");
        assert!(run.finish().await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_panic_is_a_failure_of_its_node() {
    let graph = Graph::<Board>::new("panic")
        .node("a", |board: Arc<Board>, _: Context| async move {
            assert!(board.x > 0, "x is {}", board.x);
            Written::Ok(log("a"))
        })
        .edge(START, "a")
        .edge("a", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let error = failed(thread.start(Board::update()).await).await;
        assert!(matches!(&error, Error::Node { message, .. } if message == "it panicked: x is 0"), "{error}");
        let again = thread.on_unfinished(OnUnfinished::Discard);
        assert_eq!(done(again.start(Board::update().x(1)).await).await.log, ["a"]);
    })
    .await;
}

#[derive(Debug, thiserror::Error)]
#[error("outer")]
struct Outer(#[source] std::fmt::Error);

#[tokio::test]
async fn the_nodes_own_error_can_be_had_back() {
    let graph = Graph::<Board>::new("typed")
        .node("a", |_: Arc<Board>, _: Context| async {
            let number: i64 = "seven".parse()?;
            Written::Ok(Board::update().x(number))
        })
        .edge(START, "a")
        .edge("a", END)
        .compile()
        .unwrap();
    let error = failed(graph.thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await).await;
    let Error::Node { source: Some(source), .. } = &error else { panic!("{error}") };
    assert!(source.get().downcast_ref::<std::num::ParseIntError>().is_some());
    let outer = qingyu_graph::SharedError::new(Outer(std::fmt::Error));
    assert!(
        std::error::Error::source(&outer).is_some_and(<dyn std::error::Error>::is::<std::fmt::Error>),
        "and what is behind it"
    );
}

/// The same channels as [`Board`], of which one is kept in another way.
#[derive(Debug, Clone, Default, qingyu_graph::State)]
struct Numbered {
    x: i64,
    #[channel(append)]
    log: Vec<i64>,
}

#[derive(Debug, Clone, Default, qingyu_graph::State)]
struct Lettered {
    x: i64,
    #[channel(append)]
    log: Vec<String>,
}

#[tokio::test]
async fn c48_a_channel_of_another_type_is_told() {
    fn asks<S: qingyu_graph::State>() -> CompiledGraph<S> {
        Graph::<S>::new("asks")
            .node("ask", |_: Arc<S>, context: Context| async move { context.ask::<String>("q", "?").await.map(drop) })
            .edge(START, "ask")
            .edge("ask", END)
            .compile()
            .unwrap()
    }
    let store = Arc::new(MemoryStore::new());
    asks::<Numbered>().thread(store.clone(), "t").start(Numbered::update()).await.unwrap().finish().await.unwrap();
    let error = asks::<Lettered>().thread(store, "t").resume().await.unwrap_err();
    let Error::GraphChanged { changes, .. } = &error else { panic!("{error}") };
    assert_eq!(changes[..], ["channel log: Vec<i64> (append) is gone", "channel log: Vec<String> (append) is new"]);
}

/// A graph that asks about `x` and logs the answer.
fn asks_about_x() -> CompiledGraph<Board> {
    Graph::<Board>::new("ask")
        .node("a", |board: Arc<Board>, context: Context| async move {
            let answer: String = context.ask("q", &board.x).await?;
            Written::Ok(log(answer))
        })
        .edge(START, "a")
        .edge("a", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c39_new_input_on_an_unfinished_thread_follows_the_policy() {
    let graph = asks_about_x();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let old = waiting(thread.start(Board::update().x(1)).await).await;
        let refused = thread.start(Board::update().x(2)).await.unwrap_err();
        assert!(matches!(&refused, Error::Unfinished { next, .. } if *next == ["a"]), "{refused}");
        assert_eq!(thread.snapshot().await.unwrap().unwrap().state.x, 1, "the question is still there");
        let discarding = thread.clone().on_unfinished(OnUnfinished::Discard);
        let new = waiting(discarding.start(Board::update().x(2)).await).await;
        assert_ne!(old, new);
        assert_eq!(done(thread.answer("yes").await).await.log, ["yes"]);
    })
    .await;
}

#[tokio::test]
async fn a_new_thread_is_started_once_also_if_it_has_finished() {
    let graph = asks_about_x();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let refused = async || {
            let error = thread.start_new(Board::update().x(2)).await.unwrap_err();
            assert!(matches!(&error, Error::ThreadExists { thread } if thread == "t"), "{error}");
        };
        waiting(thread.start_new(Board::update().x(1)).await).await;
        refused().await;
        assert_eq!(done(thread.answer("yes").await).await.log, ["yes"]);
        refused().await;
        assert_eq!(thread.snapshot().await.unwrap().unwrap().state.x, 1, "nothing has been written");
    })
    .await;
}

#[tokio::test]
async fn c48_a_changed_graph_is_refused_with_what_changed() {
    let build = |second: &'static str| {
        Graph::<Board>::new("versioned")
            .node("ask", |_: Arc<Board>, context: Context| async move {
                let answer: String = context.ask("q", "?").await?;
                Written::Ok(log(answer))
            })
            .node(second, |_: Arc<Board>, _: Context| async { Written::Ok(log("second")) })
            .edge(START, "ask")
            .edge("ask", second)
            .edge(second, END)
            .compile()
            .unwrap()
    };
    on_every_store(async |store| {
        let old = build("review").thread(store.clone(), "t");
        waiting(old.start(Board::update()).await).await;
        let renamed = build("critic").thread(store, "t");
        for refused in [renamed.resume().await, renamed.answer("yes").await] {
            let error = refused.unwrap_err();
            let Error::GraphChanged { changes, .. } = &error else { panic!("{error}") };
            assert!(changes.contains(&"node review is gone".to_owned()), "{error}");
            assert!(changes.contains(&"node critic is new".to_owned()), "{error}");
        }
        done(old.answer("yes").await).await;
        let board = match renamed.start(Board::update()).await.unwrap().finish().await.unwrap() {
            Outcome::Waiting { state, .. } => state,
            other => panic!("{other:?}"),
        };
        assert_eq!(board.log, ["yes", "second"], "a finished thread depends on its state only");
        assert_eq!(done(renamed.answer("again").await).await.log.len(), 4);
    })
    .await;
}

#[tokio::test]
async fn an_unknown_thread_cannot_be_resumed() {
    on_every_store(async |store| {
        let thread = one_and_two(&Counter::default(), &Counter::default(), 0).thread(store, "t");
        assert!(matches!(thread.resume().await, Err(Error::NoSuchThread { .. })));
        assert_eq!(thread.snapshot().await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_route_that_panics_says_after_which_superstep() {
    let node = |_: Arc<Board>, context: Context| async move { Written::Ok(log(context.node())) };
    let graph = Graph::<Board>::new("routed").node("a", node).node("b", node).edge(START, "a").edge("a", "b");
    let graph = graph.route("b", [END], |_| -> [&str; 1] { panic!("no way") }).compile().unwrap();
    let error = graph.run(Board::update()).await.unwrap_err();
    assert!(
        matches!(&error, Error::Node { node, superstep: 1, message, .. } if node == "b" && message == "it panicked: no way"),
        "{error:?}"
    );
}
