//! What becomes of a run that is cancelled.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{CompiledGraph, Context, END, EventKind, Graph, NodeError, Outcome, START, Thread};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::board::{Board, BoardUpdate, Counter, begun, gated, log, on_every_store};

type Written = Result<BoardUpdate, NodeError>;

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

/// How long a run takes to end that is cancelled when its node has begun.
async fn let_go(thread: &Thread<Board>) -> Duration {
    let mut run = thread.start(Board::update()).await.unwrap();
    begun(&mut run).await;
    let began = Instant::now();
    run.cancel_handle().cancel();
    assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
    began.elapsed()
}

#[tokio::test(start_paused = true)]
async fn a_node_that_works_alone_is_let_go_at_once() {
    let thread = gated(&Arc::new(Semaphore::new(0))).thread(Arc::new(MemoryStore::new()), "t");
    assert_eq!(let_go(&thread).await, Duration::ZERO);
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
    let thread = graph.thread(Arc::new(MemoryStore::new()), "t");
    assert_eq!(let_go(&thread).await, Duration::ZERO);
}
