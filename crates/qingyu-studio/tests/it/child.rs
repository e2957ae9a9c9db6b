//! Runs in a process of their own that is killed.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;

use qingyu_db::Database;
use qingyu_llm::testing::server::{AnswerGate, Recorded, Scripted, Server};
use qingyu_store::Stories;
use qingyu_studio::{CreateRequest, ReplayRequest, RunStatus, Settings, Studio};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

use crate::script::{CALLS, REQUIREMENT};
use crate::wire::{KEY, purpose, reply, write_settings};
use crate::{environment, finish};

/// Names the data folder in the child.
const HOME: &str = "QINGYU_TEST_CHILD_HOME";

/// The child: creates or goes on with the only run of the folder, until it ends or is killed.
#[tokio::test]
#[ignore = "it is the child of other tests"]
async fn child() {
    let Ok(home) = std::env::var(HOME) else { return };
    let studio = open(Path::new(&home)).await;
    let run = match studio.runs().await.unwrap().first() {
        // It was killed between its last word and its exit.
        Some(row) if row.status == RunStatus::Done => return,
        Some(row) => studio.resume(&row.run, None).await.unwrap(),
        None => studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap(),
    };
    assert_eq!(finish(run).await.1.status, RunStatus::Done);
}

async fn open(home: &Path) -> Studio {
    let settings = Settings::load(environment(home, &[("MINE_API_KEY", KEY)]), toml::Table::new()).unwrap();
    Studio::open(settings).await.unwrap()
}

fn start(home: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["child::child", "--exact", "--ignored", "--nocapture", "--test-threads=1"]).env(HOME, home);
    command.stdout(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true).spawn().unwrap()
}

/// A server that counts.
struct Counted {
    server: Server,
    asked: mpsc::UnboundedReceiver<usize>,
    gate: Arc<std::sync::Mutex<AnswerGate>>,
}

/// A server that tells of each request, and answers when the gate is opened that was there when it came.
async fn counting() -> Counted {
    let (tell, asked) = mpsc::unbounded_channel();
    let gate = Arc::new(std::sync::Mutex::new(AnswerGate::new()));
    let of_the_moment = Arc::clone(&gate);
    let answer = move |request: &Recorded| -> Scripted {
        tell.send(request.sequence).unwrap();
        reply(request).behind(&of_the_moment.lock().unwrap())
    };
    Counted { server: Server::responding(answer).await, asked, gate }
}

#[tokio::test]
async fn a_killed_run_shows_as_interrupted_and_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let mut counted = counting().await;
    write_settings(home.path(), &counted.server, "openai");
    let mut child = start(home.path());
    // Let it have three answers, and kill it while it waits for the fourth.
    for call in 0..4 {
        assert_eq!(counted.asked.recv().await, Some(call));
        if call < 3 {
            let passed = std::mem::take(&mut *counted.gate.lock().unwrap());
            passed.open();
        }
    }
    child.kill().await.unwrap();

    let studio = open(home.path()).await;
    let row = studio.runs().await.unwrap().remove(0);
    assert_eq!(row.status, RunStatus::Interrupted, "its process died");
    let before = studio.show(&row.project).await.unwrap();
    assert_eq!((before.story.outline_nodes.len(), before.story.characters.len()), (2, 2), "what was finished is there");
    assert!(before.story.plot_nodes.is_empty());

    counted.gate.lock().unwrap().open();
    let (_, outcome) = finish(studio.resume(&row.run, None).await.unwrap()).await;
    assert_eq!((outcome.status, outcome.errors.as_slice()), (RunStatus::Done, [].as_slice()));
    let asked: Vec<_> = counted.server.requests().iter().map(purpose).collect();
    let expected: Vec<_> = CALLS[..4].iter().chain(&CALLS[3..]).copied().collect();
    assert_eq!(asked, expected, "only the call that was under way is repeated");
    assert_eq!((outcome.usage.calls, outcome.usage.total), (5, 5 * 150));
    assert_eq!(studio.show(&row.run).await.unwrap().story, outcome.story_made().unwrap().story);
    let replay = studio.replay(ReplayRequest::run(&row.run), &mut |_| {}).await.unwrap();
    assert!(replay.identical, "{replay:#?}");
}

