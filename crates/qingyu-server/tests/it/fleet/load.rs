//! Authors who begin runs and follow them, wherever somebody answers; and what must be so in the end.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use qingyu_db::Postgres;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::answers::{CALLS, REQUIREMENT};
use crate::fleet::server::Fleet;
use crate::house::{ReceivedEvent, told};

/// How long an answer may take to begin, and a stream to say nothing, until somebody else is asked: a frozen server says nothing.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(50);

/// The events of one run as its author was told of them, by number.
type Seen = BTreeMap<u64, Value>;

#[derive(Clone)]
pub(super) struct Load {
    fleet: Arc<Fleet>,
    client: Client,
    is_over: Arc<AtomicBool>,
    /// What each author does just now.
    doing: Arc<Mutex<BTreeMap<usize, String>>>,
    /// What was acknowledged: the run of each start, and what was told of it.
    runs: Arc<Mutex<BTreeMap<String, Seen>>>,
}

/// What was found in the end.
pub(super) struct Checked {
    pub(super) runs: usize,
    pub(super) events: usize,
    /// How often runs were gone on with.
    pub(super) resumed: usize,
}

impl Load {
    pub(super) fn new(fleet: Arc<Fleet>) -> Self {
        let _already = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().tls_certs_only([]).connect_timeout(PATIENCE).read_timeout(PATIENCE);
        Self {
            fleet,
            client: client.build().unwrap(),
            is_over: Arc::default(),
            doing: Arc::default(),
            runs: Arc::default(),
        }
    }

