//! The graphs that are measured; the programs in `peers/` and `langgraph/` have the same.

use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, START, State};
use serde_json::{Value, json};

/// The nodes of a chain.
pub const NODES: u32 = 10;
/// The supersteps of a loop.
pub const TURNS: u64 = 1000;

/// About 80 bytes as JSON.
#[derive(Debug, Clone, Default, State)]
pub struct Small {
    pub n: u64,
    title: String,
    meta: Value,
}

pub fn small() -> SmallUpdate {
    Small::update().title("chapter 1".to_owned()).meta(json!({"genre": "wuxia", "words": 3000}))
}

/// Ten nodes in a line; each counts one further.
pub fn chain() -> Result<CompiledGraph<Small>, Error> {
    let names: Vec<_> = (0..NODES).map(|index| format!("n{index}")).collect();
    let mut graph = Graph::<Small>::new("chain").edge(names.last().map_or(START, String::as_str), END);
    let mut before = START;
    for name in &names {
        graph = graph.node(name, count).edge(before, name);
        before = name;
    }
    graph.compile()
}

/// One node that runs until it has counted to `TURNS`.
pub fn looped() -> Result<CompiledGraph<Small>, Error> {
    Graph::<Small>::new("loop")
        .node("count", count)
        .edge(START, "count")
        .route("count", ["count", END], |small: &Small| [if small.n < TURNS { "count" } else { END }])
        .compile()
}

async fn count(small: Arc<Small>, _: Context) -> Result<SmallUpdate, NodeError> {
    Ok(Small::update().n(small.n + 1))
}
