//! The chain, the loop and the fan-out of `bench/graph`, on juncture.
//!
//! `chain | loop | fanout`: prints the least CPU and wall time of a run (of a turn of the loop), in microseconds, as JSON.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use juncture_core::command::{Command, SendTarget};
use juncture_core::edge::PathMap;
use juncture_core::graph::CompiledGraph;
use juncture_core::node::{NodeFnCommand, NodeFnUpdate};
use juncture_core::{JunctureError, RunnableConfig, StateGraph, TopologyError};
use juncture_derive::State;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const NODES: i64 = 10;
const TURNS: i64 = 1000;
const TASKS: i64 = 1000;

#[derive(Debug, Clone, Default, State, Serialize, Deserialize)]
struct Small {
    n: i64,
    title: String,
    meta: Value,
}

#[derive(Debug, Clone, Default, State, Serialize, Deserialize)]
struct Fan {
    numbers: Vec<i64>,
    #[reducer(append)]
    doubled: Vec<i64>,
    total: i64,
}

fn small() -> Small {
    Small { n: 0, title: "chapter 1".to_owned(), meta: json!({"genre": "wuxia", "words": 3000}) }
}

/// A node that counts one further.
macro_rules! count {
    () => {
        NodeFnUpdate(|small: &Small| {
            let n = small.n;
            async move { Ok(SmallUpdate { n: Some(n + 1), ..Default::default() }) }
        })
    };
}

fn chain() -> Result<CompiledGraph<Small>, TopologyError> {
    let mut graph = StateGraph::<Small>::new();
    for index in 0..NODES {
        graph.add_node_simple(&format!("n{index}"), count!())?;
    }
    graph.set_entry_point("n0");
    for index in 1..NODES {
        graph.add_edge(&format!("n{}", index - 1), &format!("n{index}"));
    }
    graph.set_finish_point(&format!("n{}", NODES - 1));
    graph.compile()
}

fn looped() -> Result<CompiledGraph<Small>, TopologyError> {
    fn again(small: &Small) -> &str {
        if small.n < TURNS { "count" } else { "__end__" }
    }
    let mut graph = StateGraph::<Small>::new();
    graph.add_node_simple("count", count!())?;
    graph.set_entry_point("count");
    graph.add_conditional_edges("count", Arc::new(again), PathMap::from(&[("count", "count"), ("__end__", "__end__")]));
    graph.compile()
}

fn fan() -> Result<CompiledGraph<Fan>, TopologyError> {
    let spread = |fan: &Fan| {
        let send = |number: &i64| SendTarget {
            node: "double".to_owned(),
            state: json!({"numbers": [number], "doubled": [], "total": 0}),
            timeout: None,
        };
        let sends: Vec<_> = fan.numbers.iter().map(send).collect();
        async move { Ok::<_, JunctureError>(Command::send(sends)) }
    };
    let double = |fan: &Fan| {
        let doubled = vec![fan.numbers[0] * 2];
        async move { Ok(FanUpdate { doubled: Some(doubled), ..Default::default() }) }
    };
    let add = |fan: &Fan| {
        let total = fan.doubled.iter().sum();
        async move { Ok(FanUpdate { total: Some(total), ..Default::default() }) }
    };
    let mut graph = StateGraph::<Fan>::new();
    graph.add_node_simple("spread", NodeFnCommand(spread))?;
    graph.add_node_simple("double", NodeFnUpdate(double))?;
    graph.add_node_simple("add", NodeFnUpdate(add))?;
    graph.set_entry_point("spread");
    graph.add_edge("spread", "double");
    graph.add_edge("double", "add");
    graph.set_finish_point("add");
    graph.compile()
}

fn configured(number: usize) -> RunnableConfig {
    let mut config = RunnableConfig::new();
    config.recursion_limit = 2 * TURNS as usize;
    config.thread_id = Some(format!("t{number}"));
    config
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The least of `readings` readings of `together` runs each, divided by the `parts` of a reading.
async fn least(
    readings: usize,
    (together, parts): (u32, u32),
    mut run: impl AsyncFnMut(usize) -> Result<(), JunctureError>,
) -> Result<Value, JunctureError> {
    let (mut least_cpu, mut least_wall, mut number) = (Duration::MAX, Duration::MAX, 0);
    for _ in 0..readings {
        let (began, cpu) = (Instant::now(), cpu_time());
        for _ in 0..together {
            number += 1;
            run(number).await?;
        }
        least_cpu = least_cpu.min((cpu_time() - cpu) / parts);
        least_wall = least_wall.min(began.elapsed() / parts);
    }
    let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
    Ok(json!({"cpu_us": microseconds(least_cpu), "wall_us": microseconds(least_wall)}))
}

async fn count_to(graph: &CompiledGraph<Small>, end: i64, number: usize) -> Result<(), JunctureError> {
    let counted = graph.invoke_async(small(), &configured(number)).await?.value.n;
    assert_eq!(counted, end, "the graph must have done its work");
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let line = match std::env::args().nth(1).as_deref() {
        Some("chain") => {
            let graph = chain()?;
            least(80, (100, 100), async |number| count_to(&graph, NODES, number).await).await?
        }
        Some("loop") => {
            let graph = looped()?;
            least(20, (1, TURNS as u32), async |number| count_to(&graph, TURNS, number).await).await?
        }
        Some("fanout") => {
            let graph = fan()?;
            let run = async |number| {
                let input = Fan { numbers: (0..TASKS).collect(), ..Fan::default() };
                let total = graph.invoke_async(input, &configured(number)).await?.value.total;
                assert_eq!(total, TASKS * (TASKS - 1), "the graph must have done its work");
                Ok(())
            };
            least(60, (1, 1), run).await?
        }
        _ => return Err("one of: chain | loop | fanout".into()),
    };
    println!("{line}");
    Ok(())
}
