//! Shows a run that waits for a person: a draft is paid for once, rejected, rewritten and approved.
//!
//! `cargo run -p qingyu-graph --example human_in_the_loop`

use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, Graph, GraphRun, NodeError, Outcome, START, State};

#[derive(Debug, Clone, Default, State)]
struct Letter {
    wishes: String,
    text: String,
    approved: bool,
}

async fn write(letter: Arc<Letter>, context: Context) -> Result<LetterUpdate, NodeError> {
    let text = context.step("text", &letter.wishes, async || {
        println!("  (writing, which costs money)");
        Ok::<_, NodeError>(format!("Dear reader{}", letter.wishes))
    });
    Ok(Letter::update().text(text.await?))
}

async fn review(letter: Arc<Letter>, context: Context) -> Result<LetterUpdate, NodeError> {
    let wish: Option<String> = context.ask("verdict", &letter.text).await?;
    Ok(match wish {
        None => Letter::update().approved(true),
        Some(wish) => Letter::update().wishes(wish),
    })
}

async fn show(run: GraphRun<Letter>) -> Result<(), Error> {
    match run.finish().await? {
        Outcome::Waiting { questions, .. } => println!("waits for an answer to {}", questions[0].payload),
        outcome => println!("approved: {}", outcome.into_state().text),
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = Graph::<Letter>::new("letter")
        .node("write", write)
        .node("review", review)
        .edge(START, "write")
        .edge("write", "review")
        .route("review", ["write", END], |letter: &Letter| [if letter.approved { END } else { "write" }])
        .compile()?;
    let thread = graph.thread(Arc::new(MemoryStore::new()), "letter-1");
    show(thread.start(Letter::update()).await?).await?;
    // A week may pass here; with a durable store the process may even exit.
    println!("answer: warmer, please");
    show(thread.answer(Some(", who came in from the rain")).await?).await?;
    println!("answer: good");
    show(thread.answer(None::<String>).await?).await
}
