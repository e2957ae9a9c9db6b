//! Shows a map-reduce: one node runs once for every chapter, at most two at a time, and the counts are returned in the
//! order of the chapters.
//!
//! `cargo run -p qingyu-graph --example map_reduce`

use std::num::NonZeroUsize;
use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, Goto, Graph, NodeError, START, State};

#[derive(Debug, Clone, Default, State)]
struct Book {
    chapters: Vec<String>,
    #[channel(append)]
    counts: Vec<usize>,
    longest: Option<usize>,
}

/// Reads the chapter whose number is the payload; the book is shared, not copied.
async fn read(book: Arc<Book>, context: Context) -> Result<BookUpdate, NodeError> {
    let chapter: usize = context.payload()?;
    Ok(Book::update().counts(vec![book.chapters[chapter].chars().count()]))
}

async fn compare(book: Arc<Book>, _: Context) -> Result<BookUpdate, NodeError> {
    Ok(Book::update().longest((0..book.counts.len()).max_by_key(|&chapter| book.counts[chapter])))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = Graph::<Book>::new("book")
        .node("read", read)
        .node("compare", compare)
        .route(START, ["read"], |book: &Book| {
            (0..book.chapters.len()).map(|chapter| Goto::send("read", chapter)).collect::<Vec<_>>()
        })
        .edge("read", "compare")
        .edge("compare", END)
        .compile()?;
    let thread = graph.thread(Arc::new(MemoryStore::new()), "book-1");
    let two = NonZeroUsize::new(2).expect("two is not zero");
    let chapters = ["The rain began.", "Nobody came, and the lamp burned down.", "雨停了。"].map(str::to_owned);
    let run = thread.max_concurrency(two).start(Book::update().chapters(chapters.to_vec())).await?;
    let book = run.finish().await?.into_state();
    println!("characters: {:?}; the longest chapter is {:?}", book.counts, book.longest);
    Ok(())
}
