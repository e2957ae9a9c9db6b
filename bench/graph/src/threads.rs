//! A thousand threads at once on one SQLite file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use qingyu_graph::Store;
use serde_json::{Value, json};

use crate::measure::{least_cpu, median_wall, microseconds, peak_memory, spent};
use crate::places::SqlitePlace;
use crate::works::{NODES, chain, small};

const THREADS: usize = 1000;
const ROUNDS: u32 = 3;
/// So many bare commits say what one takes.
const BARE: u32 = 50;

pub async fn measure(folder: &str) -> anyhow::Result<Value> {
    let place = SqlitePlace::open(folder).await?;
    let (mut readings, mut floors, mut slowest) = (Vec::new(), Vec::new(), Duration::ZERO);
    for round in 0..ROUNDS {
        let (times, reading) = spent(at_once(Arc::clone(&place.store) as _, round)).await?;
        slowest = slowest.max(times.into_iter().max().unwrap_or_default());
        readings.push(reading);
        floors.push(place.bare_commits(BARE).await?);
    }
    let checkpoints = place.number("SELECT count(*) FROM graph_record WHERE kind IN ('snapshot', 'delta')").await?;
    let wall = median_wall(&readings);
    let floor = median_wall(&floors) / f64::from(BARE);
    Ok(json!({
        "cpu_us": least_cpu(&readings),
        "wall_us": wall,
        "slowest_thread_us": microseconds(slowest),
        "supersteps": THREADS as u64 * u64::from(NODES),
        "checkpoints": checkpoints / i64::from(ROUNDS),
        "floor_us": floor,
        "bare_commits_in_that_time": (wall / floor).round(),
        "memory_mib": peak_memory()?,
    }))
}

/// How long each thread took, from when all were set going.
async fn at_once(store: Arc<dyn Store>, round: u32) -> anyhow::Result<Vec<Duration>> {
    let graph = chain()?;
    let began = Instant::now();
    let start = |number: usize| {
        let thread = graph.thread(Arc::clone(&store), format!("{round}/{number}"));
        tokio::spawn(async move {
            thread.start(small()).await?.finish().await?;
            Ok::<_, anyhow::Error>(began.elapsed())
        })
    };
    let running: Vec<_> = (0..THREADS).map(start).collect();
    let mut times = Vec::with_capacity(THREADS);
    for thread in running {
        times.push(thread.await??);
    }
    Ok(times)
}
