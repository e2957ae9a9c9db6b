//! The past of a thread: lists, replays, forks and changes by hand.

use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, Page, PastCheckpoint, START, Source, Thread};

use crate::board::{Board, BoardUpdate, Counter, asking, done, failed, log, on_every_store, waiting};

type Written = Result<BoardUpdate, NodeError>;

/// Nodes that log their names and the value of `x` that they saw, one after another.
fn chain<const N: usize>(nodes: [&'static str; N]) -> Graph<Board> {
    let node =
        |board: Arc<Board>, context: Context| async move { Written::Ok(log(format!("{}{}", context.node(), board.x))) };
    let graph = nodes.into_iter().fold(Graph::new("chain"), |graph, name| graph.node(name, node));
    let graph = nodes.windows(2).fold(graph.edge(START, nodes[0]), |graph, pair| graph.edge(pair[0], pair[1]));
    graph.edge(nodes[N - 1], END)
}

fn abc() -> CompiledGraph<Board> {
    chain(["a", "b", "c"]).compile().unwrap()
}

async fn all(thread: &Thread<Board>) -> Vec<PastCheckpoint<Board>> {
    thread.history(Page::default()).await.unwrap()
}

/// The newest checkpoint before which exactly `node` is due.
async fn before(thread: &Thread<Board>, node: &str) -> PastCheckpoint<Board> {
    all(thread).await.into_iter().find(|past| past.next == [node]).unwrap()
}

// LangGraph counts 8: its start is a superstep of its own. Here an input leads straight to the first nodes.
#[tokio::test]
async fn c40_the_history_lists_every_checkpoint_newest_first() {
    let graph = chain(["a", "b"]).compile().unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        assert_eq!(all(&thread).await, []);
        done(thread.start(Board::update().x(1)).await).await;
        done(thread.start(Board::update().x(2)).await).await;
        let history = all(&thread).await;
        let listed: Vec<_> = history.iter().map(|past| (past.superstep, past.source, past.next.concat())).collect();
        let expected = [
            (4, Source::Loop, ""),
            (3, Source::Loop, "b"),
            (2, Source::Input, "a"),
            (1, Source::Loop, ""),
            (0, Source::Loop, "b"),
            (-1, Source::Input, "a"),
        ];
        assert_eq!(listed, expected.map(|(superstep, source, next)| (superstep, source, next.to_owned())));
        let logs: Vec<_> = history.iter().map(|past| past.state.log.join(" ")).collect();
        assert_eq!(logs, ["a1 b1 a2 b2", "a1 b1 a2", "a1 b1", "a1 b1", "a1", ""]);
        let parents: Vec<_> = history[1..].iter().map(|past| Some(past.id)).chain([None]).collect();
        assert_eq!(history.iter().map(|past| past.parent).collect::<Vec<_>>(), parents);
        let page = Page { before: Some(history[1].id), limit: Some(3) };
        assert_eq!(thread.history(page).await.unwrap(), history[2..5]);
        assert_eq!(thread.snapshot().await.unwrap().unwrap().checkpoint, history[0].id);
    })
    .await;
}

#[tokio::test]
async fn a_checkpoint_names_the_run_that_made_it() {
    let graph = asking();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let first = thread.start(Board::update()).await.unwrap();
        let mut runs = vec![first.id().to_owned()];
        waiting(Ok(first)).await;
        let second = thread.answer("yes").await.unwrap();
        runs.insert(0, second.id().to_owned());
        done(Ok(second)).await;
        assert_eq!(all(&thread).await.into_iter().map(|past| past.run).collect::<Vec<_>>(), runs);
    })
    .await;
}

#[tokio::test]
async fn every_checkpoint_of_a_long_run_names_it() {
    // What is written is long enough that whole states are stored on the way.
    let graph = Graph::<Board>::new("long")
        .node("again", |board: Arc<Board>, _: Context| async move {
            Written::Ok(log("雨".repeat(400 * (1 + board.log.len()))).x(board.x + 1))
        })
        .edge(START, "again")
        .route("again", ["again", END], |board: &Board| [if board.x < 20 { "again" } else { END }])
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let run = thread.start(Board::update()).await.unwrap();
        let id = run.id().to_owned();
        done(Ok(run)).await;
        assert!(all(&thread).await.iter().all(|past| past.run == id));
    })
    .await;
}

