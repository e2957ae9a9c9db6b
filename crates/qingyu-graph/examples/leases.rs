//! Shows that a thread has one writer: while a run works on the thread, a second run is refused with the name of the
//! lease holder; when the first run has released the lease, the second continues from the last checkpoint.
//!
//! `cargo run -p qingyu-graph --example leases`

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, Graph, NodeError, START, State};
use tokio::sync::Notify;

/// Wakes the first writer, which works until then.
static BELL: Notify = Notify::const_new();

#[derive(Debug, Clone, Default, State)]
struct Chapter {
    #[channel(append)]
    lines: Vec<String>,
}

async fn open(_: Arc<Chapter>, _: Context) -> Result<ChapterUpdate, NodeError> {
    BELL.notified().await;
    Ok(Chapter::update().lines(vec!["It rained.".to_owned()]))
}

async fn close(_: Arc<Chapter>, _: Context) -> Result<ChapterUpdate, NodeError> {
    Ok(Chapter::update().lines(vec!["It stopped.".to_owned()]))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = Graph::<Chapter>::new("chapter")
        .node("open", open)
        .node("close", close)
        .edge(START, "open")
        .edge("open", "close")
        .edge("close", END)
        .pause_before("close")
        .compile()?;
    let store = Arc::new(MemoryStore::new());
    // The lease is renewed while the run works; after a crash the thread is free again when the lease has expired.
    let thread = graph.thread(store.clone(), "chapter-1").lease(Duration::from_secs(8));

    let run = thread.start(Chapter::update()).await?;
    match graph.thread(store.clone(), "chapter-1").resume().await {
        Err(Error::ThreadBusy { thread, .. }) => println!("{thread} has a writer"),
        other => println!("{:?}", other.map(|_| "a second writer")),
    }
    BELL.notify_one();
    run.finish().await?;

    let chapter = graph.thread(store, "chapter-1").resume().await?.finish().await?.into_state();
    println!("{}", chapter.lines.join(" "));
    Ok(())
}