    /// No run is begun any more; those that are at work go on.
    pub(super) fn finish(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Begins runs one after the other and follows each to its end.
    pub(super) async fn author(self, number: usize) {
        let mut turn = number;
        for start in 0.. {
            if self.is_over.load(Ordering::Relaxed) {
                self.doing.lock().unwrap().remove(&number);
                return;
            }
            let key = format!("author-{number}-{start}");
            self.doing.lock().unwrap().insert(number, format!("begins {key}"));
            let run = self.begin(&key, &mut turn).await;
            self.doing.lock().unwrap().insert(number, format!("follows {run}"));
            let seen = self.follow(&run, &mut turn).await;
            let before = self.runs.lock().unwrap().insert(run.clone(), seen);
            assert!(before.is_none(), "{run} was begun twice");
        }
    }

    /// The next server's address; each time another one's.
    async fn next(&self, turn: &mut usize) -> String {
        loop {
            *turn += 1;
            if let Some(address) = self.fleet.address(*turn % self.fleet.size()) {
                return address;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Begins a run, under one key however often it must be asked for.
    async fn begin(&self, key: &str, turn: &mut usize) -> String {
        let start = json!({"start": {"kind": "create", "requirement": REQUIREMENT}});
        loop {
            let address = self.next(turn).await;
            let request = self.client.post(format!("{address}/runs")).header("idempotency-key", key).json(&start);
            match request.send().await {
                Ok(answer) if answer.status() == StatusCode::CREATED => {
                    if let Ok(answer) = answer.json::<Value>().await {
                        return answer["run"].as_str().unwrap().to_owned();
                    }
                }
                Ok(answer) => {
                    let status = answer.status().as_u16();
                    let body = answer.text().await.unwrap_or_default();
                    assert!(matches!(status, 409 | 503), "{status}: {body}");
                }
                Err(_) => {}
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Follows a run to its end, over as many servers and connections as it takes.
    async fn follow(&self, run: &str, turn: &mut usize) -> Seen {
        let mut seen = Seen::new();
        loop {
            let address = self.next(turn).await;
            let last = seen.last_key_value().map_or(0, |(number, _)| *number);
            let request = self.client.get(format!("{address}/runs/{run}/events"));
            let Ok(answer) = request.header("last-event-id", last.to_string()).send().await else { continue };
            if answer.status() != StatusCode::OK {
                let (status, body) = (answer.status(), answer.text().await.unwrap_or_default());
                assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{body}");
                continue;
            }
            let mut stream = answer.bytes_stream();
            let mut bytes = Vec::new();
            while let Some(Ok(piece)) = stream.next().await {
                bytes.extend_from_slice(&piece);
                while let Some(end) = bytes.windows(2).position(|two| two == b"\n\n") {
                    let frame: Vec<u8> = bytes.drain(..end + 2).collect();
                    for ReceivedEvent { id, data, .. } in told(std::str::from_utf8(&frame).unwrap()) {
                        let Some(number) = id else { continue };
                        let last = seen.last_key_value().map_or(0, |(number, _)| *number);
                        assert_eq!(number, last + 1, "{run}: events come once and in order");
                        let is_end = data["kind"] == "completed";
                        assert!(!matches!(data["kind"].as_str(), Some("failed" | "interrupted")), "{run}: {data}");
                        seen.insert(number, data);
                        if is_end {
                            return seen;
                        }
                    }
                }
            }
        }
    }

    /// Every run is there once, is done, has paid for each call once, and its log is what was told of it, from every server.
    pub(super) async fn check(&self, postgres: &Postgres) -> Checked {
        let runs = self.runs.lock().unwrap().clone();
        let (mut events, mut resumed) = (0, 0);
        for (run, seen) in &runs {
            for server in 0..self.fleet.size() {
                let address = self.fleet.address(server).expect("nobody is killed any more");
                let log = self.log(&address, run).await;
                let of_log: Seen = log.iter().map(|event| (event["seq"].as_u64().unwrap(), event.clone())).collect();
                for (number, event) in seen {
                    assert_eq!(
                        of_log.get(number),
                        Some(event),
                        "{run} at server {server}: what was told is in the log"
                    );
                }
                let more: Vec<_> = of_log.iter().filter(|(number, _)| !seen.contains_key(number)).collect();
                assert!(
                    more.is_empty() && log.len() == seen.len(),
                    "{run} at server {server}: {more:#?} after {:#?}",
                    seen.last_key_value()
                );
            }
            events += seen.len();
            resumed += seen.values().filter(|event| event["resumed"] == true).count();
        }
        let client = postgres.client().await.unwrap();
        let count = async |sql: &str| client.query_one(sql, &[]).await.unwrap().get::<_, i64>(0);
        assert_eq!(count("SELECT count(*) FROM run").await, runs.len() as i64, "no run was begun twice");
        assert_eq!(count("SELECT count(*) FROM run WHERE status = 'done'").await, runs.len() as i64);
        assert_eq!(count("SELECT count(*) FROM project").await, runs.len() as i64);
        // Keys with a `#` are charges of executions that died before their call was on record.
        let odd = "SELECT run.id, coalesce(string_agg(call.key || ' at ' || call.at, ', ' ORDER BY call.at), 'none')
                   FROM run LEFT JOIN call ON call.run_id = run.id AND call.key NOT LIKE '%#%' GROUP BY run.id HAVING count(call.key) <> $1";
        let odd = client.query(odd, &[&(CALLS.len() as i64)]).await.unwrap();
        let odd: Vec<_> =
            odd.iter().map(|row| format!("{}: {}", row.get::<_, String>(0), row.get::<_, String>(1))).collect();
        assert!(odd.is_empty(), "each call is on record once: {odd:#?}");
        // What two owners would have doubled: pieces that every run makes as many of.
        let pieces = "SELECT count(*) FROM (SELECT count(*) AS made FROM piece GROUP BY project_id) AS of_project
                      WHERE made <> (SELECT min(made) FROM (SELECT count(*) AS made FROM piece GROUP BY project_id) AS all_of)";
        assert_eq!(count(pieces).await, 0, "all projects hold equally much");
        Checked { runs: runs.len(), events, resumed }
    }

    /// What lies still, for whoever looks for the reason.
    pub(super) async fn lying(&self, postgres: &Postgres) -> String {
        let client = postgres.client().await.unwrap();
        let sql = "SELECT run.id, run.status, run.server, server.name,
                          server.expires - extract(epoch FROM clock_timestamp())::double precision AS lease,
                          (SELECT body FROM event_log WHERE run_id = run.id ORDER BY seq DESC LIMIT 1) AS last
                   FROM run LEFT JOIN server ON server.id = run.server WHERE status <> 'done'";
        let rows = client.query(sql, &[]).await.unwrap();
        let mut text = format!("{:?}", self.doing.lock().unwrap());
        for row in rows {
            let word = |index: usize| row.get::<_, Option<String>>(index).unwrap_or_default();
            let lease = row.get::<_, Option<f64>>(4);
            text +=
                &format!("\n{} {} server {} {} lease {lease:?} last {}", word(0), word(1), word(2), word(3), word(5));
        }
        text
    }

    async fn log(&self, address: &str, run: &str) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        loop {
            let after = all.last().map_or(0, |event| event["seq"].as_u64().unwrap());
            let url = format!("{address}/runs/{run}/log?after={after}");
            let page: Vec<Value> = self.client.get(url).send().await.unwrap().json().await.unwrap();
            if page.is_empty() {
                return all;
            }
            all.extend(page);
        }
    }
}
