//! When a run is stored: before the next superstep, while it runs, or at the end.

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::{
    CompiledGraph, Context, Durability, END, Error, EventKind, Graph, Memory, NodeError, Outcome, Page, RetryPolicy,
    START,
};
use tokio::sync::Semaphore;

use crate::board::{Board, BoardUpdate, Counter, asking, done, failed, log, on_every_store, remembers, waiting};

type Written = Result<BoardUpdate, NodeError>;

/// `a`, then `b` that pays and asks, then `c`.
fn chain(a: &Counter, paid: &Counter) -> CompiledGraph<Board> {
    let (a, paid) = (a.clone(), paid.clone());
    Graph::<Board>::new("chain")
        .node("a", move |_: Arc<Board>, _: Context| {
            a.call();
            async { Written::Ok(log("a")) }
        })
        .node("b", move |_: Arc<Board>, context: Context| {
            let paid = paid.clone();
            async move {
                context.step("paid", "x", async || Ok::<_, NodeError>(paid.call())).await?;
                let answer: String = context.ask("q", "?").await?;
                Written::Ok(log(answer))
            }
        })
        .node("c", |_: Arc<Board>, _: Context| async { Written::Ok(log("c")) })
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", "c")
        .edge("c", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c24_a_run_can_pause_and_go_on_whenever_it_is_stored() {
    for (durability, checkpoints) in [(Durability::Sync, 4), (Durability::Async, 4), (Durability::Exit, 2)] {
        on_every_store(async |store| {
            let (a, paid) = (Counter::default(), Counter::default());
            let thread = chain(&a, &paid).thread(store, "t").durability(durability);
            assert_eq!(waiting(thread.start(Board::update()).await).await.len(), 1);
            let snapshot = thread.snapshot().await.unwrap().unwrap();
            assert_eq!((snapshot.next, snapshot.questions.len()), (vec!["b".to_owned()], 1), "{durability:?}");
            assert_eq!(done(thread.answer("yes").await).await.log, ["a", "yes", "c"], "{durability:?}");
            assert_eq!((a.get(), paid.get()), (1, 1), "{durability:?}");
            let history = thread.history(Page::default()).await.unwrap();
            assert_eq!(history.len(), checkpoints, "{durability:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn c03_a_clash_takes_nothing_away_whenever_it_is_stored() {
    let clash = Graph::<Board>::new("clash")
        .node("first", |_: Arc<Board>, _: Context| async { Written::Ok(log("first")) })
        .node("a", |_: Arc<Board>, _: Context| async { Written::Ok(log("a").x(1)) })
        .node("b", |_: Arc<Board>, _: Context| async { Written::Ok(log("b").x(2)) })
        .edge(START, "first")
        .edge("first", "a")
        .edge("first", "b")
        .edge("a", END)
        .edge("b", END)
        .compile()
        .unwrap();
    for durability in [Durability::Sync, Durability::Async, Durability::Exit] {
        on_every_store(async |store| {
            let thread = clash.thread(store, "t").durability(durability);
            let error = failed(thread.start(Board::update().x(7)).await).await;
            assert!(matches!(error, Error::InvalidUpdate { .. }), "{durability:?}: {error}");
            let snapshot = thread.snapshot().await.unwrap().unwrap();
            assert_eq!((snapshot.state.x, snapshot.state.log), (7, vec!["first".to_owned()]), "{durability:?}");
            assert_eq!(
                (snapshot.next, snapshot.superstep),
                (vec!["a".to_owned(), "b".to_owned()], 0),
                "{durability:?}"
            );
        })
        .await;
    }
}

#[tokio::test]
async fn c24_a_failed_run_is_stored_as_far_as_it_came() {
    let graph = |fails: bool| {
        Graph::<Board>::new("fails")
            .node("a", |_: Arc<Board>, _: Context| async { Written::Ok(log("a")) })
            .node("good", |_: Arc<Board>, _: Context| async { Written::Ok(log("good")) })
            .node("bad", move |_: Arc<Board>, _: Context| async move {
                if fails { Err(NodeError::fatal("no luck")) } else { Written::Ok(log("bad")) }
            })
            .edge(START, "a")
            .edge("a", "good")
            .edge("a", "bad")
            .edge("good", END)
            .edge("bad", END)
            .compile()
            .unwrap()
    };
    for durability in [Durability::Async, Durability::Exit] {
        on_every_store(async |store| {
            let thread = graph(true).thread(store.clone(), "t").durability(durability);
            assert!(matches!(failed(thread.start(Board::update()).await).await, Error::Node { .. }));
            let snapshot = thread.snapshot().await.unwrap().unwrap();
            assert_eq!((snapshot.next, snapshot.state.log.len()), (vec!["bad".to_owned()], 2), "{durability:?}");
            let mended = graph(false).thread(store, "t").durability(durability);
            assert_eq!(done(mended.resume().await).await.log, ["a", "good", "bad"], "{durability:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn c29_a_drained_run_is_stored_whenever_it_would_be() {
    let gate = Arc::new(Semaphore::new(0));
    let waits = Arc::clone(&gate);
    let graph = Graph::<Board>::new("drained")
        .node("a", move |_: Arc<Board>, context: Context| {
            let gate = Arc::clone(&waits);
            async move {
                context.emit("in".into());
                gate.acquire().await?.forget();
                Written::Ok(log("a"))
            }
        })
        .node("b", |_: Arc<Board>, _: Context| async { Written::Ok(log("b")) })
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile()
        .unwrap();
    for durability in [Durability::Async, Durability::Exit] {
        on_every_store(async |store| {
            let thread = graph.thread(store, "t").durability(durability);
            let mut run = thread.start(Board::update()).await.unwrap();
            run.next().await.unwrap();
            run.drain_handle().cancel();
            gate.add_permits(1);
            assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
            assert_eq!(thread.snapshot().await.unwrap().unwrap().committed().log, ["a"], "{durability:?}");
            assert_eq!(done(thread.resume().await).await.log, ["a", "b"], "{durability:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn c45_a_subgraph_pauses_whenever_it_is_stored() {
    for durability in [Durability::Async, Durability::Exit] {
        on_every_store(async |store| {
            let (a, paid) = (Counter::default(), Counter::default());
            let outer = Graph::<Board>::new("outer")
                .subgraph("sub", chain(&a, &paid), |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
                .edge(START, "sub")
                .edge("sub", END)
                .compile()
                .unwrap();
            let thread = outer.thread(store, "t").durability(durability);
            waiting(thread.start(Board::update()).await).await;
            assert_eq!(done(thread.answer("yes").await).await.log, ["a", "yes", "c"], "{durability:?}");
            assert_eq!((a.get(), paid.get()), (1, 1), "{durability:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn a_call_that_goes_on_keeps_what_ended_beside_it() {
    let gate = Arc::new(Semaphore::new(0));
    for durability in [Durability::Sync, Durability::Async, Durability::Exit] {
        on_every_store(async |store| {
            let (quick, waits) = (Counter::default(), Arc::clone(&gate));
            let calls = quick.clone();
            let inner = Graph::<Board>::new("inner")
                .node("late", move |_: Arc<Board>, _: Context| {
                    let gate = Arc::clone(&waits);
                    async move {
                        gate.acquire().await?.forget();
                        Written::Ok(log("late"))
                    }
                })
                .subgraph("ask", asking(), |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
                .edge(START, "late")
                .edge("late", "ask")
                .edge("ask", END)
                .compile()
                .unwrap();
            let outer = Graph::<Board>::new("outer")
                .node("quick", move |_: Arc<Board>, _: Context| {
                    calls.call();
                    async { Written::Ok(log("quick")) }
                })
                .subgraph("sub", inner, |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
                .edge(START, "quick")
                .edge(START, "sub")
                .edge("quick", END)
                .edge("sub", END)
                .compile()
                .unwrap();
            let thread = outer.thread(store, "t").durability(durability);
            let mut run = thread.start(Board::update()).await.unwrap();
            while run.next().await.is_some_and(|event| event.kind != EventKind::TaskFinished) {}
            gate.add_permits(1);
            assert!(matches!(run.finish().await.unwrap(), Outcome::Waiting { .. }));
            assert_eq!(done(thread.answer("yes").await).await.log, ["quick", "late", "yes"], "{durability:?}");
            assert_eq!(quick.get(), 1, "{durability:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn a_call_that_fails_again_and_again_pays_once() {
    let policy = RetryPolicy { initial_interval: Duration::ZERO, ..RetryPolicy::default() };
    for durability in [Durability::Sync, Durability::Async, Durability::Exit] {
        on_every_store(async |store| {
            let (paid, tried) = (Counter::default(), Counter::default());
            let (pays, tries) = (paid.clone(), tried.clone());
            let inner = Graph::<Board>::new("inner")
                .node("pay", move |_: Arc<Board>, context: Context| {
                    let (pays, tries) = (pays.clone(), tries.clone());
                    async move {
                        let paid = context.step("paid", "x", async || Ok::<_, NodeError>(pays.call())).await?;
                        if tries.call() < 2 {
                            Err(NodeError::retryable("busy"))
                        } else {
                            Written::Ok(log(paid.to_string()))
                        }
                    }
                })
                .edge(START, "pay")
                .edge("pay", END)
                .compile()
                .unwrap();
            // The superstep before the call is still to be stored when the call stores what it has.
            let outer = Graph::<Board>::new("outer")
                .node("a", |_: Arc<Board>, _: Context| async { Written::Ok(log("a")) })
                .subgraph("sub", inner, |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
                .retry("sub", policy.clone())
                .edge(START, "a")
                .edge("a", "sub")
                .edge("sub", END)
                .compile()
                .unwrap();
            let thread = outer.thread(store, "t").durability(durability);
            assert_eq!(done(thread.start(Board::update()).await).await.log, ["a", "0"], "{durability:?}");
            assert_eq!((paid.get(), tried.get()), (1, 3), "{durability:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn what_a_call_remembers_is_stored_with_the_end_of_its_run() {
    let last = |end: Board| log(end.log.last().cloned().unwrap_or_default());
    let graph =
        Graph::<Board>::new("talks").subgraph("talk", remembers(Memory::Thread), |_, _| Ok(Board::update()), last);
    let graph = graph.edge(START, "talk").edge("talk", END).compile().unwrap();
    for durability in [Durability::Sync, Durability::Async, Durability::Exit] {
        on_every_store(async |store| {
            let thread = graph.thread(store, "t").durability(durability);
            done(thread.start(Board::update()).await).await;
            assert_eq!(done(thread.start(Board::update()).await).await.log, ["0", "1"], "{durability:?}");
        })
        .await;
    }
}
