//! A thousand tasks in one superstep, and the node that adds up what they made.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use qingyu_graph::{CompiledGraph, Context, END, Error, Goto, Graph, NodeError, START, State};
use serde_json::{Value, json};

use crate::measure::{least_cpu, least_wall, spent};

const TASKS: u64 = 1000;
const READINGS: u64 = 60;

static COPIES: AtomicU64 = AtomicU64::new(0);

/// Counts how often it is copied.
#[derive(Debug, Default, State)]
struct Fan {
    numbers: Vec<u64>,
    #[channel(append)]
    doubled: Vec<u64>,
    total: u64,
}

impl Clone for Fan {
    fn clone(&self) -> Self {
        COPIES.fetch_add(1, Ordering::Relaxed);
        Self { numbers: self.numbers.clone(), doubled: self.doubled.clone(), total: self.total }
    }
}

fn fan() -> Result<CompiledGraph<Fan>, Error> {
    Graph::<Fan>::new("fan")
        .node("double", double)
        .node("add", add)
        .route(START, ["double"], |fan: &Fan| {
            fan.numbers.iter().map(|number| Goto::send("double", number)).collect::<Vec<_>>()
        })
        .edge("double", "add")
        .edge("add", END)
        .compile()
}

async fn double(_: Arc<Fan>, context: Context) -> Result<FanUpdate, NodeError> {
    let number: u64 = context.payload()?;
    Ok(Fan::update().doubled(vec![number * 2]))
}

async fn add(fan: Arc<Fan>, _: Context) -> Result<FanUpdate, NodeError> {
    Ok(Fan::update().total(fan.doubled.iter().sum()))
}

pub async fn measure() -> anyhow::Result<Value> {
    let graph = fan()?;
    let mut readings = Vec::new();
    for _ in 0..READINGS {
        let (fan, reading) = spent(graph.run(Fan::update().numbers((0..TASKS).collect()))).await?;
        anyhow::ensure!(fan.total == TASKS * (TASKS - 1), "it added up to {}", fan.total);
        readings.push(reading);
    }
    Ok(json!({
        "cpu_us": least_cpu(&readings),
        "wall_us": least_wall(&readings),
        "copies": COPIES.load(Ordering::Relaxed) / READINGS,
    }))
}
