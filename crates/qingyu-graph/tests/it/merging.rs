//! Steps and merging: how writes become one state.

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Error, EventKind, Graph, NodeError, OnUnfinished, START};
use tokio::sync::Semaphore;

use crate::board::{Board, BoardUpdate, Counter, done, failed, log, on_every_store};

type Written = Result<BoardUpdate, NodeError>;
type Updates = fn(&Board) -> BoardUpdate;

/// START -> every node -> END.
fn parallel<const N: usize>(updates: [(&'static str, Updates); N]) -> Graph<Board> {
    let mut graph = Graph::new("parallel");
    for (name, update) in updates {
        let node = move |board: Arc<Board>, _: Context| async move { Written::Ok(update(&board)) };
        graph = graph.node(name, node).edge(START, name).edge(name, END);
    }
    graph
}

#[tokio::test]
async fn c01_parallel_nodes_see_the_old_state() {
    let graph = parallel([
        ("a", |board| log(format!("a saw {} {:?}", board.x, board.y)).x(board.x + 1)),
        ("b", |board| log(format!("b saw {} {:?}", board.x, board.y)).y(Some(board.x + 10))),
    ]);
    let graph = graph.compile().unwrap();
    on_every_store(async |store| {
        let board = done(graph.thread(store, "t").start(Board::update().x(5)).await).await;
        assert_eq!((board.x, board.y), (6, Some(15)));
        assert_eq!(board.log, ["a saw 5 None", "b saw 5 None"]);
    })
    .await;
}

#[tokio::test]
async fn c02_writes_are_folded_in_declaration_order() {
    on_every_store(async |store| {
        // Each node waits for the next one, so that they finish in reverse.
        let gates: Vec<_> = (0..4).map(|_| Arc::new(Semaphore::new(0))).collect();
        gates[3].add_permits(1);
        let mut graph = Graph::new("reverse");
        for (index, name) in ["c", "b", "a"].into_iter().enumerate() {
            let (own, next) = (Arc::clone(&gates[index]), Arc::clone(&gates[index + 1]));
            let node = move |_: Arc<Board>, _: Context| {
                let (own, next) = (Arc::clone(&own), Arc::clone(&next));
                async move {
                    next.acquire().await?.forget();
                    own.add_permits(1);
                    Written::Ok(log(name).total(1))
                }
            };
            graph = graph.node(name, node).edge(START, name).edge(name, END);
        }
        let board = done(graph.compile().unwrap().thread(store, "t").start(Board::update()).await).await;
        assert_eq!(board.log, ["c", "b", "a"]);
        assert_eq!(board.total, 3);
    })
    .await;
}

#[tokio::test]
async fn c03_two_writers_of_a_plain_key_are_refused_and_the_thread_lives() {
    let clash = parallel([("a", |_| log("a").x(1)), ("b", |_| Board::update().x(2))]).compile().unwrap();
    on_every_store(async |store| {
        let thread = clash.thread(store, "t");
        let error = failed(thread.start(Board::update().x(7)).await).await;
        assert!(
            matches!(&error, Error::InvalidUpdate { key, writers } if key == "x" && *writers == ["a", "b"]),
            "{error}"
        );
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.state.x, snapshot.committed().x, snapshot.superstep), (7, 7, -1));
        assert_eq!(snapshot.next, ["a", "b"], "no half of the clash is kept");
        assert!(matches!(failed(thread.resume().await).await, Error::InvalidUpdate { .. }));
        let again = thread.on_unfinished(OnUnfinished::Discard);
        assert!(matches!(failed(again.start(Board::update().x(8)).await).await, Error::InvalidUpdate { .. }));
        assert_eq!(again.snapshot().await.unwrap().unwrap().state.x, 8, "new input was taken");
    })
    .await;
}

