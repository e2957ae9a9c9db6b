//! Edges, joins, routes, commands and loops.

use std::sync::Arc;

use qingyu_graph::{Command, Context, END, Error, Graph, NodeError, START};

use crate::board::{Board, BoardUpdate, Counter, done, failed, log, on_every_store};

type Written = Result<BoardUpdate, NodeError>;

/// Adds nodes that log their names.
fn loggers<const N: usize>(name: &str, nodes: [&'static str; N]) -> Graph<Board> {
    nodes.into_iter().fold(Graph::new(name), |graph, node| {
        graph.node(node, move |_: Arc<Board>, _: Context| async move { Written::Ok(log(node)) })
    })
}

#[tokio::test]
async fn c04_and_c05_plain_edges_run_a_late_node_twice_and_a_join_once() {
    let uneven = || {
        loggers("uneven", ["a", "b", "c", "c2", "d"])
            .edge(START, "a")
            .edge("a", "b")
            .edge("a", "c")
            .edge("c", "c2")
            .edge("d", END)
    };
    let plain = uneven().edge("b", "d").edge("c2", "d").compile().unwrap();
    let joined = uneven().join(["b", "c2"], "d").compile().unwrap();
    on_every_store(async |store| {
        let board = done(plain.thread(store.clone(), "plain").start(Board::update()).await).await;
        assert_eq!(board.log, ["a", "b", "c", "c2", "d", "d"]);
        let board = done(joined.thread(store, "joined").start(Board::update()).await).await;
        assert_eq!(board.log, ["a", "b", "c", "c2", "d"]);
    })
    .await;
}

#[tokio::test]
async fn a_join_remembers_its_early_source_across_a_pause() {
    let graph = loggers("early", ["a", "early", "end"])
        .node("late", |_: Arc<Board>, context: Context| async move {
            let answer: String = context.ask("q", "?").await?;
            Written::Ok(log(answer))
        })
        .edge(START, "a")
        .edge(START, "early")
        .edge("a", "late")
        .join(["late", "early"], "end")
        .edge("end", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        crate::board::waiting(thread.start(Board::update()).await).await;
        assert_eq!(done(thread.answer("late").await).await.log, ["a", "early", "late", "end"]);
    })
    .await;
}

#[tokio::test]
async fn c07_a_join_that_cannot_run_is_an_error() {
    let graph = loggers("starved", ["a", "b", "c", "d"])
        .edge(START, "a")
        .route("a", ["b", "c"], |_| ["b"])
        .join(["b", "c"], "d")
        .edge("d", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        let error = failed(thread.start(Board::update()).await).await;
        assert!(matches!(&error, Error::JoinStarved { node, missing } if node == "d" && *missing == ["c"]), "{error}");
        assert_eq!(thread.snapshot().await.unwrap().unwrap().state.log, ["a", "b"], "what was done is kept");
        assert!(matches!(failed(thread.resume().await).await, Error::JoinStarved { .. }));
    })
    .await;
}

#[tokio::test]
async fn c08_a_route_sees_its_own_nodes_write_and_goes_to_several() {
    let graph = Graph::<Board>::new("route")
        .node("a", |_: Arc<Board>, _: Context| async { Written::Ok(Board::update().x(1)) })
        .node("sibling", |_: Arc<Board>, _: Context| async { Written::Ok(Board::update().y(Some(1))) })
        .node("b", |_: Arc<Board>, _: Context| async { Written::Ok(log("b")) })
        .node("c", |_: Arc<Board>, _: Context| async { Written::Ok(log("c")) })
        .node("wrong", |_: Arc<Board>, _: Context| async { Written::Ok(log("wrong")) })
        .edge(START, "a")
        .edge(START, "sibling")
        .route("a", ["b", "c", "wrong"], |board| match (board.x, board.y) {
            (1, None) => vec!["c", "b"],
            _ => vec!["wrong"],
        })
        .edge("sibling", END)
        .edge("b", END)
        .edge("c", END)
        .edge("wrong", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        assert_eq!(done(graph.thread(store, "t").start(Board::update()).await).await.log, ["b", "c"]);
    })
    .await;
}

#[tokio::test]
async fn the_start_can_have_a_route() {
    let graph = loggers("entry", ["a", "b"])
        .route(START, ["a", "b", END], |board| if board.x == 0 { vec![END] } else { vec!["b"] })
        .edge("a", END)
        .edge("b", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        assert_eq!(done(graph.thread(store.clone(), "0").start(Board::update()).await).await.log.len(), 0);
        assert_eq!(done(graph.thread(store, "1").start(Board::update().x(1)).await).await.log, ["b"]);
    })
    .await;
}

