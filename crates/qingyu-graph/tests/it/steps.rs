//! Steps that are paid for once.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use qingyu_graph::store::{MemoryStore, SqliteStore};
use qingyu_graph::{CompiledGraph, Context, END, Error, EventKind, Graph, NodeError, RetryPolicy, START};

use crate::board::{Board, BoardUpdate, Counter, done, failed, log, on_every_store, sqlite, waiting};

type Written = Result<BoardUpdate, NodeError>;

/// Pays for a step whose input is `input`, then asks.
fn pay_then_ask(paid: &Counter, input: &'static str) -> CompiledGraph<Board> {
    let paid = paid.clone();
    Graph::<Board>::new("pay")
        .node("pay", move |_: Arc<Board>, context: Context| {
            let paid = paid.clone();
            async move {
                let call = context.step("draft", input, async || Ok::<_, NodeError>(paid.call())).await?;
                let _: bool = context.ask("approve", &call).await?;
                Written::Ok(log(format!("call {call}")))
            }
        })
        .edge(START, "pay")
        .edge("pay", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c55_a_stored_step_is_not_paid_again_after_a_pause() {
    on_every_store(async |store| {
        let paid = Counter::default();
        let thread = pay_then_ask(&paid, "rain").thread(store, "t");
        waiting(thread.start(Board::update()).await).await;
        let mut run = thread.answer(true).await.unwrap();
        let mut reused = Vec::new();
        while let Some(event) = run.next().await {
            match event.kind {
                EventKind::StepReused { key } => reused.push(key),
                EventKind::StepStarted { .. } => panic!("it must not be called"),
                _ => {}
            }
        }
        assert_eq!(reused, ["draft"]);
        assert_eq!(run.finish().await.unwrap().into_state().log, ["call 0"]);
        assert_eq!(paid.get(), 1);
    })
    .await;
}

#[tokio::test]
async fn c57_a_changed_input_is_a_replay_mismatch_that_names_everything() {
    on_every_store(async |store| {
        let paid = Counter::default();
        waiting(pay_then_ask(&paid, "rain").thread(store.clone(), "novel").start(Board::update()).await).await;
        let run = pay_then_ask(&paid, "snow").thread(store.clone(), "novel").answer(true).await.unwrap();
        let id = run.id().to_owned();
        let Err(Error::ReplayMismatch(mismatch)) = run.finish().await else { panic!("it must be refused") };
        let told = mismatch.to_string();
        assert!(
            [&mismatch.step, &mismatch.recorded, &mismatch.present].iter().all(|part| told.contains(*part)),
            "{told}"
        );
        assert_eq!((mismatch.thread.as_str(), mismatch.run), ("novel", id));
        assert_eq!((mismatch.node.as_str(), mismatch.step.as_str()), ("pay", "draft"));
        assert_ne!(mismatch.recorded, mismatch.present);
        assert_eq!(paid.get(), 1);
        let right = pay_then_ask(&paid, "rain").thread(store, "novel");
        assert_eq!(done(right.resume().await).await.log, ["call 0"], "the answer was kept");
    })
    .await;
}

#[tokio::test]
async fn c57_a_key_is_used_once_in_an_execution() {
    let graph = Graph::<Board>::new("same key")
        .node("pay", |_: Arc<Board>, context: Context| async move {
            let step = async |_: u32| context.step("draft", "same", async || Ok::<_, NodeError>(1)).await;
            let sum = step(1).await? + step(2).await?;
            Written::Ok(Board::update().x(sum))
        })
        .edge(START, "pay")
        .edge("pay", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let error = failed(graph.thread(store, "t").start(Board::update()).await).await;
        assert!(matches!(&error, Error::DuplicateKey { node, key } if node == "pay" && key == "draft"), "{error}");
    })
    .await;
    assert!(matches!(graph.run(Board::update()).await, Err(Error::DuplicateKey { .. })));
}

#[tokio::test]
async fn c58_steps_of_a_loop_do_not_mix() {
    let graph = Graph::<Board>::new("loop")
        .node("pay", |board: Arc<Board>, context: Context| async move {
            let round = context.step("draft", "same", async || Ok::<_, NodeError>(board.log.len())).await?;
            Written::Ok(log(round.to_string()))
        })
        .edge(START, "pay")
        .route("pay", ["pay", END], |board: &Board| [if board.log.len() < 3 { "pay" } else { END }])
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let thread = graph.thread(store, "t");
        assert_eq!(done(thread.start(Board::update()).await).await.log, ["0", "1", "2"]);
        assert_eq!(done(thread.start(Board::update()).await).await.log, ["0", "1", "2", "3"]);
    })
    .await;
}

