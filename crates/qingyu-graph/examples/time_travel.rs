//! Shows the history of a thread: a story with a bad ending is reverted to the checkpoint before the ending, changed by
//! hand and told again, while the old ending stays readable.
//!
//! `cargo run -p qingyu-graph --example time_travel`

use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, Graph, NodeError, Page, START, State, Thread};

#[derive(Debug, Clone, Default, State)]
struct Tale {
    weather: String,
    #[channel(append)]
    lines: Vec<String>,
}

async fn begin(tale: Arc<Tale>, _: Context) -> Result<TaleUpdate, NodeError> {
    Ok(Tale::update().lines(vec![format!("They set out in the {}.", tale.weather)]))
}

async fn end(tale: Arc<Tale>, _: Context) -> Result<TaleUpdate, NodeError> {
    let line = if tale.weather == "rain" { "The bridge was gone." } else { "They came home." };
    Ok(Tale::update().lines(vec![line.to_owned()]))
}

async fn show(thread: &Thread<Tale>) -> Result<(), Error> {
    for past in thread.history(Page::default()).await? {
        println!(
            "  {} on branch {}, {:?}, next {:?}: {:?}",
            past.id, past.branch, past.source, past.next, past.state.lines
        );
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = Graph::<Tale>::new("tale")
        .node("begin", begin)
        .node("end", end)
        .edge(START, "begin")
        .edge("begin", "end")
        .edge("end", END)
        .compile()?;
    let thread = graph.thread(Arc::new(MemoryStore::new()), "tale-1");
    thread.start(Tale::update().weather("rain".to_owned())).await?.finish().await?;
    println!("told once, newest first:");
    show(&thread).await?;

    let history = thread.history(Page::default()).await?;
    let turn = history.iter().find(|past| past.next == ["end"]).expect("the story came to its end");
    thread.at(turn.id).update_state(Tale::update().weather("sun".to_owned()), None).await?;
    thread.resume().await?.finish().await?;
    println!("told again from checkpoint {}, with better weather:", turn.id);
    show(&thread).await
}
