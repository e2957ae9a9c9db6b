//! The graph of no-op runs, for measuring the server's overhead. Only with the feature `bench`.

use std::sync::Arc;
use std::time::Duration;

use qingyu_agents::progress::Progress;
use qingyu_graph::{CompiledGraph, Context, END, Graph, NodeError, START, State};
use serde::{Deserialize, Serialize};

/// The number of sequential nodes.
pub(crate) const NODES: u32 = 10;

/// The state shared by the nodes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, State)]
#[serde(default)]
pub(crate) struct NoopState {
    pub(super) n: u32,
    pause_millis: u64,
    #[channel(append)]
    pub(super) log: Vec<u32>,
}

/// Increments the counter and sends an event.
async fn step(place: u32, state: Arc<NoopState>, context: Context) -> Result<NoopStateUpdate, NodeError> {
    if state.pause_millis > 0 {
        tokio::time::sleep(Duration::from_millis(state.pause_millis)).await;
    }
    let (agent, summary) = (context.node().into(), String::new());
    let told = Progress::AgentFinished { agent, summary, pieces: Vec::new(), reasoning: Vec::new() };
    context.emit(serde_json::to_value(told).expect("progress is plain data"));
    Ok(NoopState::update().n(state.n + 1).log(vec![place]))
}

/// Builds the graph of ten sequential nodes.
pub(crate) fn noop_graph() -> Result<CompiledGraph<NoopState>, qingyu_graph::Error> {
    let name = |place: u32| format!("step_{place}");
    let mut graph = Graph::<NoopState>::new("noop").edge(START, name(0)).edge(name(NODES - 1), END);
    for place in 0..NODES {
        graph = graph.node(name(place), move |state, context| step(place, state, context));
        if place > 0 {
            graph = graph.edge(name(place - 1), name(place));
        }
    }
    graph.compile()
}
