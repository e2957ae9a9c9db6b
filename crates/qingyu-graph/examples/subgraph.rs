//! Shows a graph inside a node: chapters are written concurrently, each by a subgraph that asks the author; the answer
//! is routed to the right call, and the history of each chapter can be read.
//!
//! `cargo run -p qingyu-graph --example subgraph`

use std::collections::BTreeMap;
use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, Goto, Graph, NodeError, Outcome, Page, START, State};

#[derive(Debug, Clone, Default, State)]
struct Book {
    titles: Vec<String>,
    #[channel(append)]
    chapters: Vec<String>,
}

#[derive(Debug, Clone, Default, State)]
struct Chapter {
    title: String,
    text: String,
}

async fn draft(chapter: Arc<Chapter>, _: Context) -> Result<ChapterUpdate, NodeError> {
    Ok(Chapter::update().text(format!("{}: it rained", chapter.title)))
}

async fn review(chapter: Arc<Chapter>, context: Context) -> Result<ChapterUpdate, NodeError> {
    let ending: String = context.ask("ending", &chapter.text).await?;
    Ok(Chapter::update().text(format!("{}, {ending}.", chapter.text)))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let chapter = Graph::<Chapter>::new("chapter")
        .node("draft", draft)
        .node("review", review)
        .edge(START, "draft")
        .edge("draft", "review")
        .edge("review", END)
        .compile()?;
    let book = Graph::<Book>::new("book")
        .subgraph(
            "write",
            chapter,
            |_, context| Ok(Chapter::update().title(context.payload()?)),
            |chapter| Book::update().chapters(vec![chapter.text]),
        )
        .route(START, ["write"], |book: &Book| {
            book.titles.iter().map(|title| Goto::send("write", title)).collect::<Vec<_>>()
        })
        .edge("write", END)
        .compile()?;
    println!("{}", book.mermaid());

    let thread = book.thread(Arc::new(MemoryStore::new()), "novel-1");
    let titles = ["dusk", "night"].map(str::to_owned).to_vec();
    let asked = thread.start(Book::update().titles(titles)).await?.finish().await?;
    let Outcome::Waiting { questions, .. } = asked else { return Ok(()) };
    let mut answers = BTreeMap::new();
    for question in questions {
        println!("{} asks about {}", question.path, question.payload);
        answers.insert(question.id, "and nobody came");
    }
    let written = thread.answer_map(answers).await?.finish().await?.into_state();
    println!("{}", written.chapters.join("\n"));

    let before = thread.history(Page::default()).await?[1].id;
    if let Some(first) = thread.at(before).call::<Chapter>("write#0").await? {
        for past in first.history(Page::default()).await?.iter().rev() {
            println!("{} at {:>2}: {:?}", first.path(), past.superstep, past.state.text);
        }
    }
    Ok(())
}
