//! Graphs inside of nodes: their questions, their history, their memory, and what reaches the caller.

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{
    Command, CompiledGraph, Context, END, Error, EventKind, Goto, Graph, GraphRun, Memory, Mode, NodeError, Outcome,
    Page, START, Source,
};
use tokio::sync::Semaphore;

use crate::board::{Board, BoardUpdate, Counter, asking, done, failed, log, on_every_store, remembers, waiting};

type Written = Result<BoardUpdate, NodeError>;

/// A graph of one node between start and end.
fn single<W>(name: &str, node: impl Fn(Arc<Board>, Context) -> W + Send + Sync + 'static) -> CompiledGraph<Board>
where
    W: Future<Output = Written> + Send + 'static,
{
    Graph::<Board>::new(name).node(name, node).edge(START, name).edge(name, END).compile().unwrap()
}

/// `inner` as the only node of another graph; its log comes back.
fn around(name: &str, inner: CompiledGraph<Board>) -> CompiledGraph<Board> {
    Graph::<Board>::new(name)
        .subgraph(name, inner, |board, _| Ok(Board::update().x(board.x)), |end| Board::update().log(end.log))
        .edge(START, name)
        .edge(name, END)
        .compile()
        .unwrap()
}

/// Asks twice, with a paid step before each question.
fn asks_twice(paid: &Counter) -> CompiledGraph<Board> {
    let paid = paid.clone();
    let ask = move |key: &'static str| {
        let paid = paid.clone();
        move |_: Arc<Board>, context: Context| {
            let paid = paid.clone();
            async move {
                context.step("paid", "x", async || Ok::<_, NodeError>(paid.call())).await?;
                let answer: String = context.ask(key, "?").await?;
                Written::Ok(log(format!("{key}={answer}")))
            }
        }
    };
    Graph::<Board>::new("asks")
        .node("first", ask("first"))
        .node("second", ask("second"))
        .edge(START, "first")
        .edge("first", "second")
        .edge("second", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c20_a_node_deep_inside_leaves_and_every_caller_decides_where_to_go() {
    // `stray` would go on for ever if leaving did not end it too.
    let leaves = || {
        Graph::<Board>::new("leaves")
            .node("leaves", |_: Arc<Board>, _: Context| async {
                Ok::<_, NodeError>(Command::update(log("left").x(7)).leave())
            })
            .node("stray", |_: Arc<Board>, _: Context| async { Written::Ok(log("stray")) })
            .targets("leaves", [END])
            .edge(START, "leaves")
            .edge(START, "stray")
            .edge("stray", "stray")
            .route("stray", [END], |_| Vec::<String>::new())
            .compile()
            .unwrap()
    };
    // Each level passes the decision on: it leaves as well if the level below said so.
    let level = |name: &str, inner: CompiledGraph<Board>| {
        Graph::<Board>::new(name)
            .subgraph(
                name,
                inner,
                |_, _| Ok(Board::update()),
                |end: Board| Command::update(Board::update().log(end.log).x(end.x)).leave(),
            )
            .targets(name, [END])
            .edge(START, name)
            .compile()
            .unwrap()
    };
    for inner in [leaves(), level("two", level("three", leaves()))] {
        let graph = Graph::<Board>::new("parent")
            .subgraph(
                "sub",
                inner,
                |_, _| Ok(Board::update()),
                |end: Board| {
                    Command::update(Board::update().log(end.log).x(end.x)).goto([if end.x == 7 {
                        "after"
                    } else {
                        "other"
                    }])
                },
            )
            .node("after", |_: Arc<Board>, _: Context| async { Written::Ok(log("after")) })
            .node("other", |_: Arc<Board>, _: Context| async { Written::Ok(log("other")) })
            .targets("sub", ["after", "other"])
            .edge(START, "sub")
            .edge("after", END)
            .edge("other", END)
            .compile()
            .unwrap();
        on_every_store(async |store| {
            let end = done(graph.thread(store, "t").start(Board::update()).await).await;
            assert_eq!((end.x, end.log), (7, vec!["left".to_owned(), "stray".to_owned(), "after".to_owned()]));
        })
        .await;
    }
}

#[tokio::test]
async fn c36_five_sends_to_a_subgraph_that_asks_are_answered_by_a_map_in_parts() {
    let calls = Counter::default();
    let counted = calls.clone();
    let inner = single("asks", move |board: Arc<Board>, context: Context| {
        let counted = counted.clone();
        async move {
            counted.call();
            let answer: u64 = context.ask("number", &board.x).await?;
            Written::Ok(log(format!("{}:{answer}", board.x)))
        }
    });
    let graph = Graph::<Board>::new("sends")
        .node("split", |_: Arc<Board>, _: Context| async { Ok::<_, NodeError>(()) })
        .subgraph(
            "worker",
            inner,
            |_, context| Ok(Board::update().x(context.payload()?)),
            |end| Board::update().log(end.log),
        )
        .edge(START, "split")
        .route("split", ["worker"], |_| (0..5_i64).map(|number| Goto::send("worker", number)).collect::<Vec<_>>())
        .edge("worker", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let before = calls.get();
        let thread = graph.thread(store, "t");
        let ids = waiting(thread.start(Board::update()).await).await;
        assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 5);
        let questions = thread.snapshot().await.unwrap().unwrap().questions;
        assert_eq!(questions[2].path, "worker#2/asks");
        assert_eq!((questions[2].payload.as_i64(), &*questions[2].node), (Some(2), "asks"));
        // Two of them first; the others are not run again.
        let some = BTreeMap::from([(ids[3].clone(), 33), (ids[1].clone(), 11)]);
        let left = waiting(thread.answer_map(some).await).await;
        assert_eq!(left, [ids[0].clone(), ids[2].clone(), ids[4].clone()]);
        assert_eq!(calls.get() - before, 7);
        let others = BTreeMap::from([(ids[4].clone(), 44), (ids[0].clone(), 0), (ids[2].clone(), 22)]);
        let end = done(thread.answer_map(others).await).await;
        assert_eq!(end.log, ["0:0", "1:11", "2:22", "3:33", "4:44"]);
        assert_eq!(calls.get() - before, 10);
    })
    .await;
}

