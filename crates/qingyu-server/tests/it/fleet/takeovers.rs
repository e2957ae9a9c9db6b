//! How long runs lie still whose server is gone.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use qingyu_db::Postgres;

/// What the promise allows after a kill or a freeze.
const PROMISED: Duration = Duration::from_secs(10);
/// How often the database is looked at.
const LOOK: Duration = Duration::from_millis(25);

/// Why a run has no server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause {
    Kill,
    Freeze,
    Farewell,
}

/// Runs that wait for a server, and how long others have waited.
pub(super) struct Takeovers {
    postgres: Postgres,
    /// What the servers call themselves towards the database.
    name: String,
    waiting: Mutex<Vec<WaitingRun>>,
    waited: Mutex<BTreeMap<Cause, Vec<Duration>>>,
    servers: usize,
    /// How many servers are away.
    away: AtomicUsize,
    unlucky: AtomicUsize,
}

struct WaitingRun {
    run: String,
    /// Its last event when the server was lost.
    last: i64,
    since: Instant,
    cause: Cause,
    /// Whether all servers were away meanwhile, so that nobody was there to take over.
    is_unlucky: bool,
}

impl Takeovers {
    pub(super) fn new(postgres: Postgres, name: &str, servers: usize) -> Self {
        Self {
            postgres,
            name: name.to_owned(),
            waiting: Mutex::default(),
            waited: Mutex::default(),
            servers,
            away: AtomicUsize::new(0),
            unlucky: AtomicUsize::new(0),
        }
    }

    /// The server of this process is lost just now; its runs wait.
    pub(super) async fn lost(&self, process: u32, cause: Cause, lose: impl Future<Output = ()>) {
        let name = format!("{process} (%");
        let sql = "SELECT run.id, coalesce((SELECT max(seq) FROM event_log WHERE run_id = run.id), 0) AS last
                   FROM run JOIN server ON server.id = run.server WHERE run.status = 'running' AND server.name LIKE $1";
        let rows = self.postgres.client().await.unwrap().query(sql, &[&name]).await.unwrap();
        lose.await;
        let since = Instant::now();
        let mut waiting = self.waiting.lock().unwrap();
        let is_unlucky = false;
        waiting.extend(rows.iter().map(|row| WaitingRun {
            run: row.get(0),
            last: row.get(1),
            since,
            cause,
            is_unlucky,
        }));
        if self.away.fetch_add(1, Ordering::Relaxed) + 1 == self.servers {
            waiting.iter_mut().for_each(|run| run.is_unlucky = true);
        }
    }

    /// A server is there again.
    pub(super) fn back(&self) {
        self.away.fetch_sub(1, Ordering::Relaxed);
    }

    /// Cuts every connection of the servers to their database.
    pub(super) async fn cut(&self) {
        let client = self.postgres.client().await.unwrap();
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1";
        client.query(cut, &[&self.name]).await.unwrap();
    }

    /// Looks for what is gone on with, for ever.
    pub(super) async fn watch(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK).await;
            let waiting: Vec<(String, i64)> =
                self.waiting.lock().unwrap().iter().map(|waiting| (waiting.run.clone(), waiting.last)).collect();
            let Ok(client) = self.postgres.client().await else { continue };
            for (run, last) in waiting {
                // Something of it was told after the loss: by the server that goes on with it, first of all.
                let told = "SELECT count(*) FROM event_log WHERE run_id = $1 AND seq > $2
                            AND body LIKE '%\"resumed\":true%'";
                let Ok(row) = client.query_one(told, &[&run, &last]).await else { break };
                let ended = "SELECT count(*) FROM run WHERE id = $1 AND status <> 'running'";
                let Ok(ended) = client.query_one(ended, &[&run]).await else { break };
                if row.get::<_, i64>(0) > 0 {
                    self.is_taken_over(&run);
                } else if ended.get::<_, i64>(0) > 0 {
                    self.waiting.lock().unwrap().retain(|waiting| waiting.run != run);
                }
            }
        }
    }

    fn is_taken_over(&self, run: &str) {
        let mut waiting = self.waiting.lock().unwrap();
        let Some(place) = waiting.iter().position(|waiting| waiting.run == run) else { return };
        let found = waiting.remove(place);
        if found.is_unlucky {
            self.unlucky.fetch_add(1, Ordering::Relaxed);
        } else {
            self.waited.lock().unwrap().entry(found.cause).or_default().push(found.since.elapsed());
        }
    }

    /// The times, a line for each cause.
    pub(super) fn report(&self) -> String {
        let mut text = String::new();
        for (cause, times) in &mut *self.waited.lock().unwrap() {
            times.sort();
            let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64();
            let (p50, p99, worst) = (at(0.5), at(0.99), at(1.0));
            let _ = writeln!(
                text,
                "taken over after a {cause:?}: {} runs, p50 {p50:.2} s, p99 {p99:.2} s, at worst {worst:.2} s",
                times.len()
            );
        }
        let unlucky = self.unlucky.load(Ordering::Relaxed);
        let _ = write!(text, "{unlucky} more runs waited while no server was there");
        text
    }

    /// Every run was taken over in time while somebody was there to do it.
    pub(super) fn check(&self) {
        for (cause, times) in &*self.waited.lock().unwrap() {
            let worst = times.iter().max().copied().unwrap_or_default();
            assert!(worst < PROMISED, "after a {cause:?} a run lay still for {worst:?}");
        }
    }
}