#[tokio::test]
async fn c58_a_retry_reuses_the_finished_steps_of_the_failed_attempt() {
    let policy = RetryPolicy { initial_interval: Duration::ZERO, ..RetryPolicy::default() };
    let build = |paid: &Counter| {
        let paid = paid.clone();
        Graph::<Board>::new("retry")
            .node("pay", move |_: Arc<Board>, context: Context| {
                let paid = paid.clone();
                async move {
                    let call = context.step("first", "a", async || Ok::<_, NodeError>(paid.call())).await?;
                    let attempt = context.attempt();
                    let step = context.step("second", "b", async || {
                        if attempt < 3 { Err(NodeError::retryable("busy")) } else { Ok(paid.call()) }
                    });
                    Written::Ok(log(format!("{call} {}", step.await?)))
                }
            })
            .retry("pay", policy.clone())
            .edge(START, "pay")
            .edge("pay", END)
            .compile()
            .unwrap()
    };
    on_every_store(async |store| {
        let paid = Counter::default();
        assert_eq!(done(build(&paid).thread(store, "t").start(Board::update()).await).await.log, ["0 1"]);
    })
    .await;
    assert_eq!(build(&Counter::default()).run(Board::update()).await.unwrap().log, ["0 1"], "also without a store");
}

#[tokio::test]
async fn a_step_returns_what_a_later_reader_would_get() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Draft {
        text: String,
        #[serde(skip)]
        lost: u32,
    }
    let graph = Graph::<Board>::new("skip")
        .node("pay", |_: Arc<Board>, context: Context| async move {
            let draft = context
                .step("draft", "a", async || Ok::<_, NodeError>(Draft { text: "t".to_owned(), lost: 7 }))
                .await?;
            Written::Ok(log(format!("{} {}", draft.text, draft.lost)))
        })
        .edge(START, "pay")
        .edge("pay", END)
        .compile()
        .unwrap();
    let thread = graph.thread(Arc::new(MemoryStore::new()), "t");
    assert_eq!(done(thread.start(Board::update()).await).await.log, ["t 0"]);
}

#[tokio::test]
async fn a_joined_write_is_stored_with_its_task_or_not_at_all() {
    let graph = |fails: bool| {
        Graph::<Board>::new("joined")
            .node("write", move |_: Arc<Board>, context: Context| async move {
                let chapter = format!("chapter by {}", context.thread_id());
                context.commit_with(SqliteStore::joined(move |tx| {
                    tx.execute("INSERT INTO chapter(text) VALUES (?1)", [&chapter])?;
                    if fails { tx.execute("INSERT INTO nowhere VALUES (1)", []).map(|_| ()) } else { Ok(()) }
                }));
                Written::Ok(log("written"))
            })
            .node("sibling", |_: Arc<Board>, context: Context| async move {
                if context.thread_id() == "sibling fails" {
                    Err(NodeError::fatal("no"))
                } else {
                    Written::Ok(log("sibling"))
                }
            })
            .edge(START, "write")
            .edge(START, "sibling")
            .edge("write", END)
            .edge("sibling", END)
            .compile()
            .unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let (database, store) = sqlite(&folder.path().join("graph.db")).await;
    let create = |tx: &rusqlite::Connection| Ok::<_, Error>(tx.execute_batch("CREATE TABLE chapter(text TEXT)")?);
    database.write(create).await.unwrap();
    let store = Arc::new(store);
    let chapters = async || {
        let select = |connection: &rusqlite::Connection| {
            let mut select = connection.prepare("SELECT text FROM chapter")?;
            let rows = select.query_map([], |row| row.get::<_, String>(0))?;
            Ok::<_, Error>(rows.collect::<Result<Vec<_>, _>>()?)
        };
        database.read(select).await.unwrap()
    };

    done(graph(false).thread(store.clone(), "good").start(Board::update()).await).await;
    assert_eq!(chapters().await, ["chapter by good"]);

    let broken = graph(true).thread(store.clone(), "broken");
    assert!(matches!(failed(broken.start(Board::update()).await).await, Error::Store(_)));
    assert_eq!(chapters().await.len(), 1);
    assert_eq!(broken.snapshot().await.unwrap().unwrap().superstep, -1);

    let beside = graph(false).thread(store, "sibling fails");
    assert!(matches!(failed(beside.start(Board::update()).await).await, Error::Node { .. }));
    assert!(matches!(failed(beside.resume().await).await, Error::Node { .. }));
    assert_eq!(chapters().await, ["chapter by good", "chapter by sibling fails"], "once, with the kept result");

    let memory = graph(false).thread(Arc::new(MemoryStore::new()), "memory");
    let refused = failed(memory.start(Board::update()).await).await;
    assert!(matches!(&refused, Error::CannotJoin { node } if node == "write"), "{refused}");
    assert!(matches!(graph(false).run(Board::update()).await, Err(Error::CannotJoin { .. })));
}

#[tokio::test]
async fn nodes_see_the_threads_clock() {
    #[derive(Debug)]
    struct Fixed(Mutex<i64>);
    impl qingyu_graph::RunClock for Fixed {
        fn now(&self) -> jiff::Timestamp {
            jiff::Timestamp::from_second(*self.0.lock().unwrap()).unwrap()
        }
    }
    let graph = Graph::<Board>::new("clock")
        .node("now", |_: Arc<Board>, context: Context| async move { Written::Ok(log(context.now().to_string())) })
        .edge(START, "now")
        .edge("now", END)
        .compile()
        .unwrap();
    let thread = graph.thread(Arc::new(MemoryStore::new()), "t").clock(Arc::new(Fixed(Mutex::new(1))));
    assert_eq!(done(thread.start(Board::update()).await).await.log, ["1970-01-01T00:00:01Z"]);
}
