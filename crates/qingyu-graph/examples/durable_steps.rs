//! Shows that a stored step is not paid for again: the first run fails half-way, the second resumes from the stored
//! steps, with everything in a SQLite file. Run the example, or kill the process and run the example again with the
//! same file.
//!
//! `cargo run -p qingyu-graph --example durable_steps -- [file]`

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use qingyu_db::{Settings, Sqlite};
use qingyu_graph::store::SqliteStore;
use qingyu_graph::{Context, Error, Graph, NodeError, State};

#[derive(Debug, Clone, Default, State)]
struct Book {
    #[channel(append)]
    chapters: Vec<String>,
}

static LINE_IS_UP: AtomicBool = AtomicBool::new(false);

async fn write(_: Arc<Book>, context: Context) -> Result<BookUpdate, NodeError> {
    let mut chapters = Vec::new();
    for number in 1..=3 {
        let key = format!("chapter {number}");
        let chapter = context.step(&key, &number, async || {
            println!("  pays for {key}");
            if number == 3 && !LINE_IS_UP.load(Ordering::SeqCst) {
                return Err(NodeError::fatal("the line is down"));
            }
            Ok(format!("text {number}"))
        });
        chapters.push(chapter.await?);
    }
    Ok(Book::update().chapters(chapters))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let temporary = || std::env::temp_dir().join(format!("durable-steps-{}.db", std::process::id()));
    let file = std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from);
    let store = SqliteStore::open(Sqlite::open(&file, Settings::default()).await?).await?;
    let thread = Graph::<Book>::single("write", write).compile()?.thread(Arc::new(store), "book-1");

    println!("first run, in {}", file.display());
    let is_new = thread.snapshot().await?.is_none();
    let run = if is_new { thread.start(Book::update()).await? } else { thread.resume().await? };
    if let Err(error) = run.finish().await {
        println!("  stopped: {error}");
    }
    LINE_IS_UP.store(true, Ordering::SeqCst);
    println!("second run");
    println!("{:?}", thread.resume().await?.finish().await?.into_state().chapters);
    Ok(())
}
