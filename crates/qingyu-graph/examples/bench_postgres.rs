//! Measures a chain of ten nodes on a PostgreSQL server against as many bare commits, taking turns in one run, and
//! many threads at once.
//!
//! `cargo run --release -p qingyu-graph --features postgres --example bench_postgres [URL]`

use std::sync::Arc;
use std::time::{Duration, Instant};

use qingyu_db::{Postgres, PostgresSettings};
use qingyu_graph::store::{Owner, PostgresStore, Record, RecordKind};
use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, START, State, Store};

const NODES: u32 = 10;
/// One for the lease, one for the input, one for each superstep; giving the lease back does not wait for the disk.
const COMMITS: u32 = NODES + 2;
const ROUNDS: usize = 21;

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

/// User and system time of this process, where the system tells it.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// What `work` took: wall and CPU time.
async fn timed(work: impl Future<Output = Result<(), Error>>) -> Result<(Duration, Duration), Error> {
    let (began, cpu) = (Instant::now(), cpu_time());
    work.await?;
    Ok((began.elapsed(), cpu_time() - cpu))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn report(what: &str, walls: &mut [Duration], cpu: Duration) {
    let rounds = walls.len() as f64;
    let (low, high) =
        (walls.iter().min().copied().unwrap_or_default(), walls.iter().max().copied().unwrap_or_default());
    let wall = median(walls);
    let cpu = cpu.as_secs_f64() * 1e6 / rounds;
    println!("{what:<44} {wall:>9.1?} ({low:.1?} to {high:.1?}) wall, {cpu:>7.0} us CPU of this process a round");
}

async fn one_chain(graph: &CompiledGraph<Small>, store: Arc<PostgresStore>, id: String) -> Result<(), Error> {
    graph.thread(store, id).start(input()).await?.finish().await.map(drop)
}

async fn bare_commits(postgres: &Postgres) -> Result<(), Error> {
    let client = postgres.client().await?;
    let insert = client.prepare_cached("INSERT INTO bare(body) VALUES ($1)").await?;
    for _ in 0..COMMITS {
        client
            .execute(&insert, &[&"eighty bytes of text, more or less, as the chain stores them in every superstep."])
            .await?;
    }
    Ok(())
}

async fn bare_appends(store: &PostgresStore, round: usize) -> Result<(), Error> {
    let owner = Owner::this_process();
    let lease = store.acquire(&format!("bare {round}").into(), &owner, Duration::from_secs(60)).await?;
    for _ in 1..COMMITS {
        let record = Record {
            scope: String::new(),
            branch: 0,
            parent: 0,
            kind: RecordKind::Delta,
            task: String::new(),
            key: String::new(),
            body: "eighty bytes of text, more or less, as the chain stores them in every superstep.".to_owned(),
        };
        store.append(&lease, vec![record], Vec::new()).await?;
    }
    store.release(&lease).await
}

async fn at_once(graph: &CompiledGraph<Small>, store: &Arc<PostgresStore>, count: u32) -> Result<(), Error> {
    let runs = (0..count).map(|number| {
        let (graph, store) = (graph.clone(), Arc::clone(store));
        tokio::spawn(async move { one_chain(&graph, store, format!("at once {count} {number}")).await })
    });
    for run in runs.collect::<Vec<_>>() {
        run.await.map_err(|error| Error::Broken { reason: error.to_string() })??;
    }
    Ok(())
}

async fn measure(postgres: &Postgres) -> Result<(), Error> {
    let graph = chain()?;
    let store = Arc::new(PostgresStore::open(postgres.clone()).await?);
    let client = postgres.client().await?;
    client
        .batch_execute("CREATE TABLE bare(number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text)")
        .await?;
    drop(client);
    let (mut chains, mut appends, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let [mut chains_cpu, mut appends_cpu, mut bare_cpu] = [Duration::ZERO; 3];
    for round in 0..ROUNDS {
        let (wall, cpu) = timed(one_chain(&graph, Arc::clone(&store), format!("chain {round}"))).await?;
        chains.push(wall);
        chains_cpu += cpu;
        let (wall, cpu) = timed(bare_appends(&store, round)).await?;
        appends.push(wall);
        appends_cpu += cpu;
        let (wall, cpu) = timed(bare_commits(postgres)).await?;
        bare.push(wall);
        bare_cpu += cpu;
    }
    report(&format!("a chain of {NODES} nodes"), &mut chains, chains_cpu);
    report("its appends without the engine", &mut appends, appends_cpu);
    report(&format!("{COMMITS} bare commits of one row"), &mut bare, bare_cpu);
    println!("ratio of the medians: {:.2}", median(&mut chains).as_secs_f64() / median(&mut bare).as_secs_f64());
    for count in [16, 256, 1000] {
        let (wall, cpu) = timed(at_once(&graph, &store, count)).await?;
        report(&format!("{count} chains at once"), &mut [wall], cpu);
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "postgresql://postgres@127.0.0.1:5432/test".to_owned());
    let schema = format!("qingyu_bench_{}", std::process::id());
    let postgres = Postgres::open(PostgresSettings { schema: schema.clone(), ..PostgresSettings::new(url) }).await?;
    let measured = measure(&postgres).await;
    postgres.client().await?.batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE")).await?;
    measured
}
