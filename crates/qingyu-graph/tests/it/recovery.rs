//! Failures, retries, cancellation, and what is kept of a superstep that did not end.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{
    CompiledGraph, Context, END, Error, EventKind, Graph, NodeError, OnUnfinished, Outcome, RetryPolicy, START, Thread,
};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::board::{Board, BoardUpdate, Counter, begun, done, failed, gated, log, on_every_store, waiting};

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

/// `quick` finishes, `endless` waits until it is let go.
fn endless(quick: &Counter) -> CompiledGraph<Board> {
    let quick = quick.clone();
    Graph::<Board>::new("endless")
        .node("quick", move |_: Arc<Board>, _: Context| {
            quick.call();
            async { Written::Ok(log("quick")) }
        })
        .node("endless", |board: Arc<Board>, _: Context| async move {
            if board.x == 0 {
                std::future::pending::<()>().await;
            }
            Written::Ok(log("endless"))
        })
        .edge(START, "quick")
        .edge(START, "endless")
        .edge("quick", END)
        .edge("endless", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn a_cancelled_run_stays_at_its_checkpoint_and_keeps_finished_siblings() {
    on_every_store(async |store| {
        let quick = Counter::default();
        let thread = endless(&quick).thread(store, "t");
        let mut run = thread.start(Board::update()).await.unwrap();
        while let Some(event) = run.next().await {
            if event.kind == EventKind::TaskFinished {
                run.cancel_handle().cancel();
            }
        }
        let outcome = run.finish().await.unwrap();
        assert_eq!(outcome, Outcome::Cancelled { state: Board::default() });
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.state.log, snapshot.next), (vec!["quick".to_owned()], vec!["endless".to_owned()]));
        let run = thread.resume().await.unwrap();
        run.cancel_handle().cancel();
        assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
        assert_eq!(quick.get(), 1);
    })
    .await;
}

#[tokio::test]
async fn dropping_the_run_cancels_it() {
    let (told, mut tells) = mpsc::unbounded_channel();
    let graph = Graph::<Board>::new("dropped")
        .node("a", move |_: Arc<Board>, context: Context| {
            let told = told.clone();
            async move {
                let (watcher, before) = (context.clone(), context.is_cancelled());
                tokio::spawn(async move {
                    watcher.cancelled().await;
                    told.send((before, watcher.is_cancelled())).unwrap();
                });
                context.emit(serde_json::json!("ready"));
                std::future::pending::<Written>().await
            }
        })
        .edge(START, "a")
        .edge("a", END)
        .compile()
        .unwrap();
    let mut run = graph.thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await.unwrap();
    while run.next().await.is_some_and(|event| !matches!(event.kind, EventKind::Custom(_))) {}
    drop(run);
    assert_eq!(tells.recv().await, Some((false, true)));
}

#[tokio::test]
async fn a_cancelled_token_before_the_first_step_runs_nothing() {
    let quick = Counter::default();
    let run = endless(&quick).thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await.unwrap();
    run.cancel_handle().cancel();
    assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
}

