//! Measures the engine's own cost per superstep on a chain of ten nodes that do nothing.
//!
//! `cargo run --release -p qingyu-graph --example bench_chain`

use std::sync::Arc;
use std::time::{Duration, Instant};

use qingyu_db::{Database, Durability, Settings};
use qingyu_graph::store::{MemoryStore, SqliteStore};
use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, START, State, Store};

const NODES: u32 = 10;

/// About 80 bytes as JSON.
#[derive(Debug, Clone, Default, State)]
struct Small {
    name: String,
    counter: u64,
    note: String,
}

fn chain() -> Result<CompiledGraph<Small>, Error> {
    let names: Vec<_> = (0..NODES).map(|index| format!("n{index}")).collect();
    let mut graph = Graph::<Small>::new("chain");
    for (index, name) in names.iter().enumerate() {
        let node = |small: Arc<Small>, _: Context| async move {
            Ok::<_, NodeError>(Small::update().counter(small.counter + 1))
        };
        let before = if index == 0 { START } else { &names[index - 1] };
        graph = graph.node(name, node).edge(before, name);
    }
    graph.edge(names.last().map_or(START, String::as_str), END).compile()
}

fn input() -> SmallUpdate {
    Small::update().name("qingyu".to_owned()).note("forty characters of text, more or less..".to_owned())
}

fn report(what: &str, supersteps: u32, began: Instant, cpu: Duration) {
    let wall = began.elapsed().as_secs_f64() * 1e6 / f64::from(supersteps);
    let cpu = (cpu_time() - cpu).as_secs_f64() * 1e6 / f64::from(supersteps);
    println!("{what:<34} {wall:>9.1} us wall  {cpu:>7.1} us CPU per superstep  ({supersteps} supersteps)");
}

/// User and system time of this process, where the system tells it.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

async fn threads(what: &str, graph: &CompiledGraph<Small>, store: Arc<dyn Store>, count: u32) -> Result<(), Error> {
    let (began, cpu) = (Instant::now(), cpu_time());
    for number in 0..count {
        let run = graph.thread(Arc::clone(&store), format!("{what} {number}")).start(input()).await?;
        run.finish().await?;
    }
    report(what, count * NODES, began, cpu);
    Ok(())
}

async fn threads_at_once(graph: &CompiledGraph<Small>, store: Arc<dyn Store>, count: u32) -> Result<(), Error> {
    let (began, cpu) = (Instant::now(), cpu_time());
    let runs = (0..count).map(|number| {
        let thread = graph.thread(Arc::clone(&store), format!("at once {number}"));
        tokio::spawn(async move { thread.start(input()).await?.finish().await })
    });
    for run in runs.collect::<Vec<_>>() {
        run.await.map_err(|error| Error::Broken { reason: error.to_string() })??;
    }
    report(&format!("SQLite FULL, {count} threads at once"), count * NODES, began, cpu);
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let graph = chain()?;
    let (began, cpu) = (Instant::now(), cpu_time());
    for _ in 0..10_000 {
        graph.run(input()).await?;
    }
    report("without a store", 10_000 * NODES, began, cpu);
    threads("memory", &graph, Arc::new(MemoryStore::new()), 5_000).await?;
    for (what, durability, count) in
        [("SQLite NORMAL", Durability::Normal, 500), ("SQLite FULL", Durability::Full, 200)]
    {
        let file = std::env::current_dir().unwrap_or_default().join(format!("bench-chain-{}.db", std::process::id()));
        let database = Database::open(&file, Settings { durability, ..Settings::default() }).await?;
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(database).await?);
        threads(what, &graph, Arc::clone(&store), count).await?;
        if durability == Durability::Full {
            threads_at_once(&graph, store, 1000).await?;
        }
        for ending in ["", "-wal", "-shm"] {
            // What is left behind is only litter.
            let _ = std::fs::remove_file(format!("{}{ending}", file.display()));
        }
    }
    Ok(())
}