#[tokio::test]
async fn c45_a_question_three_calls_deep_is_answered_and_its_past_can_be_gone_back_to() {
    on_every_store(async |store| {
        let paid = Counter::default();
        let graph = around("one", around("two", around("three", asks_twice(&paid))));
        let thread = graph.thread(store, "t");
        waiting(thread.start(Board::update().x(5)).await).await;
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.next, &*snapshot.questions[0].path), (vec!["one".to_owned()], "one/two/three/first"));
        let inner = thread.call::<Board>("one/two/three").await.unwrap().unwrap();
        assert_eq!(inner.path(), "one/two/three");
        let outer = thread.call::<Board>("one").await.unwrap().unwrap();
        let walked = outer.call::<Board>("two/three").await.unwrap().unwrap();
        assert_eq!((walked.path(), outer.call::<Board>("three").await.unwrap().is_none()), ("one/two/three", true));
        let state = inner.snapshot().await.unwrap();
        assert_eq!((state.next, state.state.x, state.questions.len()), (vec!["first".to_owned()], 5, 1));
        waiting(thread.answer("a").await).await;
        assert_eq!(inner.snapshot().await.unwrap().state.log, ["first=a"], "the same call");
        assert_eq!(done(thread.answer("b").await).await.log, ["first=a", "second=b"]);
        assert_eq!(paid.get(), 2, "no step was paid twice");
        let history = inner.history(Page::default()).await.unwrap();
        let next: Vec<_> = history.iter().map(|past| past.next.clone()).collect();
        assert_eq!(next, [vec![], vec!["second".to_owned()], vec!["first".to_owned()]]);
        assert_eq!(thread.history(Page::default()).await.unwrap().len(), 2, "the graph's own history has its own only");

        // To the second question: the first is not asked again.
        let second = history[1].id;
        let questions = waiting(thread.at(second).resume().await).await;
        assert_eq!(questions.len(), 1);
        assert_eq!(thread.snapshot().await.unwrap().unwrap().questions[0].key, "second");
        let copy = thread.call::<Board>("one/two/three").await.unwrap().unwrap();
        assert_eq!(copy.history(Page::default()).await.unwrap().pop().unwrap().source, Source::Fork);
        assert_eq!(done(thread.answer("c").await).await.log, ["first=a", "second=c"]);
        assert_eq!(paid.get(), 3);
        // To the first: both are.
        waiting(thread.at(history[2].id).resume().await).await;
        waiting(thread.answer("d").await).await;
        assert_eq!(done(thread.answer("e").await).await.log, ["first=d", "second=e"]);
        // The old calls are as they were.
        assert_eq!(inner.at(history[0].id).await.unwrap().state.log, ["first=a", "second=b"]);
        let fork = thread.call::<Board>("one/two").await.unwrap();
        assert!(fork.is_none(), "the newest superstep has not called anything");
        // A checkpoint of a call is none of the graph itself.
        let error = thread.at(second).update_state(Board::update(), None).await.unwrap_err();
        assert!(matches!(&error, Error::CheckpointOfCall { path, .. } if path == "one/two/three"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn c45_a_wrong_answer_to_a_subgraph_is_refused_and_the_question_stays() {
    let inner = single("asks", |_: Arc<Board>, context: Context| async move {
        let answer: u64 = context.ask("number", "?").await?;
        Written::Ok(log(answer.to_string()))
    });
    on_every_store(async |store| {
        let thread = around("outer", inner.clone()).thread(store, "t");
        let first = waiting(thread.start(Board::update()).await).await;
        let again = waiting(thread.answer("many").await).await;
        assert_eq!(first, again);
        assert!(thread.snapshot().await.unwrap().unwrap().questions[0].refused.is_some());
        assert_eq!(done(thread.answer(3).await).await.log, ["3"]);
    })
    .await;
}

#[tokio::test]
async fn c46_a_call_begins_anew_or_where_the_last_one_of_its_thread_ended() {
    for (memory, expected) in
        [(Memory::Call, ["0", "0", "0"]), (Memory::Thread, ["0", "1", "2"]), (Memory::None, ["0", "0", "0"])]
    {
        on_every_store(async |store| {
            let last = |end: Board| log(end.log.last().cloned().unwrap_or_default()).x(1);
            let graph = Graph::<Board>::new("loop")
                .subgraph("call", remembers(memory), |_, _| Ok(Board::update()), last)
                .edge(START, "call")
                .route("call", ["call", END], |board: &Board| [if board.log.len() < 3 { "call" } else { END }])
                .compile()
                .unwrap();
            let thread = graph.thread(store.clone(), "t");
            assert_eq!(done(thread.start(Board::update()).await).await.log, expected, "{memory:?}");
            let other = done(graph.thread(store, "another").start(Board::update()).await).await;
            assert_eq!(other.log, expected, "{memory:?}: threads do not mix");
            // A fork remembers what had been at its beginning.
            let past = thread.history(Page::default()).await.unwrap();
            let second = past.iter().find(|past| past.state.log.len() == 1).unwrap().id;
            assert_eq!(done(thread.at(second).resume().await).await.log, expected, "{memory:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn c46_two_calls_in_one_node_do_not_mix() {
    let graph = single("both", |_: Arc<Board>, context: Context| async move {
        let graph = remembers(Memory::Thread);
        let left =
            context.call("left", &graph, Board::update().notes([("l".to_owned(), "1".to_owned())].into())).await?;
        let right = context.call("right", &graph, Board::update()).await?;
        let twice = context.call("right", &graph, Board::update()).await;
        assert!(matches!(twice, Err(NodeError::Engine(Error::DuplicateKey { .. }))));
        Written::Ok(log(format!("{} {}", left.notes.len(), right.notes.len())).x(right.log.len() as i64))
    });
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        assert_eq!(done(thread.start(Board::update()).await).await.log, ["1 0"]);
        let end = done(thread.start(Board::update()).await).await;
        assert_eq!((end.log.last().map(String::as_str), end.x), (Some("1 0"), 2));
    })
    .await;
}

#[tokio::test]
async fn c46_two_calls_of_one_place_cannot_both_be_remembered() {
    let graph = Graph::<Board>::new("sends")
        .subgraph("call", remembers(Memory::Thread), |_, _| Ok(Board::update()), |end: Board| log(end.x.to_string()))
        .route(START, ["call"], |_| [Goto::send("call", 1), Goto::send("call", 2)])
        .edge("call", END)
        .compile()
        .unwrap();
    let error = failed(graph.thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await).await;
    assert!(matches!(&error, Error::InvalidUpdate { key, .. } if key == "the memory of call"), "{error}");
}

#[tokio::test]
async fn c47_the_caller_gets_only_what_the_subgraph_added() {
    let inner = single("adds", |_: Arc<Board>, _: Context| async { Written::Ok(log("added")) });
    let graph = Graph::<Board>::new("shared")
        .node("before", |_: Arc<Board>, _: Context| async { Written::Ok(log("before")) })
        .subgraph("sub", inner, |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
        .edge(START, "before")
        .edge("before", "sub")
        .edge("sub", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        assert_eq!(done(graph.thread(store, "t").start(Board::update()).await).await.log, ["before", "added"]);
    })
    .await;
}

/// The events of a run as lines.
async fn lines(mut run: GraphRun<Board>) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(event) = run.next().await {
        let kind = serde_json::to_value(&event.kind).unwrap();
        lines.push(format!("{} {} {}", event.superstep, event.path, kind["event"].as_str().unwrap()));
    }
    lines
}

#[tokio::test]
async fn c49_each_mode_tells_its_own_events_of_a_graph_with_a_subgraph() {
    let inner = single("inner", |_: Arc<Board>, context: Context| async move {
        context.emit(serde_json::json!(1));
        context.emit_token("雨");
        Written::Ok(log("inner"))
    });
    let graph = Graph::<Board>::new("events")
        .node("a", |_: Arc<Board>, _: Context| async { Written::Ok(log("a")) })
        .subgraph("b", inner, |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile()
        .unwrap();
    for (modes, expected) in [
        (vec![Mode::Updates], vec!["0 a update", "0 b/inner update", "1 b update"]),
        (vec![Mode::Values], vec!["0  values", "0 b values", "1  values"]),
        (vec![Mode::Custom], vec!["0 b/inner custom"]),
        (vec![Mode::Tokens], vec!["0 b/inner token"]),
        (vec![Mode::Questions], vec![]),
        (vec![Mode::Errors], vec![]),
        (
            vec![Mode::Tasks],
            vec![
                "0 a task_started",
                "0 a task_finished",
                "1 b task_started",
                "0 b/inner task_started",
                "0 b/inner task_finished",
                "1 b task_finished",
            ],
        ),
        (
            vec![Mode::Checkpoints, Mode::Custom],
            vec!["0  checkpoint", "0 b/inner custom", "0 b checkpoint", "1  checkpoint"],
        ),
    ] {
        on_every_store(async |store| {
            let run = graph.thread(store, "t").modes(modes.clone()).start(Board::update()).await.unwrap();
            assert_eq!(lines(run).await, expected, "{modes:?}");
        })
        .await;
    }
}

#[tokio::test]
async fn c49_a_consumer_that_is_dropped_cancels_the_run_three_calls_deep() {
    let ended = Arc::new(Semaphore::new(0));
    let signal = Arc::clone(&ended);
    let inner = single("waits", move |_: Arc<Board>, context: Context| {
        let signal = Arc::clone(&signal);
        async move {
            /// Signals when the node is dropped.
            struct Dropped(Arc<Semaphore>);
            impl Drop for Dropped {
                fn drop(&mut self) {
                    self.0.add_permits(1);
                }
            }
            let _dropped = Dropped(signal);
            context.emit(serde_json::json!("in"));
            std::future::pending::<Written>().await
        }
    });
    let graph = around("one", around("two", around("three", inner)));
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let mut run = thread.start(Board::update()).await.unwrap();
        while !matches!(run.next().await.unwrap().kind, EventKind::Custom(_)) {}
        drop(run);
        ended.acquire().await.unwrap().forget();
    })
    .await;
}

#[tokio::test]
async fn c29_a_drained_subgraph_stops_after_its_own_superstep() {
    let gate = Arc::new(Semaphore::new(0));
    let opener = Arc::clone(&gate);
    let inner = Graph::<Board>::new("inner")
        .node("p", move |_: Arc<Board>, context: Context| {
            let gate = Arc::clone(&gate);
            async move {
                context.emit(serde_json::json!("in"));
                gate.acquire().await?.forget();
                Written::Ok(log("p"))
            }
        })
        .node("q", |_: Arc<Board>, _: Context| async { Written::Ok(log("q")) })
        .edge(START, "p")
        .edge("p", "q")
        .edge("q", END)
        .compile()
        .unwrap();
    let graph = around("outer", inner);
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let mut run = thread.start(Board::update()).await.unwrap();
        while !matches!(run.next().await.unwrap().kind, EventKind::Custom(_)) {}
        run.drain_handle().cancel();
        opener.add_permits(1);
        assert!(matches!(run.finish().await.unwrap(), Outcome::Cancelled { .. }));
        let call = thread.call::<Board>("outer").await.unwrap().unwrap();
        assert_eq!(call.snapshot().await.unwrap().committed().log, ["p"]);
        assert_eq!(done(thread.resume().await).await.log, ["p", "q"]);
    })
    .await;
}

#[tokio::test]
async fn c38_a_breakpoint_inside_a_subgraph_pauses_the_thread() {
    let inner = Graph::<Board>::new("inner")
        .node("p", |_: Arc<Board>, _: Context| async { Written::Ok(log("p")) })
        .node("q", |_: Arc<Board>, _: Context| async { Written::Ok(log("q")) })
        .edge(START, "p")
        .edge("p", "q")
        .edge("q", END)
        .pause_before("q")
        .compile()
        .unwrap();
    let graph = around("outer", inner);
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        assert!(waiting(thread.start(Board::update()).await).await.is_empty());
        assert_eq!(thread.call::<Board>("outer").await.unwrap().unwrap().snapshot().await.unwrap().next, ["q"]);
        assert_eq!(done(thread.resume().await).await.log, ["p", "q"]);
    })
    .await;
}