#[tokio::test]
async fn c39_new_input_on_an_unfinished_thread_follows_the_policy() {
    let graph = Graph::<Board>::new("ask")
        .node("a", |board: Arc<Board>, context: Context| async move {
            let answer: String = context.ask("q", &board.x).await?;
            Written::Ok(log(answer))
        })
        .edge(START, "a")
        .edge("a", END)
        .compile()
        .unwrap();
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

/// Two nodes side by side: one cancels its run and ends in the same breath, the other never ends.
fn cancels(cancel: &Arc<OnceLock<CancellationToken>>, gate: &Arc<Semaphore>) -> CompiledGraph<Board> {
    let (cancel, gate) = (Arc::clone(cancel), Arc::clone(gate));
    Graph::<Board>::new("cancels")
        .node("cancels", move |_: Arc<Board>, _: Context| {
            let (cancel, gate) = (Arc::clone(&cancel), Arc::clone(&gate));
            async move {
                gate.acquire().await?.forget();
                cancel.get().unwrap().cancel();
                Written::Ok(log("said"))
            }
        })
        .node("endless", |_: Arc<Board>, _: Context| std::future::pending::<Written>())
        .edge(START, "cancels")
        .edge(START, "endless")
        .edge("cancels", END)
        .edge("endless", END)
        .compile()
        .unwrap()
}

/// How long the cancelled run takes to end.
async fn cancelled(thread: &Thread<Board>, cancel: &OnceLock<CancellationToken>, gate: &Semaphore) -> Duration {
    let run = thread.start(Board::update()).await.unwrap();
    cancel.set(run.cancel_handle()).unwrap();
    let began = Instant::now();
    gate.add_permits(1);
    assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
    began.elapsed()
}

#[tokio::test(start_paused = true)]
async fn what_ends_as_its_run_is_cancelled_is_kept_and_the_rest_is_let_go() {
    let (cancel, gate) = (Arc::default(), Arc::new(Semaphore::new(0)));
    let thread = cancels(&cancel, &gate).thread(Arc::new(MemoryStore::new()), "t");
    assert_eq!(cancelled(&thread, &cancel, &gate).await, Duration::ZERO, "nobody is waited for");
    let snapshot = thread.snapshot().await.unwrap().unwrap();
    assert_eq!((snapshot.state.log, snapshot.next), (vec!["said".to_owned()], vec!["endless".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn subgraphs_of_a_cancelled_run_end_by_themselves() {
    let sibling = |_: Arc<Board>, _: Context| std::future::pending::<Written>();
    for alone in [true, false] {
        let (cancel, gate) = (Arc::default(), Arc::new(Semaphore::new(0)));
        let graph = Graph::<Board>::new("around")
            .subgraph("call", cancels(&cancel, &gate), |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
            .edge(START, "call")
            .edge("call", END);
        let graph = if alone { graph } else { graph.node("beside", sibling).edge(START, "beside").edge("beside", END) };
        let thread = graph.compile().unwrap().thread(Arc::new(MemoryStore::new()), "t");
        assert_eq!(cancelled(&thread, &cancel, &gate).await, Duration::ZERO);
        let call = thread.call::<Board>("call").await.unwrap().unwrap().snapshot().await.unwrap();
        assert_eq!((call.state.log, call.next), (vec!["said".to_owned()], vec!["endless".to_owned()]), "{alone}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_works_alone_is_let_go_at_once() {
    let thread = gated(&Arc::new(Semaphore::new(0))).thread(Arc::new(MemoryStore::new()), "t");
    let mut run = thread.start(Board::update()).await.unwrap();
    begun(&mut run).await;
    let began = Instant::now();
    run.cancel_handle().cancel();
    assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
    assert_eq!(began.elapsed(), Duration::ZERO);
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

#[tokio::test(start_paused = true)]
async fn a_node_whose_call_has_ended_is_let_go_at_once() {
    let inner = Graph::<Board>::new("inner")
        .node("a", |_: Arc<Board>, _: Context| async { Written::Ok(log("a")) })
        .edge(START, "a")
        .edge("a", END)
        .compile()
        .unwrap();
    let graph = Graph::<Board>::new("waits")
        .node("waits", move |_: Arc<Board>, context: Context| {
            let inner = inner.clone();
            async move {
                context.call("call", &inner, Board::update()).await?;
                context.emit(serde_json::json!("called"));
                std::future::pending::<Written>().await
            }
        })
        .edge(START, "waits")
        .edge("waits", END)
        .compile()
        .unwrap();
    let mut run = graph.thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await.unwrap();
    begun(&mut run).await;
    let began = Instant::now();
    run.cancel_handle().cancel();
    assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
    assert_eq!(began.elapsed(), Duration::ZERO);
}
