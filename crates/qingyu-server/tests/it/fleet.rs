//! Several servers on one PostgreSQL, killed, frozen and told to go at random moments under load.
//!
//! `make kill-servers`, or `QINGYU_SERVER_KILLS=200 cargo nextest run -p qingyu-server --all-features --no-capture -E
//! 'test(fleet)'`, for more than the tests do every time.

mod faults;
mod load;
mod server;
mod takeovers;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use qingyu_graph::testing::TestSchema;
use qingyu_llm::testing::server::{Recorded, Scripted, Server as Models};

use crate::answers::CALLS;
use crate::wire::reply;
use faults::Faults;
use load::Load;
use server::Fleet;
use takeovers::Takeovers;

const SERVERS: usize = 2;
const AUTHORS: usize = 6;
/// Says how many faults there are; else so many.
const KILLS: &str = "QINGYU_SERVER_KILLS";
const FAULTS: usize = 8;
/// How long everything may take to end once nobody is killed any more.
const CALM: Duration = Duration::from_secs(120);

fn variable(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// An answer after 20 to 150 ms.
fn slow(request: &Recorded) -> Scripted {
    let wait = 20 + (request.sequence as u64).wrapping_mul(2_654_435_761) % 130;
    reply(request).after(Duration::from_millis(wait))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_killed_and_frozen_lose_and_repeat_nothing() {
    let Some(schema) = TestSchema::new().await else { return };
    let (faults, seed) = (variable(KILLS, FAULTS), variable("QINGYU_SEED", 7) as u64);
    let models = Models::responding(slow).await;
    let fleet = Arc::new(Fleet::start(SERVERS, &schema, &models).await);
    let takeovers = Arc::new(Takeovers::new(schema.postgres().await, &schema.settings().schema, SERVERS));

    let load = Load::new(Arc::clone(&fleet));
    let authors: Vec<_> = (0..AUTHORS).map(|author| tokio::spawn(load.clone().author(author))).collect();
    let (done, turn) = (Arc::new(AtomicUsize::new(0)), Arc::default());
    let begun = Instant::now();
    let monkeys: Vec<_> = (0..SERVERS)
        .map(|server| {
            let monkey = Faults::new(seed + server as u64, &fleet, &takeovers, &turn);
            tokio::spawn(monkey.torment(server, faults, Arc::clone(&done)))
        })
        .collect();
    let watching = tokio::spawn(Arc::clone(&takeovers).watch());
    let mut counts = faults::Counts::default();
    for monkey in monkeys {
        counts += monkey.await.unwrap();
    }
    load.finish();
    for author in authors {
        match tokio::time::timeout(CALM, author).await {
            Ok(ended) => ended.unwrap(),
            Err(_) => panic!("seed {seed}: not all runs end: {}", load.lying(&schema.postgres().await).await),
        }
    }
    watching.abort();

    let checked = load.check(&schema.postgres().await).await;
    let asked = models.requests().len();
    let resumed = checked.resumed;
    let needed = checked.runs * CALLS.len();
    assert!(asked >= needed && asked <= needed + resumed, "{asked} calls of {needed}, gone on with {resumed} times");
    eprintln!(
        "seed {seed}, {:.0} s: {counts}; {} runs of {} acknowledged starts, {} events acknowledged, 0 lost, 0 changed; \
         {} calls of models, {} of them made again; gone on with {resumed} times\n{}",
        begun.elapsed().as_secs_f64(),
        checked.runs,
        checked.runs,
        checked.events,
        asked,
        asked - needed,
        takeovers.report(),
    );
    assert_eq!(done.load(Ordering::Relaxed), counts.all());
    // Among all other tests the machine is too busy for promises of time.
    if std::env::var_os(KILLS).is_some() {
        takeovers.check();
    }
}
