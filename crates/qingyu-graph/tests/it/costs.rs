//! Costs that must stay flat.

use std::sync::Arc;

use qingyu_graph::store::CheckpointJournal;
use qingyu_graph::{CompiledGraph, Context, END, Graph, NodeError, START, Store};

use crate::board::{Board, BoardUpdate, done, log, on_every_store, sqlite};
use crate::extent::cases;

const MESSAGE: usize = 600;

/// Appends a message in every superstep until there are `x`. No two are alike, so that a server cannot squeeze them.
fn appending() -> CompiledGraph<Board> {
    Graph::<Board>::new("append")
        .node("append", |_: Arc<Board>, _: Context| async {
            let message = std::iter::repeat_with(|| uuid::Uuid::new_v4().simple().to_string());
            let mut message: String = message.take(MESSAGE / 32 + 1).collect();
            message.truncate(MESSAGE);
            Result::<BoardUpdate, NodeError>::Ok(log(message))
        })
        .edge(START, "append")
        .route("append", ["append", END], |board: &Board| {
            [if i64::try_from(board.log.len()).unwrap() < board.x { "append" } else { END }]
        })
        .compile()
        .unwrap()
}

fn size(journal: &CheckpointJournal) -> usize {
    journal.checkpoints.iter().chain(&journal.pending).map(|record| record.body.len()).sum()
}

/// How many messages the threads have; every build runs the first two.
const LENGTHS: [i64; 4] = [250, 500, 1000, 2000];

/// Checks what is stored for each byte of message, in threads of several lengths. `stored` tells how many bytes the
/// store takes on the disk.
async fn grows_linearly(store: Arc<dyn Store>, stored: impl AsyncFn() -> i64) {
    let mut factors = Vec::new();
    let before = stored().await;
    let mut written = 0;
    for &messages in &LENGTHS[..cases(2, LENGTHS.len())] {
        let thread = appending().thread(Arc::clone(&store), format!("{messages} messages")).recursion_limit(5000);
        assert_eq!(done(thread.start(Board::update().x(messages)).await).await.log.len() as i64, messages);
        // A table grows by several pages at once, so everything stored so far is measured.
        written += messages;
        factors.push((stored().await - before) as f64 / (written as f64 * MESSAGE as f64));
    }
    assert!(factors.iter().all(|factor| *factor <= 3.0), "bytes stored per byte of message: {factors:?}");
    assert!(factors[factors.len() - 1] < factors[0] * 1.5, "bytes stored per byte of message: {factors:?}");
}

#[tokio::test]
async fn c60_stored_bytes_grow_linearly() {
    let folder = tempfile::tempdir().unwrap();
    let (database, store) = sqlite(&folder.path().join("graph.db")).await;
    // The pages of the journal and of its indexes.
    let pages = |connection: &rusqlite::Connection| {
        let sql = "SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%graph_record%'";
        Ok::<i64, qingyu_graph::Error>(connection.query_row(sql, [], |row| row.get(0))?)
    };
    grows_linearly(Arc::new(store), async || database.read(pages).await.unwrap()).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn c60_stored_bytes_grow_linearly_on_a_server() {
    let Some(schema) = qingyu_graph::testing::TestSchema::new().await else { return };
    let client = schema.postgres().await.client().await.unwrap();
    // The table of the journal, what it keeps apart for long values, and its indexes.
    let sql = "SELECT pg_total_relation_size('graph_record')";
    let store = Arc::new(schema.store().await);
    grows_linearly(store, async || client.query_one(sql, &[]).await.unwrap().get(0)).await;
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
        let rounds = cases(200, 1000);
        done(thread.start(Board::update().x(rounds)).await).await;
        let journal = store.newest(thread.id(), "").await.unwrap().unwrap();
        assert!(i64::try_from(journal.head).unwrap() > rounds);
        assert!(size(&journal) < 20 * MESSAGE, "{} bytes were read", size(&journal));
    })
    .await;
}
