//! Three processes share threads on one server and are killed, or frozen and thawed, at random moments.
//!
//! `QINGYU_GRAPH_KILLS=1000 cargo test -p qingyu-graph --all-features --test it -- --nocapture kills` for more than a build does.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use futures::FutureExt;
use qingyu_db::{Postgres, PostgresSettings};
use qingyu_graph::store::PostgresStore;
use qingyu_graph::testing::{InterposedStore, TestSchema};
use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, JoinedWrite, NodeError, START, Store, Thread};

use crate::board::{Board, BoardUpdate, log};
use crate::extent::cases;

const WORKERS: usize = 3;
const THREADS: usize = 6;
const LEASE: Duration = Duration::from_millis(400);
/// What the promise allows beyond the lease.
const GRACE: Duration = Duration::from_secs(1);

const FOLDER: &str = "QINGYU_GRAPH_KILLS_FOLDER";
const SCHEMA: &str = "QINGYU_GRAPH_KILLS_SCHEMA";
const URL: &str = "QINGYU_GRAPH_KILLS_URL";

/// A store whose owners seem to be on another machine, so that only the lease tells that one is dead.
fn elsewhere(store: PostgresStore) -> InterposedStore {
    let stranger = r#"{"host":"elsewhere","pid":1,"identity":null}"#;
    InterposedStore::new(Arc::new(store)).owned_by(serde_json::from_str(stranger).unwrap())
}

/// A loop until the file `stop` is there. Each superstep logs its number and a mark that no other execution has; every
/// second one also joins the same line to its commit.
fn graph(folder: &Path) -> CompiledGraph<Board> {
    let stop = folder.join("stop");
    Graph::<Board>::new("kills")
        .node("work", move |board: Arc<Board>, context: Context| {
            let is_over = stop.exists();
            async move {
                let thread = context.thread_id().to_owned();
                if let Some(stored) = board.log.last() {
                    println!("@stored {thread} {stored}");
                }
                let line = format!("{} {}", board.log.len(), uuid::Uuid::new_v4());
                if board.log.len() % 2 == 1 {
                    context.commit_with(joined(format!("{thread} {line}")));
                }
                // What a model would take.
                tokio::time::sleep(Duration::from_millis(5)).await;
                Ok::<BoardUpdate, NodeError>(log(line).x(i64::from(is_over)))
            }
        })
        .edge(START, "work")
        .route("work", ["work", END], |board: &Board| [if board.x == 0 { "work" } else { END }])
        .compile()
        .unwrap()
}

fn joined(line: String) -> JoinedWrite {
    PostgresStore::joined(move |tx| {
        async move { tx.execute("INSERT INTO line(text) VALUES ($1)", &[&line]).await.map(drop) }.boxed()
    })
}

fn thread(number: usize, folder: &Path, store: Arc<dyn Store>) -> Thread<Board> {
    graph(folder).thread(store, format!("t{number}")).lease(LEASE).recursion_limit(u32::MAX)
}

/// Runs a thread whenever it is free, until it is done.
async fn work(thread: Thread<Board>) {
    let mut polls = tokio::time::interval(Duration::from_millis(25));
    polls.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        polls.tick().await;
        let ended = async {
            let run = match thread.snapshot().await? {
                None => thread.start_new(Board::update()).await?,
                Some(_) => thread.resume().await?,
            };
            println!("@own {}", thread.id());
            run.finish().await
        };
        match ended.await {
            Ok(_) => return println!("@done {}", thread.id()),
            Err(Error::ThreadBusy { .. } | Error::ThreadExists { .. } | Error::Fenced { .. }) => {}
            // The transaction of a frozen worker was ended.
            Err(Error::Database(qingyu_db::Error::Unreachable { .. })) => {}
            Err(error) => println!("@error {} {error}", thread.id()),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the child of the test below"]
async fn child_works() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let variable = |name| std::env::var(name).unwrap();
    // A frozen worker may hold its thread's row in the transaction of a joined write.
    let (schema, idle_timeout) = (variable(SCHEMA), LEASE / 2);
    let settings = PostgresSettings { schema, idle_timeout, ..PostgresSettings::new(variable(URL)) };
    // On a busy machine that time can pass in the transaction that looks at the tables.
    let store = loop {
        match PostgresStore::open(Postgres::open(settings.clone()).await.unwrap()).await {
            Ok(store) => break store,
            Err(Error::Database(qingyu_db::Error::Unreachable { .. })) => {}
            Err(error) => panic!("{error}"),
        }
    };
    let store: Arc<dyn Store> = Arc::new(elsewhere(store));
    let threads = (0..THREADS).map(|number| work(thread(number, &folder, Arc::clone(&store))));
    futures::future::join_all(threads).await;
}

/// What a worker said, and its end.
enum News {
    Line(Instant, usize, String),
    Ended(usize),
}

/// What happens to a worker.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Kill,
    /// It stands still until others have taken its threads over.
    Freeze,
}