#[tokio::test]
async fn c10_overwrites_bypass_the_reducer_but_not_each_other() {
    let reset = parallel([("a", |_| {
        Board::update().overwrite_log(vec!["new".to_owned()]).overwrite_total(5).overwrite_notes(BTreeMap::new())
    })]);
    let twice = parallel([
        ("a", |_| Board::update().overwrite_log(Vec::new())),
        ("b", |_| Board::update().overwrite_log(Vec::new())),
    ]);
    let mixed = parallel([("a", |_| Board::update().overwrite_log(Vec::new())), ("b", |_| log("lost?"))]);
    let reset = reset.compile().unwrap();
    let clashes = [twice.compile().unwrap(), mixed.compile().unwrap()];
    on_every_store(async |store| {
        let input = log("old").total(100).notes(BTreeMap::from([("k".to_owned(), "v".to_owned())]));
        let board = done(reset.thread(store.clone(), "reset").start(input).await).await;
        assert_eq!((board.log, board.total, board.notes.len()), (vec!["new".to_owned()], 5, 0));
        let restored = reset.thread(store.clone(), "reset").snapshot().await.unwrap().unwrap().state;
        assert_eq!((restored.log, restored.total, restored.notes.len()), (vec!["new".to_owned()], 5, 0));
        for (index, clash) in clashes.iter().enumerate() {
            let error = failed(clash.thread(store.clone(), index.to_string()).start(Board::update()).await).await;
            assert!(matches!(&error, Error::InvalidUpdate { key, .. } if key == "log"), "{error}");
        }
    })
    .await;
}

#[tokio::test]
async fn c11_a_node_may_return_nothing() {
    let graph = Graph::<Board>::new("nothing")
        .node("silent", |_: Arc<Board>, _: Context| async { Ok::<_, NodeError>(()) })
        .node("after", |_: Arc<Board>, _: Context| async { Written::Ok(log("after")) })
        .edge(START, "silent")
        .edge("silent", "after")
        .edge("after", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        assert_eq!(done(graph.thread(store, "t").start(Board::update().x(1)).await).await.log, ["after"]);
    })
    .await;
}

#[tokio::test]
async fn c13_untracked_values_are_seen_but_never_stored() {
    let graph = Graph::<Board>::new("scratch")
        .node("first", |_: Arc<Board>, _: Context| async {
            Written::Ok(Board::update().scratch(Some("pad".to_owned())))
        })
        .node("second", |board: Arc<Board>, context: Context| async move {
            let _: String = context.ask("go", "on?").await?;
            Written::Ok(log(format!("{:?}", board.scratch)))
        })
        .node("third", |board: Arc<Board>, _: Context| async move { Written::Ok(log(format!("{:?}", board.scratch))) })
        .edge(START, "first")
        .edge("first", "second")
        .edge("first", "third")
        .edge("second", END)
        .edge("third", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        crate::board::waiting(thread.start(Board::update()).await).await;
        assert_eq!(thread.snapshot().await.unwrap().unwrap().state.scratch, None);
        let board = done(thread.answer("yes").await).await;
        assert_eq!(board.log, ["None", "Some(\"pad\")"], "gone after the resume, there in the same run");
    })
    .await;
}

#[tokio::test]
async fn c31_a_value_that_cannot_be_stored_is_named() {
    let odd: Updates = |_| Board::update().odd(BTreeMap::from([((1, 2), 3)]));
    let alone = parallel([("a", odd)]).compile().unwrap();
    let beside_a_failure = parallel([("a", odd), ("b", |_| panic!("on purpose"))]).compile().unwrap();
    on_every_store(async |store| {
        for (id, graph) in [("alone", &alone), ("beside", &beside_a_failure)] {
            let thread = graph.thread(store.clone(), id);
            let error = failed(thread.start(Board::update().x(1)).await).await;
            assert!(matches!(&error, Error::Encode { what, .. } if what == "`odd`, written by a"), "{error}");
            let snapshot = thread.snapshot().await.unwrap().unwrap();
            assert_eq!((snapshot.state.x, snapshot.next[0].as_str()), (1, "a"));
        }
    })
    .await;
}

