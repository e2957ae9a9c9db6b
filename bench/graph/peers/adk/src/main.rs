//! The chain, the loop and the fan-out of `bench/graph`, on adk-graph.
//!
//! It cannot send, so its fan-out is a graph of a thousand nodes.
//!
//! `chain | loop | fanout`: prints the least CPU and wall time of a run (of a turn of the loop), in microseconds, as JSON.

use std::error::Error;
use std::time::{Duration, Instant};

use adk_graph::edge::{END, START};
use adk_graph::error::GraphError;
use adk_graph::graph::{CompiledGraph, StateGraph};
use adk_graph::node::{ExecutionConfig, NodeContext, NodeOutput};
use adk_graph::state::{State, StateSchema};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

const NODES: i64 = 10;
const TURNS: i64 = 1000;
const TASKS: i64 = 1000;

fn small() -> State {
    State::from_iter([
        ("n".to_owned(), json!(0)),
        ("title".to_owned(), json!("chapter 1")),
        ("meta".to_owned(), json!({"genre": "wuxia", "words": 3000})),
    ])
}

async fn count(context: NodeContext) -> Result<NodeOutput, GraphError> {
    let n = context.get("n").and_then(Value::as_i64).unwrap_or_default();
    Ok(NodeOutput::new().with_update("n", json!(n + 1)))
}

fn chain() -> Result<CompiledGraph, GraphError> {
    let mut graph = StateGraph::with_channels(&["n", "title", "meta"]);
    for index in 0..NODES {
        graph = graph.add_node_fn(&format!("n{index}"), count);
    }
    graph = graph.add_edge(START, "n0");
    for index in 1..NODES {
        graph = graph.add_edge(&format!("n{}", index - 1), &format!("n{index}"));
    }
    graph.add_edge(&format!("n{}", NODES - 1), END).compile()
}

fn looped() -> Result<CompiledGraph, GraphError> {
    let again = |state: &State| if state["n"].as_i64() < Some(TURNS) { "again".to_owned() } else { "done".to_owned() };
    StateGraph::with_channels(&["n", "title", "meta"])
        .add_node_fn("count", count)
        .add_edge(START, "count")
        .add_conditional_edges("count", again, [("again", "count"), ("done", END)])
        .compile()
}

fn fan() -> Result<CompiledGraph, GraphError> {
    let schema = StateSchema::builder().list_channel("doubled").channel("total").build();
    let mut graph = StateGraph::new(schema)
        .add_node_fn("spread", |_| async { Ok(NodeOutput::new()) })
        .add_node_fn("add", |context| async move {
            let doubled = context.get("doubled").and_then(Value::as_array).into_iter().flatten();
            let total: i64 = doubled.filter_map(Value::as_i64).sum();
            Ok(NodeOutput::new().with_update("total", json!(total)))
        })
        .add_edge(START, "spread");
    for number in 0..TASKS {
        let name = format!("double{number:04}");
        graph = graph
            .add_node_fn(
                &name,
                move |_| async move { Ok(NodeOutput::new().with_update("doubled", json!([number * 2]))) },
            )
            .add_edge("spread", &name)
            .add_edge(&name, "add");
    }
    graph.add_edge("add", END).compile()
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The least of `readings` readings of `together` runs each, divided by the `parts` of a reading; every run must leave
/// `end` in `channel`.
async fn least(
    graph: CompiledGraph,
    (readings, together, parts): (usize, u32, u32),
    input: State,
    (channel, end): (&str, i64),
) -> Result<Value, GraphError> {
    let graph = graph.with_recursion_limit(2 * TURNS as usize);
    let (mut least_cpu, mut least_wall, mut number) = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..readings {
        let (began, cpu) = (Instant::now(), cpu_time());
        for _ in 0..together {
            number += 1;
            let config = ExecutionConfig::new(&format!("t{number}")).with_recursion_limit(2 * TURNS as usize);
            let state = graph.invoke(input.clone(), config).await?;
            assert_eq!(state[channel], json!(end), "the graph must have done its work");
        }
        least_cpu = least_cpu.min((cpu_time() - cpu) / parts);
        least_wall = least_wall.min(began.elapsed() / parts);
    }
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
    Ok(json!({"cpu_us": microseconds(least_cpu), "wall_us": microseconds(least_wall)}))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let line = match std::env::args().nth(1).as_deref() {
        Some("chain") => least(chain()?, (80, 100, 100), small(), ("n", NODES)).await?,
        Some("loop") => least(looped()?, (20, 1, TURNS as u32), small(), ("n", TURNS)).await?,
        Some("fanout") => least(fan()?, (5, 1, 1), State::new(), ("total", TASKS * (TASKS - 1))).await?,
        _ => return Err("one of: chain | loop | fanout".into()),
    };
    println!("{line}");
    Ok(())
}