#[tokio::test]
async fn c22_after_a_failure_inside_a_subgraph_only_what_failed_runs_again() {
    let (ok, bad) = (Counter::default(), Counter::default());
    let (counted, failing) = (ok.clone(), bad.clone());
    let inner = Graph::<Board>::new("inner")
        .node("p", move |_: Arc<Board>, _: Context| {
            counted.call();
            async { Written::Ok(log("p")) }
        })
        .node("q", move |_: Arc<Board>, _: Context| {
            let call = failing.call();
            async move { if call % 2 == 0 { Err(NodeError::fatal("no luck")) } else { Written::Ok(log("q")) } }
        })
        .edge(START, "p")
        .edge("p", "q")
        .edge("q", END)
        .compile()
        .unwrap();
    let graph = around("outer", inner);
    on_every_store(async |store| {
        let before = ok.get();
        let thread = graph.thread(store, "t");
        let error = failed(thread.start(Board::update()).await).await;
        assert!(matches!(&error, Error::Node { node, .. } if node == "outer"), "{error}");
        assert!(error.to_string().contains("outer/q failed in superstep 1: no luck"), "{error}");
        assert_eq!(done(thread.resume().await).await.log, ["p", "q"]);
        assert_eq!(ok.get() - before, 1);
    })
    .await;
}

