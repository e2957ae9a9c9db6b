//! Results that need not be worked out again.

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::store::{MemoryStore, SqliteStore};
use qingyu_graph::{CompiledGraph, Context, END, Error, EventKind, Goto, Graph, Memory, NodeError, START};

use crate::board::{Board, BoardUpdate, Counter, done, failed, log, on_every_store, remembers, sqlite};

type Written = Result<BoardUpdate, NodeError>;

const MINUTE: Duration = Duration::from_secs(60);

/// `works` depends on `x`; what follows it on `y`.
fn cached(calls: &Counter) -> CompiledGraph<Board> {
    let calls = calls.clone();
    Graph::<Board>::new("cached")
        .node("works", move |board: Arc<Board>, _: Context| {
            calls.call();
            async move { Written::Ok(log(format!("worked on {}", board.x))) }
        })
        .node("more", |_: Arc<Board>, _: Context| async { Written::Ok(log("more")) })
        .cache("works", MINUTE, |board| board.x)
        .edge(START, "works")
        .route("works", ["more", END], |board| [if board.y.is_some() { "more" } else { END }])
        .edge("more", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c28_the_same_input_is_worked_on_once_and_another_one_again() {
    on_every_store(async |store| {
        let calls = Counter::default();
        let graph = cached(&calls);
        for (name, x, y, expected, count) in [
            ("first", 1, None, vec!["worked on 1"], 1),
            ("same", 1, None, vec!["worked on 1"], 1),
            ("other", 2, None, vec!["worked on 2"], 2),
            ("same, routed anew", 1, Some(1), vec!["worked on 1", "more"], 2),
        ] {
            let run = graph.thread(store.clone(), name).start(Board::update().x(x).y(y)).await;
            assert_eq!((done(run).await.log, calls.get()), (expected.into_iter().map(str::to_owned).collect(), count));
        }
    })
    .await;
}

#[tokio::test]
async fn c28_a_cached_result_is_told_as_cached() {
    let graph = cached(&Counter::default());
    let store = Arc::new(MemoryStore::new());
    for (name, first) in [("first", EventKind::TaskStarted { attempt: 1 }), ("second", EventKind::TaskCached)] {
        let mut run = graph.thread(store.clone(), name).start(Board::update()).await.unwrap();
        let mut kinds = Vec::new();
        while let Some(event) = run.next().await {
            kinds.push(event.kind);
        }
        assert_eq!(kinds[0], first);
        assert!(matches!(
            kinds[1..],
            [EventKind::Update { .. }, EventKind::TaskFinished, EventKind::Checkpoint { .. }]
        ));
    }
}

#[tokio::test(start_paused = true)]
async fn c28_a_result_that_is_too_old_is_worked_out_again() {
    let calls = Counter::default();
    let graph = cached(&calls);
    for (pause, count) in [(Duration::ZERO, 1), (MINUTE - Duration::from_secs(1), 1), (Duration::from_secs(1), 2)] {
        tokio::time::sleep(pause).await;
        graph.run(Board::update()).await.unwrap();
        assert_eq!(calls.get(), count);
    }
}

#[tokio::test]
async fn c28_what_was_sent_belongs_to_the_input_and_failures_are_not_kept() {
    let calls = Counter::default();
    let counted = calls.clone();
    let graph = Graph::<Board>::new("sent")
        .node("works", move |_: Arc<Board>, context: Context| {
            let call = counted.call();
            async move {
                let number: u8 = context.payload()?;
                if call == 0 { Err(NodeError::fatal("no")) } else { Written::Ok(log(number.to_string())) }
            }
        })
        .cache("works", MINUTE, |_| ())
        .route(START, ["works"], |board| (0..board.total).map(|number| Goto::send("works", number)).collect::<Vec<_>>())
        .edge("works", END)
        .compile()
        .unwrap();
    let thread = |name: &str| graph.thread(Arc::new(MemoryStore::new()), name);
    assert!(matches!(failed(thread("a").start(Board::update().total(1)).await).await, Error::Node { .. }));
    assert_eq!(done(thread("b").start(Board::update().total(2)).await).await.log, ["0", "1"]);
    assert_eq!(done(thread("c").start(Board::update().total(3)).await).await.log, ["0", "1", "2"]);
    assert_eq!(calls.get(), 4);
}

#[tokio::test]
async fn c28_what_is_remembered_is_not_left_out_because_the_result_is_known() {
    let graph = Graph::<Board>::new("cached")
        .subgraph("talks", remembers(Memory::Thread), |_, _| Ok(Board::update()), |end: Board| log(end.log.concat()))
        .cache("talks", MINUTE, |_| ())
        .edge(START, "talks")
        .edge("talks", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        done(thread.start(Board::update()).await).await;
        assert_eq!(done(thread.start(Board::update()).await).await.log, ["0", "01"]);
    })
    .await;
}

#[tokio::test]
async fn c28_a_joined_write_is_made_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let (database, store) = sqlite(&folder.path().join("graph.db")).await;
    let write = async |statement: &'static str| {
        let written: Result<usize, Error> = database.write(move |tx| Ok(tx.execute(statement, [])?)).await;
        written.unwrap()
    };
    write("CREATE TABLE chapter(text TEXT)").await;
    let graph = Graph::<Board>::new("writing")
        .node("write", |_: Arc<Board>, context: Context| async move {
            context.commit_with(SqliteStore::joined(|tx| {
                tx.execute("INSERT INTO chapter VALUES ('rain')", []).map(|_| ())
            }));
            Written::Ok(log("written"))
        })
        .cache("write", MINUTE, |_| ())
        .edge(START, "write")
        .edge("write", END)
        .compile()
        .unwrap();
    let thread = graph.thread(Arc::new(store), "t");
    done(thread.start(Board::update()).await).await;
    done(thread.start(Board::update()).await).await;
    assert_eq!(write("DELETE FROM chapter").await, 2);
}
