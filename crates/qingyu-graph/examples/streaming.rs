//! Shows the events of a running graph: tokens, steps, updates, checkpoints. Then a run is dropped half-way: the node
//! stops, and the thread stays at the last checkpoint.
//!
//! `cargo run -p qingyu-graph --example streaming`

use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, EventKind, Graph, NodeError, START, State};
use serde_json::json;
use tokio::sync::Notify;

#[derive(Debug, Clone, Default, State)]
struct Page {
    idea: String,
    #[channel(append)]
    lines: Vec<String>,
}

async fn research(page: Arc<Page>, context: Context) -> Result<PageUpdate, NodeError> {
    let found = context.step("look up", &page.idea, async || Ok::<_, NodeError>(format!("a book on {}", page.idea)));
    Ok(Page::update().lines(vec![found.await?]))
}

/// Streams words one at a time; without an idea, no word ever comes.
async fn write(page: Arc<Page>, context: Context) -> Result<PageUpdate, NodeError> {
    let _pen = Pen;
    let line = format!("{} fell all night.", page.idea);
    for word in line.split(' ') {
        context.emit(json!(word));
        if word.is_empty() {
            std::future::pending::<()>().await;
        }
    }
    Ok(Page::update().lines(vec![line]))
}

static PEN_IS_DOWN: Notify = Notify::const_new();

/// A guard that signals the end of the node, also when the node was dropped.
struct Pen;

impl Drop for Pen {
    fn drop(&mut self) {
        PEN_IS_DOWN.notify_one();
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = Graph::<Page>::new("page")
        .node("research", research)
        .node("write", write)
        .edge(START, "research")
        .edge("research", "write")
        .edge("write", END)
        .compile()?;
    let store = Arc::new(MemoryStore::new());

    let mut run = graph.thread(store.clone(), "rain").start(Page::update().idea("Rain".to_owned())).await?;
    while let Some(event) = run.next().await {
        let node = event.node.unwrap_or_default();
        match event.kind {
            EventKind::Custom(word) => println!("{node}: {word}"),
            EventKind::StepStarted { key } => println!("{node}: pays for {key:?}"),
            EventKind::Update { values } => println!("{node}: writes {values}"),
            EventKind::Checkpoint { next } => println!("superstep {} is stored, next {next:?}", event.superstep),
            _ => {}
        }
    }
    PEN_IS_DOWN.notified().await;

    let thread = graph.thread(store, "no idea");
    let mut run = thread.start(Page::update()).await?;
    while let Some(event) = run.next().await {
        if matches!(event.kind, EventKind::Custom(_)) {
            break;
        }
    }
    drop(run);
    PEN_IS_DOWN.notified().await;
    let snapshot = thread.snapshot().await?.expect("it was started");
    println!("dropped: superstep {} is stored, next {:?}", snapshot.superstep, snapshot.next);
    Ok(())
}
