//! The running tasks of one superstep.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::task::EndedTask;
use crate::context::TaskScope;
use crate::error::Error;
use crate::workers::{is_off_workers, off_workers};

/// The timeout for nodes of a cancelled run to end, and for subgraphs to store their results.
const LETTING_GO: Duration = Duration::from_secs(2);

/// Runs tasks and returns them when they have ended.
pub(super) struct RunningTasks {
    cancel: CancellationToken,
    /// The only task of a superstep runs without a spawn: a move to another core would cost more than most nodes do.
    alone: Option<(Arc<TaskScope>, Work)>,
    is_single: bool,
    spawned: JoinSet<EndedTask>,
    handles: Vec<(Arc<TaskScope>, AbortHandle)>,
}

type Work = Pin<Box<dyn Future<Output = EndedTask> + Send>>;

impl RunningTasks {
    /// Returns an empty set for a superstep of `tasks` tasks.
    pub(super) fn new(cancel: CancellationToken, tasks: usize) -> Self {
        Self { cancel, alone: None, is_single: tasks == 1, spawned: JoinSet::new(), handles: Vec::new() }
    }

    pub(super) fn spawn(&mut self, scope: Arc<TaskScope>, work: impl Future<Output = EndedTask> + Send + 'static) {
        if self.is_single {
            self.alone = Some((scope, Box::pin(work)));
        } else {
            let work = work.in_current_span();
            // Tasks of a run kept off the workers are kept off too; for all other runs the wrapper would cost more than
            // most nodes do.
            let handle = match is_off_workers() {
                true => self.spawned.spawn(off_workers(work)),
                false => self.spawned.spawn(work),
            };
            self.handles.push((scope, handle));
        }
    }

    /// Returns the number of spawned tasks; the only task of a superstep is not spawned and does not count.
    pub(super) fn len(&self) -> usize {
        self.spawned.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits for a task and returns all tasks that have ended; empty if there is none, or if all were dropped because
    /// the run was cancelled.
    pub(super) async fn next(&mut self) -> Vec<Result<EndedTask, Error>> {
        if let Some((scope, mut work)) = self.alone.take() {
            let ended = tokio::select! {
                biased;
                () = self.cancel.cancelled() => match is_calling(&scope) {
                    true => timeout(LETTING_GO, work).await.ok(),
                    false => None,
                },
                ended = &mut work => Some(ended),
            };
            return ended.into_iter().map(Ok).collect();
        }
        let first = tokio::select! {
            biased;
            () = self.cancel.cancelled() => return self.let_go().await,
            first = self.spawned.join_next() => first,
        };
        let mut ended: Vec<_> = first.into_iter().collect();
        while let Some(another) = self.spawned.try_join_next() {
            ended.push(another);
        }
        ended.into_iter().map(|ended| ended.map_err(|error| Error::broken(&error))).collect()
    }

    /// Aborts running nodes, and waits for subgraphs until the timeout.
    async fn let_go(&mut self) -> Vec<Result<EndedTask, Error>> {
        for (scope, handle) in &self.handles {
            if !is_calling(scope) {
                handle.abort();
            }
        }
        let mut ended = Vec::new();
        let gather = async {
            while let Some(one) = self.spawned.join_next().await {
                ended.extend(one.map(Ok).or_else(|error| keep_panic(&error)));
            }
        };
        if timeout(LETTING_GO, gather).await.is_err() {
            tracing::warn!("cancelled node did not stop in time; it is aborted");
            self.spawned.abort_all();
        }
        ended
    }
}

/// Returns the error of a panic; `Err` for an aborted task, which is no failure.
fn keep_panic<T>(error: &JoinError) -> Result<Result<T, Error>, ()> {
    if error.is_cancelled() { Err(()) } else { Ok(Err(Error::broken(error))) }
}

fn is_calling(scope: &TaskScope) -> bool {
    scope.calls.load(Ordering::SeqCst) > 0
}
