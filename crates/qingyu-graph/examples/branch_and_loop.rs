//! Shows a loop and a branch: a node removes duplicate words one by one, then a short text is ready and a long text is
//! cut.
//!
//! `cargo run -p qingyu-graph --example branch_and_loop`

use std::sync::Arc;

use qingyu_graph::{Context, END, Error, Graph, NodeError, START, State};

#[derive(Debug, Clone, Default, State)]
struct Text {
    words: Vec<String>,
    rounds: u32,
}

/// Returns the index of a duplicate word.
fn doubled(text: &Text) -> Option<usize> {
    text.words.windows(2).position(|pair| pair[0] == pair[1])
}

async fn proofread(text: Arc<Text>, _: Context) -> Result<TextUpdate, NodeError> {
    let mut words = text.words.clone();
    doubled(&text).map(|place| words.remove(place));
    Ok(Text::update().words(words).rounds(text.rounds + 1))
}

async fn cut(text: Arc<Text>, _: Context) -> Result<TextUpdate, NodeError> {
    Ok(Text::update().words([&text.words[..6], &["...".to_owned()]].concat()))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = Graph::<Text>::new("proofs")
        .node("proofread", proofread)
        .node("cut", cut)
        .edge(START, "proofread")
        .route("proofread", ["proofread", "cut", END], |text: &Text| match doubled(text) {
            Some(_) => ["proofread"],
            None if text.words.len() > 6 => ["cut"],
            None => [END],
        })
        .edge("cut", END)
        .compile()?;
    for text in ["the the lamp was was out", "it rained and and nobody nobody nobody came to the door"] {
        let words = text.split(' ').map(str::to_owned).collect();
        let text = graph.run(Text::update().words(words)).await?;
        println!("after {} rounds: {}", text.rounds, text.words.join(" "));
    }
    Ok(())
}
