//! What happens to the nodes of a random graph, noted beside the engine.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use qingyu_graph::Context;

use crate::board::Board;

/// Shared by all nodes of a graph; also sets their pace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Diary(Arc<Mutex<Pages>>);

#[derive(Debug, Default)]
struct Pages {
    /// How often the tasks give way to others before they go on, in the order in which they begin.
    pace: Vec<u8>,
    /// How long one giving way takes by the clock; no time at all if it is zero.
    beat: Duration,
    begun: usize,
    tasks: Vec<(Task, Board)>,
    kept: BTreeSet<Task>,
    paid: Vec<Task>,
    paid_again: Vec<Task>,
    heard: Vec<Heard>,
}

/// One execution of a node, told from all others of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Task {
    pub(crate) superstep: i64,
    pub(crate) node: String,
    pub(crate) sent: Option<u64>,
}

/// An answer that a task was given.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Heard {
    pub(crate) task: Task,
    pub(crate) answer: u64,
}

impl Diary {
    pub(crate) fn new(pace: Vec<u8>) -> Self {
        Self(Arc::new(Mutex::new(Pages { pace, ..Pages::default() })))
    }

    /// One whose tasks take some milliseconds, so that something can happen meanwhile.
    pub(crate) fn slow(pace: Vec<u8>) -> Self {
        Self(Arc::new(Mutex::new(Pages { pace, beat: Duration::from_millis(3), ..Pages::default() })))
    }

    /// The tasks that have begun since the last call, with what each saw.
    pub(crate) fn take(&self) -> Vec<(Task, Board)> {
        std::mem::take(&mut self.0.lock().unwrap().tasks)
    }

    /// The tasks whose step was carried out since the last call.
    pub(crate) fn take_paid(&self) -> Vec<Task> {
        std::mem::take(&mut self.0.lock().unwrap().paid)
    }

    /// The answers that tasks were given since the last call.
    pub(crate) fn take_heard(&self) -> Vec<Heard> {
        std::mem::take(&mut self.0.lock().unwrap().heard)
    }

    /// The steps that were carried out although their result had been kept.
    pub(crate) fn paid_again(&self) -> Vec<Task> {
        self.0.lock().unwrap().paid_again.clone()
    }

    /// Notes that a task has begun, and keeps it waiting as its pace says.
    pub(crate) async fn begin(&self, context: &Context, sent: Option<u64>, board: &Board) -> Task {
        let task = Task { superstep: context.superstep(), node: context.node().to_owned(), sent };
        let (waits, beat) = {
            let mut pages = self.0.lock().unwrap();
            pages.tasks.push((task.clone(), board.clone()));
            pages.begun += 1;
            (pages.pace.get(pages.begun % pages.pace.len().max(1)).copied().unwrap_or(0), pages.beat)
        };
        for _ in 0..waits {
            if beat.is_zero() {
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(beat).await;
            }
        }
        task
    }

    /// Notes that a task's step is carried out.
    pub(crate) fn pay(&self, task: &Task) {
        let mut pages = self.0.lock().unwrap();
        pages.paid.push(task.clone());
        if pages.kept.contains(task) {
            pages.paid_again.push(task.clone());
        }
    }

    /// Notes that the result of a task's step has been kept.
    pub(crate) fn keep(&self, task: Task) {
        self.0.lock().unwrap().kept.insert(task);
    }

    /// Notes that a task was given an answer.
    pub(crate) fn hear(&self, task: Task, answer: u64) {
        self.0.lock().unwrap().heard.push(Heard { task, answer });
    }
}