#[tokio::test]
async fn c58_steps_of_sends_loops_and_subgraphs_do_not_mix() {
    /// Every execution keeps its own result under the same key.
    async fn paid(board: Arc<Board>, context: Context) -> Written {
        let text = context.step("paid", &board.x, async || Ok::<_, NodeError>(board.x.to_string())).await?;
        let again: String = context.ask("go on", "?").await?;
        Written::Ok(log(format!("{text}{again}")))
    }
    let graph = Graph::<Board>::new("mix")
        .subgraph(
            "call",
            single("paid", paid),
            |_, context| Ok(Board::update().x(context.payload()?)),
            |end| Board::update().log(end.log),
        )
        .node("paid", paid)
        .route(START, ["call", "paid"], |_| {
            vec![Goto::from("paid"), Goto::send("call", 1), Goto::send("call", 2), Goto::send("call", 3)]
        })
        .edge("call", END)
        .edge("paid", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let ids = waiting(thread.start(Board::update().x(9)).await).await;
        let answers: BTreeMap<_, _> = ids.into_iter().map(|id| (id, "!")).collect();
        assert_eq!(done(thread.answer_map(answers).await).await.log, ["9!", "1!", "2!", "3!"]);
    })
    .await;
}

#[tokio::test]
async fn a_subgraph_without_memory_cannot_ask() {
    let graph = around("outer", asks_twice(&Counter::default()).memory(Memory::None));
    let error = failed(graph.thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await).await;
    assert!(matches!(&error, Error::CannotWait { node, .. } if node == "first"), "{error}");
}