/// The workers as their starter sees them.
struct Workers {
    folder: PathBuf,
    settings: PostgresSettings,
    children: BTreeMap<usize, Child>,
    started: usize,
    sender: mpsc::Sender<News>,
    news: mpsc::Receiver<News>,
    /// Which worker runs a thread, and since when.
    owners: BTreeMap<String, (usize, Instant)>,
    done: BTreeSet<String>,
    /// Thread and line of every superstep that was acknowledged.
    stored: BTreeSet<(String, String)>,
}

impl Workers {
    fn start_one(&mut self) {
        let number = self.started;
        self.started += 1;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kills::child_works", "--exact", "--ignored", "--nocapture"])
            .env(FOLDER, &self.folder)
            .env(SCHEMA, &self.settings.schema)
            .env(URL, &self.settings.url)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = sender.send(News::Line(Instant::now(), number, line));
            }
            let _ = sender.send(News::Ended(number));
        });
        self.children.insert(number, child);
    }

    /// Takes in one piece of news; returns the worker that ended, if one did.
    fn hear(&mut self) -> Option<usize> {
        let news = self.news.recv_timeout(Duration::from_secs(30)).expect("the workers go on");
        let (at, worker, line) = match news {
            News::Ended(worker) => return Some(worker),
            News::Line(at, worker, line) => (at, worker, line),
        };
        // The harness writes its own words before the first line.
        let line = line.find('@').map_or("", |start| &line[start..]);
        let (what, rest) = line.split_once(' ').unwrap_or_default();
        match what {
            "@own" => drop(self.owners.insert(rest.to_owned(), (worker, at))),
            "@done" => drop(self.done.insert(rest.to_owned())),
            "@stored" => {
                let (thread, line) = rest.split_once(' ').unwrap();
                self.stored.insert((thread.to_owned(), line.to_owned()));
                // Lines of two workers may be read in another order than they were written: whoever works on a thread
                // after it was said to be another's has it.
                if let Some(owner) = self.owners.get_mut(thread).filter(|owner| owner.0 != worker && owner.1 < at) {
                    *owner = (worker, at);
                }
            }
            "@error" => panic!("worker {worker} failed: {rest}"),
            _ => {}
        }
        None
    }

    /// Hits one that runs something, after `delay` more supersteps; returns how long its threads were without an owner.
    fn hit_one(&mut self, fault: Fault, choice: usize, delay: usize) -> Vec<Duration> {
        let enough = self.stored.len() + delay;
        while self.stored.len() < enough || self.owners.len() < THREADS {
            assert_eq!(self.hear(), None, "nobody ends by itself");
        }
        let busy: BTreeSet<usize> = self.owners.values().map(|(worker, _)| *worker).collect();
        let victim = *busy.iter().nth(choice % busy.len()).unwrap();
        let hit = Instant::now();
        match fault {
            Fault::Kill => {
                let mut child = self.children.remove(&victim).unwrap();
                child.kill().unwrap();
                child.wait().unwrap();
                while self.hear() != Some(victim) {}
                self.start_one();
            }
            Fault::Freeze => self.signal(victim, "-STOP"),
        }
        let orphans: Vec<String> =
            self.owners.iter().filter(|(_, (worker, _))| *worker == victim).map(|(thread, _)| thread.clone()).collect();
        let taken_over = orphans.into_iter().map(|thread| {
            while self.owners[&thread].0 == victim {
                assert_eq!(self.hear(), None, "nobody ends by itself");
            }
            self.owners[&thread].1.saturating_duration_since(hit)
        });
        let gaps = taken_over.collect();
        if fault == Fault::Freeze {
            // Now it wakes up in the middle of supersteps that are no longer its own.
            self.signal(victim, "-CONT");
        }
        gaps
    }

    fn signal(&self, worker: usize, signal: &str) {
        let pid = self.children[&worker].id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }
}