/// Kills at many moments, at requests and between them, until the run has ended; then the next run. `QINGYU_KILLS` says
/// how often in all (20 unless it is set).
#[tokio::test]
async fn runs_killed_at_any_moment_end_and_pay_nothing_twice() {
    let kills: usize = std::env::var("QINGYU_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20);
    let mut moments = Moments(std::env::var("QINGYU_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7));
    let (mut killed, mut runs, mut repeated) = (0, 0, 0);
    while killed < kills {
        let home = tempfile::tempdir().unwrap();
        let mut counted = counting().await;
        write_settings(home.path(), &counted.server, "openai");
        counted.gate.lock().unwrap().open();
        let mut killed_here = 0;
        loop {
            let mut child = start(home.path());
            // Without patience a run would be killed for ever; after six kills it may end.
            let (requests, turns) = if killed_here < 6 { (moments.next(4), moments.next(3_000)) } else { (99, 0) };
            if let Some(status) = let_work(&mut child, &mut counted.asked, requests, turns).await {
                assert!(status.success(), "seed {}: {status}", moments.0);
                break;
            }
            child.kill().await.unwrap();
            killed_here += 1;
            check_books(home.path()).await;
        }
        killed += killed_here;
        let studio = open(home.path()).await;
        let row = studio.runs().await.unwrap().remove(0);
        assert_eq!((row.status, row.usage.calls, row.usage.total), (RunStatus::Done, 5, 5 * 150));
        let asked = counted.server.requests().len();
        assert!(asked <= CALLS.len() + killed_here, "{asked} requests with {killed_here} kills");
        runs += 1;
        repeated += asked - CALLS.len();
        assert_eq!(studio.show(&row.run).await.unwrap().story.plot_nodes.len(), 3);
        let replay = studio.replay(ReplayRequest::run(&row.run), &mut |_| {}).await.unwrap();
        // A run that was killed right after its end may not have said so in its recording: then there is no end to compare with.
        let has_no_end = replay.runs.iter().all(|run| run.then.is_none() && run.differences.is_empty());
        assert!(replay.identical || has_no_end, "seed {}: {replay:#?}", moments.0);
    }
    eprintln!("{killed} kills over {runs} runs; {repeated} calls under way were made again");
}

/// Lets a child work until it has sent so many requests and so many turns have passed; says if it ended before.
async fn let_work(
    child: &mut Child,
    asked: &mut mpsc::UnboundedReceiver<usize>,
    requests: u64,
    turns: u64,
) -> Option<ExitStatus> {
    for _ in 0..requests {
        tokio::select! {
            status = child.wait() => return Some(status.unwrap()),
            _ = asked.recv() => {}
        }
    }
    for _ in 0..turns {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        tokio::task::yield_now().await;
    }
    None
}

/// Whatever the moment: the project is whole, and its log gives what is kept.
async fn check_books(home: &Path) {
    let studio = open(home).await;
    let database = Database::open(&home.join("qingyu.db"), qingyu_db::Settings::default()).await.unwrap();
    for row in studio.runs().await.unwrap() {
        assert!(matches!(row.status, RunStatus::Interrupted | RunStatus::Done), "{:?}", row.status);
        let story = studio.show(&row.project).await.unwrap().story;
        assert_eq!(Stories::new(&database, "local").rebuild(&row.project).await.unwrap(), story);
        assert!(story.characters.is_empty() || story.character_relations.len() == 1, "the cast is kept whole");
    }
    assert_eq!(studio.projects().await.unwrap().len(), studio.runs().await.unwrap().len());
}

/// Moments that look like chance and come again with the same seed.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}
