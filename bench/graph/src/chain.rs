//! The engine's own cost: ten nodes that do nothing, one after the other.

use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Store, store::MemoryStore};
use serde_json::{Value, json};

use crate::measure::{Spent, least_cpu, least_wall, median_wall, ratio, spent};
use crate::places::{PostgresPlace, SqlitePlace};
use crate::works::{NODES, Small, TURNS, chain, looped as loop_graph, small};

/// How many runs are timed together where one is too short.
const TOGETHER: u32 = 100;
const READINGS: usize = 80;
/// How often the chain and its floor take turns.
const ROUNDS: u32 = 60;

pub async fn without_a_store() -> anyhow::Result<Value> {
    let graph = chain()?;
    let mut readings = Vec::new();
    for _ in 0..READINGS {
        let work = async {
            for _ in 0..TOGETHER {
                let state = graph.run(small()).await?;
                anyhow::ensure!(state.n == u64::from(NODES), "it counted to {}", state.n);
            }
            Ok(())
        };
        readings.push(spent(work).await?.1);
    }
    Ok(each(&readings, TOGETHER))
}

/// A thousand supersteps of one node. On a thread in memory, because a run without a store has a limit of supersteps.
pub async fn looped() -> anyhow::Result<Value> {
    let graph = loop_graph()?;
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let mut readings = Vec::new();
    for number in 0..READINGS / 4 {
        let limit = u32::try_from(TURNS + 1)?;
        let thread = graph.thread(Arc::clone(&store), format!("loop {number}")).recursion_limit(limit);
        let work = async { Ok::<_, anyhow::Error>(thread.start(small()).await?.finish().await?.into_state()) };
        let (state, reading) = spent(work).await?;
        anyhow::ensure!(state.n == TURNS, "it counted to {}", state.n);
        readings.push(reading);
    }
    Ok(each(&readings, u32::try_from(TURNS)?))
}

/// The chain takes turns with as many bare commits.
pub async fn on_sqlite(folder: &str) -> anyhow::Result<Value> {
    // The lease, the input, a superstep each, and giving the lease back.
    const COMMITS: u32 = 1 + 1 + NODES + 1;
    let place = SqlitePlace::open(folder).await?;
    let graph = chain()?;
    let (mut chains, mut floors) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        chains.push(one(&graph, Arc::clone(&place.store) as _, round).await?);
        floors.push(place.bare_commits(COMMITS).await?);
    }
    let bytes = place.number("SELECT sum(length(CAST(ifnull(packed, body) AS BLOB))) FROM graph_record").await?;
    let records = place.number("SELECT count(*) FROM graph_record").await?;
    Ok(report(&chains, &floors, COMMITS, records, bytes))
}

/// The chain takes turns with as many bare commits.
pub async fn on_postgres(url: &str) -> anyhow::Result<Value> {
    // The lease, the input and a superstep each; giving the lease back does not wait for the disk.
    const COMMITS: u32 = 1 + 1 + NODES;
    let place = PostgresPlace::open(url).await?;
    let measured = async {
        let graph = chain()?;
        let (mut chains, mut floors) = (Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            chains.push(one(&graph, Arc::clone(&place.store) as _, round).await?);
            floors.push(place.bare_commits(COMMITS).await?);
        }
        let bytes = place.number("SELECT sum(octet_length(body))::bigint FROM graph_record").await?;
        let records = place.number("SELECT count(*) FROM graph_record").await?;
        Ok(report(&chains, &floors, COMMITS, records, bytes))
    };
    let measured = measured.await;
    place.leave(measured).await
}

async fn one(graph: &CompiledGraph<Small>, store: Arc<dyn Store>, round: u32) -> anyhow::Result<Spent> {
    let thread = graph.thread(store, format!("chain {round}"));
    let work = async { Ok::<_, anyhow::Error>(thread.start(small()).await?.finish().await?.into_state()) };
    let (state, reading) = spent(work).await?;
    anyhow::ensure!(state.n == u64::from(NODES), "it counted to {}", state.n);
    Ok(reading)
}

fn report(chains: &[Spent], floors: &[Spent], commits: u32, records: i64, bytes: i64) -> Value {
    json!({
        "cpu_us": least_cpu(chains),
        "wall_us": median_wall(chains),
        "floor_cpu_us": least_cpu(floors),
        "floor_us": median_wall(floors),
        "ratio": ratio(chains, floors),
        "commits": commits,
        "records": records / i64::from(ROUNDS),
        "bytes": bytes / i64::from(ROUNDS),
    })
}

/// What one of the `parts` of a reading takes.
fn each(readings: &[Spent], parts: u32) -> Value {
    let parts = f64::from(parts);
    json!({ "cpu_us": least_cpu(readings) / parts, "wall_us": least_wall(readings) / parts })
}