#[tokio::test]
async fn c54_a_copied_and_a_pruned_thread_keep_their_calls() {
    let asks = Graph::<Board>::new("asks")
        .subgraph(
            "recalls",
            remembers(Memory::Thread),
            |_, _| Ok(Board::update()),
            |end: Board| log(end.log.len().to_string()),
        )
        .subgraph(
            "asks",
            asks_twice(&Counter::default()),
            |_, _| Ok(Board::update()),
            |end| Board::update().log(end.log),
        )
        .edge(START, "recalls")
        .edge("recalls", "asks")
        .edge("asks", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = asks.thread(store, "t");
        waiting(thread.start(Board::update()).await).await;
        waiting(thread.answer("a").await).await;
        let copy = thread.copy_to(Arc::new(MemoryStore::new()), "copy").await.unwrap();
        thread.prune(std::num::NonZeroUsize::MIN).await.unwrap();
        for thread in [thread, copy] {
            assert_eq!(done(thread.answer("b").await).await.log, ["1", "first=a", "second=b"]);
            thread.prune(std::num::NonZeroUsize::MIN).await.unwrap();
            waiting(thread.start(Board::update()).await).await;
            let log = thread.snapshot().await.unwrap().unwrap().state.log;
            assert_eq!(log.last().map(String::as_str), Some("2"), "it still remembers its first call");
        }
    })
    .await;
}