#[tokio::test]
async fn calls_are_found_from_where_they_were_made() {
    let around = Graph::<Board>::new("around")
        .subgraph("call", abc(), |board, _| Ok(Board::update().x(board.x)), |end| Board::update().log(end.log))
        .edge(START, "call")
        .edge("call", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = around.thread(store, "t");
        done(thread.start(Board::update().x(1)).await).await;
        let past = before(&thread, "call").await;
        assert!(past.id.to_string().parse::<u64>().is_ok(), "{}", past.id);
        let call = thread.at(past.id).call::<Board>("call").await.unwrap().unwrap();
        assert_eq!(call.snapshot().await.unwrap().state.log, ["a1", "b1", "c1"]);
        let own = call.history(Page::default()).await.unwrap();
        assert_eq!(own.iter().map(|past| past.parent.is_some()).collect::<Vec<_>>(), [true, true, true, false]);
        assert!(thread.at(past.id).call::<Board>("other").await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn c41_a_replay_runs_only_what_follows_and_leaves_the_old_branch_alone() {
    on_every_store(async |store| {
        let thread = abc().thread(store, "t");
        done(thread.start(Board::update().x(1)).await).await;
        let old = all(&thread).await;
        let mut run = thread.at(before(&thread, "b").await.id).resume().await.unwrap();
        let mut ran = Vec::new();
        while let Some(event) = run.next().await {
            if event.kind == qingyu_graph::EventKind::TaskFinished {
                ran.extend(event.node);
            }
        }
        assert_eq!(ran, ["b", "c"]);
        assert_eq!(run.finish().await.unwrap().into_state().log, ["a1", "b1", "c1"]);
        let history = all(&thread).await;
        assert_eq!(history[3..], old, "nothing old has changed");
        let added: Vec<_> = history[..3].iter().map(|past| (past.branch, past.source, past.superstep)).collect();
        assert_eq!(added, [(1, Source::Loop, 2), (1, Source::Loop, 1), (1, Source::Fork, 0)]);
        assert_eq!(history[2].parent, Some(old[2].id));
        assert_eq!(thread.at(old[0].id).snapshot().await.unwrap().state, old[0].state, "the old tip");
        assert_eq!(done(thread.resume().await).await.log, ["a1", "b1", "c1"], "the new tip is the newest");
    })
    .await;
}

#[tokio::test]
async fn c42_two_forks_of_one_checkpoint_are_independent() {
    let (fails, calls) = (Counter::default(), Counter::default());
    let (failing, counted) = (fails.clone(), calls.clone());
    // `good` finishes and `bad` fails, so that the checkpoint has pending writes.
    let graph = Graph::<Board>::new("pending")
        .node("good", move |board: Arc<Board>, _: Context| {
            counted.call();
            async move { Written::Ok(log(format!("good{}", board.x))) }
        })
        .node("bad", move |board: Arc<Board>, _: Context| {
            failing.call();
            async move {
                if board.x == 0 { Err(NodeError::fatal("no")) } else { Written::Ok(log(format!("bad{}", board.x))) }
            }
        })
        .edge(START, "good")
        .edge(START, "bad")
        .edge("good", END)
        .edge("bad", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        failed(thread.start(Board::update()).await).await;
        let root = all(&thread).await[0].clone();
        assert_eq!(thread.at(root.id).snapshot().await.unwrap().state.log, ["good0"]);
        let mut tips = Vec::new();
        for x in [1, 2] {
            let fork = thread.at(root.id).update_state(Board::update().x(x), None).await.unwrap();
            let snapshot = thread.at(fork).snapshot().await.unwrap();
            assert_eq!((snapshot.state.log.len(), snapshot.next.len()), (0, 2), "pending writes stay behind");
            let board = done(thread.resume().await).await;
            assert_eq!(board.log, [format!("good{x}"), format!("bad{x}")]);
            tips.push(thread.snapshot().await.unwrap().unwrap());
        }
        for tip in &tips {
            assert_eq!(thread.at(tip.checkpoint).snapshot().await.unwrap(), *tip);
        }
        let branches: Vec<_> = all(&thread).await.iter().map(|past| (past.branch, past.source)).collect();
        let expected =
            [(2, Source::Loop), (2, Source::Update), (1, Source::Loop), (1, Source::Update), (0, Source::Input)];
        assert_eq!(branches, expected);
    })
    .await;
}

#[tokio::test]
async fn c43_a_replay_from_before_a_pause_asks_again_and_is_stable() {
    on_every_store(async |store| {
        let thread = asking().thread(store, "t");
        let first = waiting(thread.start(Board::update()).await).await;
        assert_eq!(done(thread.answer("old").await).await.log, ["old"]);
        let pause = before(&thread, "ask").await.id;
        let mut ids = first.clone();
        for answer in ["new", "newer"] {
            let asked = waiting(thread.at(pause).resume().await).await;
            assert!(!ids.contains(&asked[0]), "a question of its own");
            let late = thread.answer_map([(first[0].clone(), "late")].into()).await;
            assert!(matches!(late, Err(Error::NoSuchQuestion { .. })));
            ids.extend(asked);
            assert_eq!(done(thread.answer(answer).await).await.log, [answer]);
        }
        assert_eq!(thread.at(pause).snapshot().await.unwrap().questions, [], "the old one was answered");
    })
    .await;
}

#[tokio::test]
async fn c38_a_change_while_paused_is_seen_by_the_next_node() {
    let graph = Graph::<Board>::new("paused")
        .node("good", |_: Arc<Board>, _: Context| async { Written::Ok(log("good")) })
        .node("ask", |board: Arc<Board>, context: Context| async move {
            let answer: String = context.ask("q", &board.x).await?;
            Written::Ok(log(format!("{answer}{}", board.x)))
        })
        .edge(START, "good")
        .edge(START, "ask")
        .edge("good", END)
        .edge("ask", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        waiting(thread.start(Board::update()).await).await;
        thread.update_state(Board::update().x(7), None).await.unwrap();
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.superstep, snapshot.committed().x), (0, 7));
        assert_eq!((snapshot.next, snapshot.state.log), (vec!["ask".to_owned()], vec!["good".to_owned()]));
        assert_eq!(waiting(thread.resume().await).await.len(), 1, "what was asked is asked again");
        assert_eq!(done(thread.answer("yes").await).await.log, ["good", "yes7"]);
    })
    .await;
}

