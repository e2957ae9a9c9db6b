//! What the tests share: a state with every kind of channel, both stores, and counters.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use qingyu_db::{Durability, Settings, Sqlite};
use qingyu_graph::store::{MemoryStore, SqliteStore};
use qingyu_graph::{
    CompiledGraph, Context, END, Error, EventKind, Graph, GraphRun, Memory, NodeError, Outcome, START, State, Store,
};
use serde_json::json;
use tokio::sync::Semaphore;

#[derive(Debug, Clone, Default, PartialEq, State)]
pub(crate) struct Board {
    pub(crate) x: i64,
    pub(crate) y: Option<i64>,
    #[channel(append)]
    pub(crate) log: Vec<String>,
    #[channel(merge)]
    pub(crate) notes: BTreeMap<String, String>,
    #[channel(reduce = add)]
    pub(crate) total: u64,
    #[channel(untracked)]
    pub(crate) scratch: Option<String>,
    /// Cannot be written as JSON once it has an entry: its keys are not texts.
    pub(crate) odd: BTreeMap<(u8, u8), u8>,
}

fn add(old: u64, new: u64) -> u64 {
    old + new
}

/// An update that logs one line.
pub(crate) fn log(line: impl Into<String>) -> BoardUpdate {
    Board::update().log(vec![line.into()])
}

/// Runs `test` on an empty store of each kind.
pub(crate) async fn on_every_store(test: impl AsyncFn(Arc<dyn Store>)) {
    test(Arc::new(MemoryStore::new())).await;
    let folder = tempfile::tempdir().unwrap();
    test(Arc::new(sqlite(&folder.path().join("graph.db")).await.1)).await;
    #[cfg(feature = "postgres")]
    if let Some(schema) = qingyu_graph::testing::TestSchema::new().await {
        test(Arc::new(schema.store().await)).await;
    }
}

pub(crate) async fn sqlite(path: &std::path::Path) -> (Sqlite, SqliteStore) {
    let settings = Settings { durability: Durability::Normal, ..Settings::default() };
    let database = Sqlite::open(path, settings).await.unwrap();
    let store = SqliteStore::open(database.clone()).await.unwrap();
    (database, store)
}

/// Waits for a run that must end.
pub(crate) async fn done(run: Result<GraphRun<Board>, Error>) -> Board {
    match run.unwrap().finish().await.unwrap() {
        Outcome::Done(board) => board,
        other => panic!("it did not end: {other:?}"),
    }
}

/// Waits for a run that must ask; returns its questions' ids.
pub(crate) async fn waiting(run: Result<GraphRun<Board>, Error>) -> Vec<String> {
    match run.unwrap().finish().await.unwrap() {
        Outcome::Waiting { questions, .. } => questions.into_iter().map(|question| question.id).collect(),
        other => panic!("it did not ask: {other:?}"),
    }
}

/// Waits for a run that must fail.
pub(crate) async fn failed(run: Result<GraphRun<Board>, Error>) -> Error {
    run.unwrap().finish().await.unwrap_err()
}

/// Counts calls; its clones count together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counter(Arc<AtomicUsize>);

impl Counter {
    /// Counts one more and returns how many it were before.
    pub(crate) fn call(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst)
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// One node that says when it has begun and waits at `gate`.
pub(crate) fn gated(gate: &Arc<Semaphore>) -> CompiledGraph<Board> {
    let gate = Arc::clone(gate);
    Graph::<Board>::new("gated")
        .node("wait", move |_: Arc<Board>, context: Context| {
            let gate = Arc::clone(&gate);
            async move {
                context.emit(json!("begun"));
                gate.acquire().await?.forget();
                Ok::<_, NodeError>(log("passed"))
            }
        })
        .edge(START, "wait")
        .edge("wait", END)
        .compile()
        .unwrap()
}

/// Waits until the node of [`gated`] has begun.
pub(crate) async fn begun(run: &mut GraphRun<Board>) {
    while run.next().await.is_some_and(|event| !matches!(event.kind, EventKind::Custom(_))) {}
}

/// One node that asks and logs the answer.
pub(crate) fn asking() -> CompiledGraph<Board> {
    Graph::<Board>::new("asking")
        .node("ask", |_: Arc<Board>, context: Context| async move {
            let answer: String = context.ask("q", "?").await?;
            Ok::<_, NodeError>(log(answer))
        })
        .edge(START, "ask")
        .edge("ask", END)
        .compile()
        .unwrap()
}

/// One node that logs how long its own log was.
pub(crate) fn remembers(memory: Memory) -> CompiledGraph<Board> {
    Graph::<Board>::new("remembers")
        .node("remembers", |board: Arc<Board>, _: Context| async move {
            Ok::<_, NodeError>(log(board.log.len().to_string()).notes(board.notes.clone()))
        })
        .edge(START, "remembers")
        .edge("remembers", END)
        .compile()
        .unwrap()
        .memory(memory)
}
