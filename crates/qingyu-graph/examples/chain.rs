//! Shows the smallest graph: two nodes in sequence, run in memory, with the drawing and the events.
//!
//! `cargo run -p qingyu-graph --example chain`

use std::sync::Arc;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Error, Graph, NodeError, START, State};

#[derive(Debug, Clone, Default, State)]
struct Story {
    idea: String,
    #[channel(append)]
    lines: Vec<String>,
}

async fn outline(story: Arc<Story>, _: Context) -> Result<StoryUpdate, NodeError> {
    Ok(Story::update().lines(vec![format!("1. {} begins", story.idea)]))
}

async fn twist(story: Arc<Story>, _: Context) -> Result<StoryUpdate, NodeError> {
    Ok(Story::update().lines(vec![format!("2. {} was something else all along", story.idea)]))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = Graph::<Story>::new("story")
        .node("outline", outline)
        .node("twist", twist)
        .edge(START, "outline")
        .edge("outline", "twist")
        .edge("twist", END)
        .compile()?;
    println!("{}", graph.mermaid());

    let thread = graph.thread(Arc::new(MemoryStore::new()), "story-1");
    let mut run = thread.start(Story::update().idea("the lighthouse".to_owned())).await?;
    while let Some(event) = run.next().await {
        println!("superstep {:>2}  {:<8} {:?}", event.superstep, event.node.unwrap_or_default(), event.kind);
    }
    println!("{}", run.finish().await?.into_state().lines.join(" / "));
    Ok(())
}