#[tokio::test]
async fn c09_and_c17_undeclared_targets_are_errors() {
    let routed = loggers("routed", ["a", "b"])
        .edge(START, "a")
        .edge("b", END)
        .route("a", ["b"], |_| ["nowhere"])
        .compile()
        .unwrap();
    let commanded = loggers("commanded", ["b", "c"])
        .node("a", |_: Arc<Board>, _: Context| async { Ok::<_, NodeError>(Command::update(log("a")).goto(["c"])) })
        .targets("a", ["b"])
        .edge(START, "a")
        .edge(START, "c")
        .edge("b", END)
        .edge("c", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        for (graph, wrong) in [(&routed, "nowhere"), (&commanded, "c")] {
            let thread = graph.thread(store.clone(), wrong);
            let error = failed(thread.start(Board::update()).await).await;
            assert!(
                matches!(&error, Error::UnknownTarget { node, target } if node == "a" && target == wrong),
                "{error}"
            );
            assert!(thread.snapshot().await.unwrap().unwrap().next.contains(&"a".to_owned()));
        }
    })
    .await;
}

#[tokio::test]
async fn c19_goto_replaces_the_static_edges() {
    let graph = loggers("goto", ["static", "chosen"])
        .node("a", |board: Arc<Board>, _: Context| async move {
            let command = Command::update(log("a"));
            Ok::<_, NodeError>(if board.x == 1 { command.goto(["chosen"]) } else { command })
        })
        .targets("a", ["chosen"])
        .edge(START, "a")
        .edge("a", "static")
        .edge("static", END)
        .edge("chosen", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let chosen = graph.thread(store.clone(), "1").start(Board::update().x(1)).await;
        assert_eq!(done(chosen).await.log, ["a", "chosen"]);
        let plain = graph.thread(store, "0").start(Board::update().x(0)).await;
        assert_eq!(done(plain).await.log, ["a", "static"]);
    })
    .await;
}

#[tokio::test]
async fn c19_also_adds_to_the_static_edges() {
    let graph = loggers("also", ["static", "chosen", "sent"])
        .node("a", |_: Arc<Board>, _: Context| async {
            Ok::<_, NodeError>(Command::update(log("a")).also(["chosen"]).send("sent", ()))
        })
        .targets("a", ["chosen", "sent"])
        .edge(START, "a")
        .edge("a", "static")
        .edge("static", END)
        .edge("chosen", END)
        .edge("sent", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let board = done(graph.thread(store, "t").start(Board::update()).await).await;
        assert_eq!(board.log, ["a", "static", "chosen", "sent"]);
    })
    .await;
}

#[tokio::test]
async fn c06_a_deferred_node_runs_once_after_everything_else() {
    // `late` asks on its way, so that what has been put off is also read back; only `short` leads to it.
    let graph = loggers("deferred", ["d", "short", "long", "longer", "after"])
        .node("late", |_: Arc<Board>, context: Context| async move {
            let answer: String = context.ask("q", "?").await?;
            Written::Ok(log(answer))
        })
        .edge(START, "short")
        .edge(START, "long")
        .edge("long", "longer")
        .edge("longer", "late")
        .edge("short", "d")
        .edge("late", END)
        .edge("d", "after")
        .edge("after", END)
        .defer("d")
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        crate::board::waiting(thread.start(Board::update()).await).await;
        let board = done(thread.answer("late").await).await;
        assert_eq!(board.log, ["short", "long", "longer", "late", "d", "after"]);
    })
    .await;
}

#[tokio::test]
async fn c21_a_loop_stops_at_the_limit_and_goes_on_with_a_higher_one() {
    let calls = Counter::default();
    let counted = calls.clone();
    let graph = Graph::<Board>::new("loop")
        .node("again", move |board: Arc<Board>, _: Context| {
            counted.call();
            async move { Written::Ok(Board::update().x(board.x + 1)) }
        })
        .edge(START, "again")
        .route("again", ["again", END], |board: &Board| [if board.x < 10 { "again" } else { END }])
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let before = calls.get();
        let thread = graph.thread(store.clone(), "t").recursion_limit(3);
        let error = failed(thread.start(Board::update()).await).await;
        assert!(matches!(&error, Error::RecursionLimit { limit: 3, next } if *next == ["again"]), "{error}");
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.state.x, snapshot.next), (3, vec!["again".to_owned()]));
        assert_eq!(done(thread.recursion_limit(7).resume().await).await.x, 10);
        assert_eq!(calls.get() - before, 10, "nothing ran twice");
        let error = failed(graph.thread(store, "endless").start(Board::update().x(-100)).await).await;
        assert!(matches!(error, Error::RecursionLimit { limit: 50, .. }), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_graph_runs_without_a_store() {
    let graph = loggers("bare", ["a", "b"]).edge(START, "a").edge("a", "b").edge("b", END).compile().unwrap();
    assert_eq!(graph.run(Board::update().x(1)).await.unwrap().log, ["a", "b"]);
}
