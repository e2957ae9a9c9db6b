//! What happens to the nodes of a random graph, noted beside the engine.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use qingyu_graph::Context;

use crate::board::Board;

/// Shared by all nodes of a graph; also sets their pace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Diary(Arc<Mutex<Pages>>);

#[derive(Debug, Default)]
struct Pages {
    /// How often the tasks give way to others before they go on, in the order in which they begin.
    pace: Vec<u8>,
    begun: usize,
    tasks: Vec<(Task, Board)>,
    kept: BTreeSet<Task>,
    paid_again: Vec<Task>,
}

/// One execution of a node, told from all others of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Task {
    pub(crate) superstep: i64,
    pub(crate) node: String,
    pub(crate) sent: Option<u64>,
}

impl Diary {
    pub(crate) fn new(pace: Vec<u8>) -> Self {
        Self(Arc::new(Mutex::new(Pages { pace, ..Pages::default() })))
    }

    /// The tasks that have begun since the last call, with what each saw.
    pub(crate) fn take(&self) -> Vec<(Task, Board)> {
        std::mem::take(&mut self.0.lock().unwrap().tasks)
    }

    /// The steps that were carried out although their result had been kept.
    pub(crate) fn paid_again(&self) -> Vec<Task> {
        self.0.lock().unwrap().paid_again.clone()
    }

    /// Notes that a task has begun, and keeps it waiting as its pace says.
    pub(crate) async fn begin(&self, context: &Context, sent: Option<u64>, board: &Board) -> Task {
        let task = Task { superstep: context.superstep(), node: context.node().to_owned(), sent };
        let waits = {
            let mut pages = self.0.lock().unwrap();
            pages.tasks.push((task.clone(), board.clone()));
            pages.begun += 1;
            pages.pace.get(pages.begun % pages.pace.len().max(1)).copied().unwrap_or(0)
        };
        for _ in 0..waits {
            tokio::task::yield_now().await;
        }
        task
    }

    /// Notes that a task's step is carried out.
    pub(crate) fn pay(&self, task: &Task) {
        let mut pages = self.0.lock().unwrap();
        if pages.kept.contains(task) {
            pages.paid_again.push(task.clone());
        }
    }

    /// Notes that the result of a task's step has been kept.
    pub(crate) fn keep(&self, task: Task) {
        self.0.lock().unwrap().kept.insert(task);
    }
}
