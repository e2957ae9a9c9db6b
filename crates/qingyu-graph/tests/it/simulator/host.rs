//! One simulated machine: a runtime of its own, with a clock that stands still unless the world lets it go on.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use qingyu_graph::{CompiledGraph, Error, GraphRun, Outcome, Store, Thread};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{advance, sleep};

use super::book::Book;
use super::database::Plant;
use super::referee::Referee;
use super::wire::{Sender, Wire, Wires};
use crate::board::Board;
use crate::random::{Diary, Heard, Plan, stored};

/// How long a lease lasts in the small world, in which a commit takes some milliseconds.
pub(crate) const LEASE: Duration = Duration::from_millis(300);

/// One life of a host, from its start to its death.
pub(crate) struct Host {
    sender: Sender,
    runtime: Runtime,
    diaries: Arc<BTreeMap<String, Diary>>,
}

/// What all hosts have in common.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) plans: Arc<BTreeMap<String, (Plan, Vec<u8>)>>,
    pub(crate) wires: Arc<Wires>,
    pub(crate) referee: Arc<Referee>,
    pub(crate) book: Arc<Book>,
    pub(crate) plant: Option<Plant>,
}

/// The program that a host runs.
struct Worker {
    store: Arc<dyn Store>,
    graphs: BTreeMap<String, CompiledGraph<Board>>,
    common: Common,
    random: Mutex<fastrand::Rng>,
}

impl Host {
    /// Starts the program.
    pub(crate) fn new(sender: Sender, seed: u64, common: &Common) -> Self {
        let runtime = paused_runtime();
        let diaries: BTreeMap<_, _> =
            common.plans.iter().map(|(name, (_, pace))| (name.clone(), Diary::slow(pace.clone()))).collect();
        let graphs = common.plans.iter().map(|(name, (plan, _))| (name.clone(), plan.graph(&diaries[name]))).collect();
        let worker = Worker {
            store: Arc::new(Wire { sender, wires: Arc::clone(&common.wires) }),
            graphs,
            common: common.clone(),
            random: Mutex::new(fastrand::Rng::with_seed(seed)),
        };
        runtime.spawn(worker.work());
        Self { sender, runtime, diaries: Arc::new(diaries) }
    }

    /// Lets the host live for `time`, after it was frozen for `missed`.
    pub(crate) fn live(&self, missed: Duration, time: Duration, referee: &Referee) {
        self.runtime.block_on(async {
            if !missed.is_zero() {
                advance(missed).await;
            }
            sleep(time).await;
        });
        for (name, diary) in self.diaries.iter() {
            let thread = name.as_str().into();
            diary.take().iter().for_each(|(task, _)| referee.began(self.sender, &thread, task));
            diary.take_paid().iter().for_each(|task| referee.paid(self.sender, &thread, task));
        }
    }

    /// The answers that nodes have had, by thread.
    pub(crate) fn heard(&self) -> Vec<(String, Heard)> {
        self.diaries
            .iter()
            .flat_map(|(name, diary)| diary.take_heard().into_iter().map(|heard| (name.clone(), heard)))
            .collect()
    }
}

/// A runtime of one thread whose clock goes on only when all its tasks wait.
pub(crate) fn paused_runtime() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

impl Worker {
    /// Works on whatever thread has not come to its end, for ever.
    async fn work(self) {
        loop {
            let open = self.common.book.open();
            if let Some(name) = self.pick(&open) {
                self.attempt(&name).await;
            }
            let pause = self.random.lock().unwrap().u64(1..30);
            sleep(Duration::from_millis(pause)).await;
        }
    }

    fn pick(&self, open: &[String]) -> Option<String> {
        let mut random = self.random.lock().unwrap();
        (!open.is_empty()).then(|| open[random.usize(..open.len())].clone())
    }

    fn thread(&self, name: &str) -> Thread<Board> {
        let thread = self.graphs[name].thread(Arc::clone(&self.store), name).recursion_limit(10_000).lease(LEASE);
        let thread = thread.max_concurrency(NonZeroUsize::new(3).unwrap());
        if self.common.plant == Some(Plant::FinishingOrder) { thread.folding_in_finishing_order() } else { thread }
    }

    /// Takes a thread on: starts it if nobody has, or goes on with it.
    async fn attempt(&self, name: &str) {
        let thread = self.thread(name);
        let run = match thread.snapshot().await {
            Err(_) => return,
            Ok(None) if self.common.plant == Some(Plant::SecondStart) => thread.start(Board::update()).await,
            Ok(None) => thread.start_new(Board::update()).await,
            Ok(Some(_)) => thread.resume().await,
        };
        self.follow(name, &thread, run).await;
    }

    /// Waits for the end of a run, answers what it asks, and sometimes cancels it.
    async fn follow(&self, name: &str, thread: &Thread<Board>, mut run: Result<GraphRun<Board>, Error>) {
        loop {
            let started = match run {
                Ok(run) => run,
                Err(error) => return self.note(name, &error),
            };
            self.sometimes_stop(&started);
            match started.finish().await {
                Ok(Outcome::Done(board)) => {
                    return self.common.book.end(name, &Ok(stored(board)), &self.common.referee);
                }
                Ok(Outcome::Cancelled { .. }) => return,
                Ok(Outcome::Waiting { questions, .. }) => {
                    let all = self.random.lock().unwrap().bool();
                    let count = if all { questions.len() } else { 1 };
                    let asked = questions.into_iter().take(count);
                    let answers: BTreeMap<String, u64> =
                        asked.map(|question| (question.id, self.common.book.new_answer())).collect();
                    run = thread.answer_map(answers.clone()).await;
                    if run.is_ok() {
                        self.common.book.accepted(name, answers.into_values());
                    }
                }
                Err(error) => return self.note(name, &error),
            }
        }
    }

    fn sometimes_stop(&self, run: &GraphRun<Board>) {
        let mut random = self.random.lock().unwrap();
        if !self.common.book.is_disturbed() || random.u8(..) > 30 {
            return;
        }
        let stop = if random.bool() { run.cancel_handle() } else { run.drain_handle() };
        let after = Duration::from_millis(random.u64(..60));
        tokio::spawn(async move {
            sleep(after).await;
            stop.cancel();
        });
    }

    /// What went wrong on the way is tried again; what the engine refuses is the end of the thread.
    fn note(&self, name: &str, error: &Error) {
        match error {
            Error::Store(_) | Error::Fenced { .. } | Error::ThreadBusy { .. } | Error::Unfinished { .. } => {}
            // Somebody else has started it, or has answered.
            Error::ThreadExists { .. } | Error::NoSuchQuestion { .. } => {}
            other => self.common.book.end(name, &Err(other.to_string()), &self.common.referee),
        }
    }
}
