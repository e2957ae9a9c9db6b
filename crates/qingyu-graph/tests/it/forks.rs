//! Forks as threads of their own, with the paid steps of the old thread; breakpoints set for a thread.

use std::sync::Arc;

use jiff::Timestamp;
use qingyu_graph::{
    CheckpointId, CompiledGraph, Context, END, Error, Graph, NodeError, Outcome, Page, ReachedBreakpoint, START,
    Source, Thread,
};

use crate::board::{Board, BoardUpdate, Counter, done, log, on_every_store};

/// a, b, c in a row, each with a paid step whose input is its name and `x`.
fn paying(paid: &Counter) -> CompiledGraph<Board> {
    let node = |paid: Counter| {
        move |board: Arc<Board>, context: Context| {
            let paid = paid.clone();
            async move {
                let step = context.step("call", &board.x, || async { Ok::<_, NodeError>(paid.call()) });
                step.await.map(|_| log(format!("{}{}", context.node(), board.x)))
            }
        }
    };
    let graph = Graph::<Board>::new("paying");
    let graph = ["a", "b", "c"].into_iter().fold(graph, |graph, name| graph.node(name, node(paid.clone())));
    graph.edge(START, "a").edge("a", "b").edge("b", "c").edge("c", END).compile().unwrap()
}

/// The newest checkpoint before which `node` is due.
async fn before(thread: &Thread<Board>, node: &str) -> CheckpointId {
    let history = thread.history(Page::default()).await.unwrap();
    history.into_iter().find(|past| past.next == [node]).unwrap().id
}

#[tokio::test]
async fn a_fork_is_a_thread_of_its_own_that_pays_for_nothing_twice() {
    let paid = Counter::default();
    let graph = paying(&paid);
    on_every_store(async |store| {
        let start = paid.get();
        let thread = graph.thread(store, "old");
        done(thread.start(Board::update()).await).await;
        let old = thread.history(Page::default()).await.unwrap();
        assert_eq!(paid.get() - start, 3);

        let moment = thread.at(before(&thread, "b").await);
        let same = moment.fork_to("same", Board::update()).await.unwrap();
        let steps = thread.stored_steps(Some).await.unwrap();
        let board = done(same.reusing(steps.clone()).resume().await).await;
        assert_eq!(board.log, ["a0", "b0", "c0"]);
        assert_eq!(paid.get() - start, 3, "every step was stored");

        let other = moment.fork_to("other", Board::update().x(7)).await.unwrap();
        let board = done(other.reusing(steps).resume().await).await;
        assert_eq!(board.log, ["a0", "b7", "c7"]);
        assert_eq!(paid.get() - start, 5, "steps with another input are paid for");

        let afresh = moment.fork_to("afresh", Board::update()).await.unwrap();
        done(afresh.resume().await).await;
        assert_eq!(paid.get() - start, 7);

        assert_eq!(thread.history(Page::default()).await.unwrap(), old, "the old thread is as it was");
        let sources: Vec<_> = afresh.history(Page::default()).await.unwrap().iter().map(|past| past.source).collect();
        assert_eq!(sources, [Source::Loop, Source::Loop, Source::Fork]);
        let error = moment.fork_to("old", Board::update()).await.unwrap_err();
        assert!(matches!(error, Error::ThreadExists { .. }), "{error}");
        let error = thread.at(999.into()).fork_to("none", Board::update()).await.unwrap_err();
        assert!(matches!(error, Error::NoSuchCheckpoint { checkpoint: 999, .. }), "{error}");
    })
    .await;
}

#[tokio::test]
async fn steps_that_are_not_wanted_are_not_reused() {
    let paid = Counter::default();
    let graph = paying(&paid);
    on_every_store(async |store| {
        let start = paid.get();
        let thread = graph.thread(store, "old");
        done(thread.start(Board::update()).await).await;
        let fork = thread.at(before(&thread, "b").await).fork_to("fork", Board::update()).await.unwrap();
        let steps = thread.stored_steps(|_| None).await.unwrap();
        assert!(steps.is_empty());
        done(fork.reusing(steps).resume().await).await;
        assert_eq!(paid.get() - start, 5);
    })
    .await;
}

#[tokio::test]
async fn a_checkpoint_knows_its_time() {
    let graph = paying(&Counter::default());
    on_every_store(async |store| {
        let begun = Timestamp::now().as_millisecond();
        let thread = graph.thread(store, "t");
        done(thread.start(Board::update()).await).await;
        let history = thread.history(Page::default()).await.unwrap();
        let times: Vec<i64> = history.iter().rev().map(|past| past.at.unwrap().as_millisecond()).collect();
        assert!(times.is_sorted() && times[0] >= begun, "{times:?}");
    })
    .await;
}

/// Resumes until the end; returns the breakpoints reached and the log.
async fn stops(thread: &Thread<Board>) -> (Vec<ReachedBreakpoint>, Vec<String>) {
    let mut reached = Vec::new();
    let mut run = thread.start(Board::update()).await.unwrap();
    loop {
        match run.finish().await.unwrap() {
            Outcome::Waiting { questions, .. } => assert_eq!(questions, []),
            other => return (reached, other.into_state().log),
        }
        reached.push(thread.snapshot().await.unwrap().unwrap().breakpoint.unwrap());
        run = thread.resume().await.unwrap();
    }
}

#[tokio::test]
async fn c38_breakpoints_of_a_thread_stop_once_and_lead_to_the_same_end() {
    let node = |_: Arc<Board>, context: Context| async move { Ok::<BoardUpdate, NodeError>(log(context.node())) };
    let graph = Graph::<Board>::new("row").node("a", node).node("b", node).node("c", node);
    let graph = graph.edge(START, "a").edge("a", "b").edge("b", "c").edge("c", END).compile().unwrap();
    let reached = |before: &[&str], after: &[&str]| ReachedBreakpoint {
        before: before.iter().map(ToString::to_string).collect(),
        after: after.iter().map(ToString::to_string).collect(),
    };
    on_every_store(async |store| {
        for (name, before, after, expected) in [
            ("none", vec![], vec![], vec![]),
            ("first", vec!["a"], vec![], vec![reached(&["a"], &[])]),
            ("before", vec!["b"], vec![], vec![reached(&["b"], &[])]),
            ("after", vec![], vec!["b", "c"], vec![reached(&[], &["b"])]),
            ("both", vec!["c"], vec!["b"], vec![reached(&["c"], &["b"])]),
            ("unknown", vec!["z"], vec!["z"], vec![]),
        ] {
            let thread = graph.thread(store.clone(), name).breakpoints(before, after);
            assert_eq!(stops(&thread).await, (expected, ["a", "b", "c"].map(String::from).to_vec()), "{name}");
            assert_eq!(thread.snapshot().await.unwrap().unwrap().breakpoint, None, "{name} has passed all");
        }
    })
    .await;
}