#[tokio::test]
async fn maps_merge_and_the_later_node_wins() {
    let note = |key: &str, value: &str| BTreeMap::from([(key.to_owned(), value.to_owned())]);
    let graph = Graph::<Board>::new("merge")
        .node("a", move |_: Arc<Board>, _: Context| async move {
            Written::Ok(Board::update().notes(note("who", "a")).notes(note("a", "1")))
        })
        .node("b", move |_: Arc<Board>, _: Context| async move { Written::Ok(Board::update().notes(note("who", "b"))) })
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", END)
        .edge("b", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let expected = BTreeMap::from([("a".to_owned(), "1".to_owned()), ("who".to_owned(), "b".to_owned())]);
        assert_eq!(done(thread.start(Board::update()).await).await.notes, expected);
        assert_eq!(thread.snapshot().await.unwrap().unwrap().state.notes, expected);
    })
    .await;
}

#[tokio::test]
async fn a_finished_thread_goes_on_from_its_state() {
    let graph = parallel([("a", |board| log(format!("{}", board.log.len())).total(1))]).compile().unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        done(thread.start(Board::update()).await).await;
        let board = done(thread.start(Board::update().total(10)).await).await;
        assert_eq!((board.log, board.total), (vec!["0".to_owned(), "1".to_owned()], 12));
        assert_eq!(thread.snapshot().await.unwrap().unwrap().superstep, 2, "input, step, input, step");
        assert_eq!(done(thread.resume().await).await.total, 12, "resuming a finished thread changes nothing");
    })
    .await;
}

/// `a` at once, and `b` when the gate is open; both write `x`. `b` fails the first time if it is to.
fn clash(gate: &Arc<Semaphore>, ran: &Counter, fails: bool) -> CompiledGraph<Board> {
    let (gate, ran) = (Arc::clone(gate), ran.clone());
    let (first, failures) = (ran.clone(), Counter::default());
    let graph = Graph::new("clash").node("a", move |_: Arc<Board>, _: Context| {
        first.call();
        async { Written::Ok(Board::update().x(1)) }
    });
    let graph = graph.node("b", move |_: Arc<Board>, _: Context| {
        let (gate, fails) = (Arc::clone(&gate), fails && failures.call() == 0);
        async move {
            gate.acquire().await?.forget();
            if fails { Err(NodeError::fatal("not yet")) } else { Written::Ok(Board::update().x(2)) }
        }
    });
    let graph = ["a", "b"].into_iter().fold(graph, |graph, node| graph.edge(START, node).edge(node, END));
    graph.compile().unwrap()
}

#[tokio::test]
async fn c03_what_was_stored_of_a_clash_does_not_come_back() {
    on_every_store(async |store| {
        let (gate, ran) = (Arc::new(Semaphore::new(0)), Counter::default());
        let thread = clash(&gate, &ran, false).thread(store.clone(), "at once");
        let mut run = thread.start(Board::update()).await.unwrap();
        while run.next().await.is_some_and(|event| event.kind != EventKind::TaskFinished) {}
        // What has finished beside others is stored before they are waited for.
        while thread.snapshot().await.unwrap().unwrap().next != ["b"] {
            tokio::task::yield_now().await;
        }
        gate.add_permits(1);
        assert!(matches!(run.finish().await.unwrap_err(), Error::InvalidUpdate { .. }));
        assert_eq!(thread.snapshot().await.unwrap().unwrap().next, ["a", "b"]);
        gate.add_permits(1);
        assert!(matches!(failed(thread.resume().await).await, Error::InvalidUpdate { .. }));
        assert_eq!(ran.get(), 2, "both run again");

        let (gate, ran) = (Arc::new(Semaphore::new(2)), Counter::default());
        let thread = clash(&gate, &ran, true).thread(store, "after a failure");
        assert!(matches!(failed(thread.start(Board::update()).await).await, Error::Node { .. }));
        assert_eq!(thread.snapshot().await.unwrap().unwrap().next, ["b"]);
        assert!(matches!(failed(thread.resume().await).await, Error::InvalidUpdate { .. }));
        assert_eq!(thread.snapshot().await.unwrap().unwrap().next, ["a", "b"]);
    })
    .await;
}
