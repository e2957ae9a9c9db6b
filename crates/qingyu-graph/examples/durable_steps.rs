//! Shows that a stored step is not paid for again: the first run fails half-way, the second goes on from there, with
//! everything in a SQLite file. Run it, or kill it and run it again with the same file.
//!
//! `cargo run -p qingyu-graph --example durable_steps -- [file]`

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use qingyu_db::{Database, Settings};
use qingyu_graph::store::SqliteStore;
use qingyu_graph::{Context, END, Error, EventKind, Graph, NodeError, Run, START, State};

#[derive(Debug, Clone, Default, State)]
struct Book {
    #[channel(append)]
    chapters: Vec<String>,
}

async fn show(mut run: Run<Book>) {
    while let Some(event) = run.next().await {
        match event.kind {
            EventKind::StepStarted { key } => println!("  pays for {key}"),
            EventKind::StepReused { key } => println!("  has {key} already"),
            _ => {}
        }
    }
    match run.finish().await {
        Ok(outcome) => println!("{:?}", outcome.into_state().chapters),
        Err(error) => println!("stopped: {error}"),
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let file = std::env::args_os()
        .nth(1)
        .map_or_else(|| std::env::temp_dir().join(format!("durable-steps-{}.db", std::process::id())), PathBuf::from);
    let store = Arc::new(SqliteStore::open(Database::open(&file, Settings::default()).await?).await?);
    let weather = Arc::new(AtomicBool::new(false));
    let sunny = Arc::clone(&weather);

    let write = move |_: Arc<Book>, context: Context| {
        let sunny = sunny.load(Ordering::SeqCst);
        async move {
            let mut chapters = Vec::new();
            for number in 1..=3 {
                let key = format!("chapter {number}");
                let chapter = context.step(&key, &number, async || {
                    if number == 3 && !sunny {
                        return Err(NodeError::fatal("the line is down"));
                    }
                    Ok(format!("the text of chapter {number}"))
                });
                chapters.push(chapter.await?);
            }
            Ok::<_, NodeError>(Book::update().chapters(chapters))
        }
    };
    let graph = Graph::<Book>::new("book").node("write", write).edge(START, "write").edge("write", END).compile()?;
    let thread = graph.thread(store, "book-1");

    println!("{}", file.display());
    println!("first run");
    let run =
        if thread.snapshot().await?.is_none() { thread.start(Book::update()).await? } else { thread.resume().await? };
    show(run).await;
    weather.store(true, Ordering::SeqCst);
    println!("second run");
    show(thread.resume().await?).await;
    Ok(())
}