#[tokio::test]
async fn what_one_call_asks_is_heard_though_another_is_at_a_breakpoint() {
    let stops = Graph::<Board>::new("stops")
        .node("stop", |_: Arc<Board>, _: Context| async { Written::Ok(log("gone on")) })
        .pause_before("stop")
        .edge(START, "stop")
        .edge("stop", END)
        .compile()
        .unwrap();
    let graph = single("both", move |_: Arc<Board>, context: Context| {
        let stops = stops.clone();
        async move {
            let asking = asking();
            let (left, right) = futures::join!(
                context.call("left", &stops, Board::update()),
                context.call("right", &asking, Board::update())
            );
            Written::Ok(log(format!("{} {}", left?.log.concat(), right?.log.concat())))
        }
    });
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        assert_eq!(waiting(thread.start(Board::update()).await).await.len(), 1);
        assert_eq!(done(thread.answer("yes").await).await.log, ["gone on yes"]);
    })
    .await;
}

#[tokio::test]
async fn a_node_that_still_waits_for_its_own_answer_is_not_run_for_another() {
    on_every_store(async |store| {
        let ran = Counter::default();
        let counted = ran.clone();
        let graph = single("both", move |_: Arc<Board>, context: Context| {
            counted.call();
            async move {
                let asking = asking();
                let (own, inner) =
                    futures::join!(context.ask::<String>("own", "?"), context.call("inner", &asking, Board::update()));
                Written::Ok(log(format!("{} {}", own?, inner?.log.concat())))
            }
        });
        let thread = graph.thread(store, "t");
        waiting(thread.start(Board::update()).await).await;
        let questions = thread.snapshot().await.unwrap().unwrap().questions;
        let of = |path: &str| questions.iter().find(|question| question.path == path).unwrap().id.clone();
        let (own, inner) = (of("both"), of("both|inner/ask"));
        let only = |id: &str, answer: &str| BTreeMap::from([(id.to_owned(), answer.to_owned())]);
        assert_eq!(waiting(thread.answer_map(only(&own, "one")).await).await, std::slice::from_ref(&inner));
        assert_eq!(ran.get(), 1, "there is nothing new for what is inside");
        assert_eq!(done(thread.answer_map(only(&inner, "two")).await).await.log, ["one two"]);
    })
    .await;
}