/// A failed test leaves no worker behind; nothing else would wake up a frozen one.
impl Drop for Workers {
    fn drop(&mut self) {
        for child in self.children.values_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[tokio::test]
async fn p2_p4_killed_and_frozen_workers_lose_and_double_nothing() {
    let Some(schema) = TestSchema::new().await else { return };
    let store: Arc<dyn Store> = Arc::new(schema.store().await);
    let client = schema.postgres().await.client().await.unwrap();
    client.batch_execute("CREATE TABLE line(text text)").await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    // With a freeze after each third; `make kill-graph` takes 1,000.
    let kills = std::env::var("QINGYU_GRAPH_KILLS").map_or_else(|_| cases(3, 9), |kills| kills.parse().unwrap());
    let (sender, news) = mpsc::channel();
    let mut workers = Workers {
        folder: folder.path().to_owned(),
        settings: schema.settings(),
        children: BTreeMap::new(),
        started: 0,
        sender,
        news,
        owners: BTreeMap::new(),
        done: BTreeSet::new(),
        stored: BTreeSet::new(),
    };
    (0..WORKERS).for_each(|_| workers.start_one());
    let mut gaps = Vec::new();
    for round in 0..kills {
        let random = uuid::Uuid::new_v4().as_u128() as usize;
        gaps.extend(workers.hit_one(Fault::Kill, random % 1000, random / 1000 % 60));
        if round % 3 == 2 {
            gaps.extend(workers.hit_one(Fault::Freeze, random % 1000, random / 1000 % 60));
        }
    }
    std::fs::write(folder.path().join("stop"), "").unwrap();
    while !workers.children.is_empty() {
        if let Some(ended) = workers.hear() {
            assert!(workers.children.remove(&ended).unwrap().wait().unwrap().success());
        }
    }
    assert_eq!(workers.done.len(), THREADS);

    let mut expected = Vec::new();
    for number in 0..THREADS {
        let thread = thread(number, folder.path(), Arc::clone(&store));
        let board = thread.snapshot().await.unwrap().unwrap().state;
        let numbers = board.log.iter().map(|line| line.split(' ').next().unwrap().parse::<usize>().unwrap());
        assert!(numbers.eq(0..board.log.len()), "a superstep of {} is doubled or missing", thread.id());
        let prefix = format!("{} ", thread.id());
        expected.extend(board.log.iter().skip(1).step_by(2).map(|line| format!("{prefix}{line}")));
        let kept: BTreeSet<_> = board.log.into_iter().map(|line| (thread.id().to_string(), line)).collect();
        let acknowledged = workers.stored.iter().filter(|(id, _)| id == thread.id().as_str());
        let lost: Vec<_> = acknowledged.filter(|stored| !kept.contains(*stored)).collect();
        assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    }
    let mut lines: Vec<String> =
        client.query("SELECT text FROM line", &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected, "what is joined to a superstep happens exactly as often");

    gaps.sort_unstable();
    let (middle, worst) = (gaps[gaps.len() / 2], gaps[gaps.len() - 1]);
    println!(
        "{kills} kills and {} freezes, {} supersteps acknowledged, {} take-overs: median {middle:.0?}, longest {worst:.0?}, lease {LEASE:?}",
        kills / 3,
        workers.stored.len(),
        gaps.len()
    );
    assert!(worst <= LEASE + GRACE, "a thread was left alone for {worst:?}");
}
