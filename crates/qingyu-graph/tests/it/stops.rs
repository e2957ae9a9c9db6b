//! Breakpoints and draining.

use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, EventKind, Graph, NodeError, Outcome, START, Thread};

use crate::board::{Board, BoardUpdate, done, log, on_every_store};

type Written = Result<BoardUpdate, NodeError>;

/// a, b, c in a row, each logging its name and the `x` that it saw.
fn row() -> Graph<Board> {
    let node =
        |board: Arc<Board>, context: Context| async move { Written::Ok(log(format!("{}{}", context.node(), board.x))) };
    let graph = Graph::<Board>::new("row").node("a", node).node("b", node).node("c", node);
    graph.edge(START, "a").edge("a", "b").edge("b", "c").edge("c", END)
}

/// Resumes a thread that must stop again; returns what was due when it did.
async fn paused(thread: &Thread<Board>, run: qingyu_graph::GraphRun<Board>) -> Vec<String> {
    match run.finish().await.unwrap() {
        Outcome::Waiting { questions, .. } => assert_eq!(questions, []),
        other => panic!("it did not pause: {other:?}"),
    }
    thread.snapshot().await.unwrap().unwrap().next
}

#[tokio::test]
async fn c38_breakpoints_stop_before_and_after_a_node_and_once() {
    let before = row().pause_before("b").compile().unwrap();
    let after = row().pause_after("b").compile().unwrap();
    let both = row().pause_before("a").pause_before("b").pause_after("a").pause_after("c").compile().unwrap();
    on_every_store(async |store| {
        for (graph, name, stops) in
            [(&before, "before", vec!["b"]), (&after, "after", vec!["c"]), (&both, "both", vec!["a", "b"])]
        {
            let thread = graph.thread(store.clone(), name);
            let mut run = thread.start(Board::update()).await.unwrap();
            for stop in stops {
                assert_eq!(paused(&thread, run).await, [stop], "{name}");
                run = thread.resume().await.unwrap();
            }
            assert_eq!(done(Ok(run)).await.log, ["a0", "b0", "c0"], "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn c38_what_is_changed_at_a_breakpoint_is_seen_and_does_not_stop_again() {
    let graph = row().pause_before("b").compile().unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let run = thread.start(Board::update()).await.unwrap();
        assert_eq!(paused(&thread, run).await, ["b"]);
        let breakpoint = thread.snapshot().await.unwrap().unwrap().checkpoint;
        thread.update_state(Board::update().x(7), None).await.unwrap();
        assert_eq!(done(thread.resume().await).await.log, ["a0", "b7", "c7"]);
        assert_eq!(done(thread.at(breakpoint).resume().await).await.log, ["a0", "b0", "c0"]);
    })
    .await;
}

#[tokio::test]
async fn a_breakpoint_that_nobody_has_seen_is_not_passed() {
    let graph = row().pause_before("b").compile().unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        // Stopped by other means on the way, as by a crash: the run is drained before it comes to the breakpoint.
        let run = thread.start(Board::update()).await.unwrap();
        run.drain_handle().cancel();
        run.finish().await.unwrap();
        let mut stops = 0;
        while let Outcome::Waiting { state, .. } = thread.resume().await.unwrap().finish().await.unwrap() {
            assert_eq!(state.log, ["a0"]);
            stops += 1;
        }
        assert_eq!(stops, 1);
    })
    .await;
}

#[tokio::test]
async fn c37_a_breakpoint_needs_a_store() {
    let error = row().pause_before("b").compile().unwrap().run(Board::update()).await.unwrap_err();
    assert!(matches!(&error, Error::CannotPause { node } if node == "b"), "{error}");
}

/// Starts a run and drains it while `node` works.
async fn drained_in(thread: &Thread<Board>, node: &str) -> Outcome<Board> {
    let mut run = thread.start(Board::update()).await.unwrap();
    let drain = run.drain_handle();
    while let Some(event) = run.next().await {
        if event.node.as_deref() == Some(node) && matches!(event.kind, EventKind::Custom(_)) {
            drain.cancel();
        }
    }
    run.finish().await.unwrap()
}

#[tokio::test]
async fn c29_a_drained_run_stops_after_its_superstep_and_can_be_resumed() {
    // Every node waits until it is allowed to end, so that the drain certainly comes while it works.
    let node = |_: Arc<Board>, context: Context| async move {
        context.emit(serde_json::json!("working"));
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        Written::Ok(log(context.node()))
    };
    let graph = Graph::<Board>::new("drained").node("a", node).node("b", node).edge(START, "a").edge("a", "b");
    let graph = graph.edge("b", END).compile().unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store.clone(), "first");
        let Outcome::Cancelled { state } = drained_in(&thread, "a").await else { panic!("it went on") };
        assert_eq!(state.log, ["a"]);
        assert_eq!(thread.snapshot().await.unwrap().unwrap().committed().log, ["a"], "it is stored");
        assert_eq!(done(thread.resume().await).await.log, ["a", "b"]);
        let last = drained_in(&graph.thread(store, "last"), "b").await;
        assert!(matches!(last, Outcome::Done(state) if state.log == ["a", "b"]));
    })
    .await;
}

#[tokio::test]
async fn a_run_that_is_drained_at_once_runs_nothing() {
    let thread = row().compile().unwrap().thread(Arc::new(MemoryStore::new()), "t");
    let run = thread.start(Board::update()).await.unwrap();
    run.drain_handle().cancel();
    assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { state } if state.log.is_empty()));
}

#[tokio::test]
async fn two_breakpoints_of_one_superstep_stop_once() {
    let node = |_: Arc<Board>, context: Context| async move { Written::Ok(log(context.node())) };
    let graph = Graph::<Board>::new("both").node("a", node).node("b", node).node("c", node);
    let graph = graph.edge(START, "a").edge(START, "b").join(["a", "b"], "c").edge("c", END);
    let graph = graph.pause_after("a").pause_after("b").compile().unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        assert_eq!(paused(&thread, thread.start(Board::update()).await.unwrap()).await, ["c"]);
        assert_eq!(done(thread.resume().await).await.log, ["a", "b", "c"]);
    })
    .await;
}
