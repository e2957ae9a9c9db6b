//! Costs that must stay flat.

use std::sync::Arc;

use qingyu_graph::store::Journal;
use qingyu_graph::{CompiledGraph, Context, END, Graph, NodeError, START, Store};

use crate::board::{Board, BoardUpdate, done, log, on_every_store, sqlite};

const MESSAGE: usize = 500;

/// Appends a message in every superstep until there are `x`.
fn appending() -> CompiledGraph<Board> {
    Graph::<Board>::new("append")
        .node("append", |_: Arc<Board>, _: Context| async {
            Result::<BoardUpdate, NodeError>::Ok(log("m".repeat(MESSAGE)))
        })
        .edge(START, "append")
        .route("append", ["append", END], |board: &Board| {
            [if i64::try_from(board.log.len()).unwrap() < board.x { "append" } else { END }]
        })
        .compile()
        .unwrap()
}

fn size(journal: &Journal) -> usize {
    journal.checkpoints.iter().chain(&journal.pending).map(|record| record.body.len()).sum()
}

#[tokio::test]
async fn c60_stored_bytes_grow_linearly() {
    let folder = tempfile::tempdir().unwrap();
    let (database, store) = sqlite(&folder.path().join("graph.db")).await;
    let store: Arc<dyn Store> = Arc::new(store);
    let mut factors = Vec::new();
    for messages in [250_i64, 500, 1000, 2000] {
        let id = messages.to_string();
        let thread = appending().thread(store.clone(), id.as_str()).recursion_limit(5000);
        assert_eq!(done(thread.start(Board::update().x(messages)).await).await.log.len() as i64, messages);
        let total = move |connection: &rusqlite::Connection| {
            let sql = "SELECT sum(length(body)) FROM graph_record WHERE thread = (SELECT number FROM graph_thread WHERE id = ?1)";
            Ok::<i64, qingyu_graph::Error>(connection.query_row(sql, [&id], |row| row.get(0))?)
        };
        let bytes = database.read(total).await.unwrap();
        factors.push(bytes as f64 / (messages as f64 * MESSAGE as f64));
    }
    assert!(factors.iter().all(|factor| *factor < 4.0), "bytes stored per byte of message: {factors:?}");
    assert!(factors[3] < factors[0] * 1.5, "bytes stored per byte of message: {factors:?}");
}

#[tokio::test]
async fn c61_the_newest_state_is_read_without_the_history() {
    on_every_store(async |store| {
        // The state stays small while the history grows: every message replaces the last.
        let graph = Graph::<Board>::new("replace")
            .node("replace", |board: Arc<Board>, _: Context| async move {
                let update = Board::update().overwrite_log(vec!["m".repeat(MESSAGE)]);
                Result::<BoardUpdate, NodeError>::Ok(update.x(board.x - 1))
            })
            .edge(START, "replace")
            .route("replace", ["replace", END], |board: &Board| [if board.x > 0 { "replace" } else { END }])
            .compile()
            .unwrap();
        let thread = graph.thread(store.clone(), "t").recursion_limit(5000);
        done(thread.start(Board::update().x(1000)).await).await;
        let journal = store.newest(thread.id(), "").await.unwrap().unwrap();
        assert!(journal.head > 1000);
        assert!(size(&journal) < 20 * MESSAGE, "{} bytes were read", size(&journal));
    })
    .await;
}
