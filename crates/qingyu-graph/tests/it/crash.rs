//! `kill -9` at chosen and at random moments. The killed process is this test binary, run again with a path.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use qingyu_db::{Settings, Sqlite};
use qingyu_graph::store::SqliteStore;
use qingyu_graph::{CompiledGraph, Context, END, EventKind, Graph, NodeError, START, Thread};

use crate::board::{Board, BoardUpdate, done, log};
use crate::extent::cases;

/// Where the child finds its folder. Without it the child's tests do nothing.
const FOLDER: &str = "QINGYU_GRAPH_CRASH_FOLDER";

/// Every call and every acknowledged step is a line of one file, written before anything else happens.
#[derive(Debug, Clone)]
struct Diary(PathBuf);

impl Diary {
    fn note(&self, line: &str) {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.0).unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(&self.0).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    fn count(&self, line: &str) -> usize {
        self.lines().iter().filter(|other| *other == line).count()
    }
}

fn diary(folder: &Path) -> Diary {
    Diary(folder.join("diary.txt"))
}

async fn thread(folder: &Path, graph: CompiledGraph<Board>) -> Thread<Board> {
    let database = Sqlite::open(&folder.join("graph.db"), Settings::default()).await.unwrap();
    graph.thread(Arc::new(SqliteStore::open(database).await.unwrap()), "t")
}

/// Starts the test `name` of this binary as a process of its own.
fn child(name: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until the child says `READY`, then kills it.
fn kill_when_ready(mut child: Child) {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().ends_with("READY")), "the child ended before it was ready");
    child.kill().unwrap();
    child.wait().unwrap();
}

fn folder_of_child() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// `quick` finishes; `slow` finishes one step, begins another, and then hangs if it `hangs`.
fn superstep(diary: &Diary, hangs: bool) -> CompiledGraph<Board> {
    let (quick, slow) = (diary.clone(), diary.clone());
    Graph::<Board>::new("crash")
        .node("quick", move |_: Arc<Board>, _: Context| {
            quick.note("quick");
            async { Ok::<_, NodeError>(log("quick")) }
        })
        .node("slow", move |_: Arc<Board>, context: Context| {
            let diary = slow.clone();
            async move {
                let paid = context.step("paid", "a", async || {
                    diary.note("paid");
                    Ok::<_, NodeError>("paid".to_owned())
                });
                let paid = paid.await?;
                context.emit("stored".into());
                let broken = context.step("broken", "b", async || {
                    diary.note("broken");
                    if hangs {
                        std::future::pending::<()>().await;
                    }
                    Ok::<_, NodeError>("broken".to_owned())
                });
                Ok::<_, NodeError>(log(format!("{paid} {}", broken.await?)))
            }
        })
        .edge(START, "quick")
        .edge(START, "slow")
        .edge("quick", END)
        .edge("slow", END)
        .compile()
        .unwrap()
}

#[tokio::test]
#[ignore = "the child of the test below"]
async fn child_hangs_in_a_superstep() {
    let Some(folder) = folder_of_child() else { return };
    let diary = diary(&folder);
    let thread = thread(&folder, superstep(&diary, true)).await;
    let _run = thread.start(Board::update()).await.unwrap();
    while diary.count("broken") == 0 || thread.snapshot().await.unwrap().unwrap().next != ["slow"] {
        tokio::task::yield_now().await;
    }
    println!("READY");
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn c24_and_c56_after_a_kill_only_what_was_not_stored_runs_again() {
    let folder = tempfile::tempdir().unwrap();
    kill_when_ready(child("crash::child_hangs_in_a_superstep", folder.path()));

    let diary = diary(folder.path());
    let thread = thread(folder.path(), superstep(&diary, false)).await;
    // At once, although the dead process had a lease of 8 s.
    let mut run = thread.resume().await.unwrap();
    let (mut reused, mut started) = (Vec::new(), Vec::new());
    while let Some(event) = run.next().await {
        match event.kind {
            EventKind::StepReused { key } => reused.push(key),
            EventKind::StepStarted { key } => started.push(key),
            _ => {}
        }
    }
    assert_eq!((reused, started), (vec!["paid".to_owned()], vec!["broken".to_owned()]));
    assert_eq!(run.finish().await.unwrap().into_state().log, ["quick", "paid broken"]);
    assert_eq!((diary.count("quick"), diary.count("paid"), diary.count("broken")), (1, 1, 2));
}

const CHAIN: usize = 12;

/// A chain of nodes, each with one paid step.
fn chain(diary: &Diary) -> CompiledGraph<Board> {
    let names: Vec<_> = (0..CHAIN).map(|index| format!("n{index:02}")).collect();
    let mut graph = Graph::<Board>::new("chain");
    for (index, name) in names.iter().enumerate() {
        let diary = diary.clone();
        let node = move |_: Arc<Board>, context: Context| {
            let diary = diary.clone();
            async move {
                let name = context.node().to_owned();
                let text = context.step("paid", &name, async || {
                    diary.note(&format!("call {name}"));
                    Ok::<_, NodeError>(name.clone())
                });
                let text = text.await?;
                diary.note(&format!("stored {name}"));
                Result::<BoardUpdate, NodeError>::Ok(log(text))
            }
        };
        let before = if index == 0 { START } else { &names[index - 1] };
        graph = graph.node(name, node).edge(before, name);
    }
    graph.edge(names.last().unwrap(), END).compile().unwrap()
}

#[tokio::test]
#[ignore = "the child of the test below"]
async fn child_runs_the_chain() {
    let Some(folder) = folder_of_child() else { return };
    let thread = thread(&folder, chain(&diary(&folder))).await;
    println!("READY");
    let run = match thread.snapshot().await.unwrap() {
        None => thread.start(Board::update()).await,
        Some(_) => thread.resume().await,
    };
    done(run).await;
}

/// Kills the chain again and again, each time a little later, until it ends by itself.
#[tokio::test]
async fn p2_no_stored_step_is_paid_again_however_often_the_process_dies() {
    for round in 0..kills() {
        let folder = tempfile::tempdir().unwrap();
        let diary = diary(folder.path());
        let mut generation = 0;
        loop {
            let mut child = child("crash::child_runs_the_chain", folder.path());
            // Dies once it has written this many lines more, so the moments differ without a clock.
            let limit = diary.lines().len() + 1 + (round + generation) % 5;
            let ended = loop {
                if child.try_wait().unwrap().is_some() {
                    break true;
                }
                if diary.lines().len() >= limit {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    break false;
                }
                std::thread::yield_now();
            };
            if ended {
                break;
            }
            generation += 1;
        }
        let board = done(thread(folder.path(), chain(&diary)).await.resume().await).await;
        let expected: Vec<_> = (0..CHAIN).map(|index| format!("n{index:02}")).collect();
        assert_eq!(board.log, expected);
        let lines = diary.lines();
        for name in expected {
            let stored = lines.iter().position(|line| *line == format!("stored {name}")).unwrap();
            let calls_after = lines[stored..].iter().filter(|line| **line == format!("call {name}")).count();
            assert_eq!(calls_after, 0, "{name} was paid again after it had been stored");
        }
        assert!(generation > 0, "the child was never killed");
    }
}

/// How many chains are killed; more by hand, see the variable.
fn kills() -> usize {
    std::env::var("QINGYU_GRAPH_CRASH_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or_else(|| cases(1, 3))
}