#[tokio::test]
async fn c38_a_change_as_a_node_moves_the_frontier() {
    let routed = chain(["a", "b"])
        .node("far", |_: Arc<Board>, _: Context| async { Written::Ok(log("far")) })
        .route("b", ["far", END], |board| [if board.x == 5 { "far" } else { END }])
        .edge("far", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = routed.thread(store, "t");
        done(thread.start(Board::update()).await).await;
        let start = before(&thread, "a").await.id;
        let fork = thread.at(start).update_state(log("by hand").x(5), Some("b")).await.unwrap();
        let snapshot = thread.at(fork).snapshot().await.unwrap();
        assert_eq!((snapshot.next, snapshot.state.log), (vec!["far".to_owned()], vec!["by hand".to_owned()]));
        assert_eq!(done(thread.resume().await).await.log, ["by hand", "far"]);
        thread.update_state(log("again"), Some("a")).await.unwrap();
        assert_eq!(done(thread.resume().await).await.log, ["by hand", "far", "again", "b5", "far"]);
    })
    .await;
}

#[tokio::test]
async fn c38_a_change_is_of_the_graph_that_makes_it() {
    let (short, long) = (chain(["a"]).compile().unwrap(), abc());
    on_every_store(async |store| {
        assert_eq!(done(short.thread(store.clone(), "t").start(Board::update()).await).await.log, ["a0"]);
        let grown = long.thread(store, "t");
        grown.update_state(Board::update().x(7), Some("a")).await.unwrap();
        assert_eq!(done(grown.resume().await).await.log, ["a0", "b7", "c7"]);
    })
    .await;
}

#[tokio::test]
async fn c38_a_change_that_makes_no_sense_is_refused_and_changes_nothing() {
    on_every_store(async |store| {
        let thread = abc().thread(store, "t");
        let error = thread.update_state(log("early"), None).await.unwrap_err();
        assert!(matches!(error, Error::NoSuchThread { .. }));
        done(thread.start(Board::update()).await).await;
        let old = all(&thread).await;
        let error = thread.update_state(log("x"), Some("nobody")).await.unwrap_err();
        assert!(matches!(&error, Error::NoSuchNode { node } if node == "nobody"), "{error}");
        let moment = thread.at(999.into());
        for error in [
            moment.snapshot().await.unwrap_err(),
            moment.resume().await.unwrap_err(),
            moment.update_state(log("x"), None).await.unwrap_err(),
        ] {
            assert!(matches!(error, Error::NoSuchCheckpoint { checkpoint: 999, .. }), "{error}");
        }
        assert_eq!(all(&thread).await, old);
        let odd = Board { odd: [((1, 2), 3)].into(), ..Board::default() }.odd;
        let error = thread.update_state(Board::update().odd(odd), None).await.unwrap_err();
        assert!(matches!(error, Error::Encode { .. }), "{error}");
        assert_eq!(all(&thread).await, old);
        thread.update_state(log("x"), None).await.unwrap();
        assert_eq!(
            thread.snapshot().await.unwrap().unwrap().state.log.last().unwrap(),
            "x",
            "the lease was given back"
        );
    })
    .await;
}

#[tokio::test]
async fn c59_a_fork_before_a_node_pays_its_steps_again_and_one_after_it_does_not() {
    let paid = Counter::default();
    let counted = paid.clone();
    let graph = chain(["a", "z"])
        .node("pays", move |_: Arc<Board>, context: Context| {
            let counted = counted.clone();
            async move {
                let call = context.step("call", "x", async || Ok::<_, NodeError>(counted.call())).await?;
                Written::Ok(log(format!("paid {call}")))
            }
        })
        .edge("z", "pays")
        .node("after", |_: Arc<Board>, _: Context| async { Written::Ok(log("after")) })
        .edge("pays", "after")
        .edge("after", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let start = paid.get();
        let thread = graph.thread(store, "t");
        done(thread.start(Board::update()).await).await;
        assert_eq!(paid.get() - start, 1);
        let (early, late) = (before(&thread, "pays").await.id, before(&thread, "after").await.id);
        done(thread.at(late).resume().await).await;
        assert_eq!(paid.get() - start, 1);
        let board = done(thread.at(early).resume().await).await;
        assert_eq!(paid.get() - start, 2);
        assert!(board.log.contains(&format!("paid {}", start + 1)), "{:?}", board.log);
    })
    .await;
}
