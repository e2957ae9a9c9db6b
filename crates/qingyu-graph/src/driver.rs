//! The driver: spawns the due tasks, waits for results, commits checkpoints, and repeats.

mod running;
mod task;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use crate::any_state::{AnyState, AnyUpdate};
use crate::breakpoint::Breakpoints;
use crate::compiled::CompiledParts;
use crate::context::{RunScope, SuperstepScope, TaskScope};
use crate::error::Error;
use crate::event::{EventKind, Mode};
use crate::journal::{
    CheckpointChange, OpenQuestion, PendingSuperstep, ReachedBreakpoint, ReplayWeight, Source, ThreadJournalWriter,
};
use crate::lease::HeldLease;
use crate::outcome::Outcome;
use crate::ready::ReadyThread;
use crate::state::Delta;
use crate::stop::StopReason;
use crate::store::{JoinedWrite, JournalRecord};
use crate::superstep::{Checkpoint, apply, plan, preview};
use crate::task_id::TaskId;
use running::RunningTasks;
use task::{EndedTask, TaskEnd, execute, panic_message};

/// The execution of one run on a thread, in the graph or in one call of a subgraph.
pub(crate) struct GraphDriver {
    graph: Arc<CompiledParts>,
    scope: Arc<RunScope>,
    checkpoint: Checkpoint,
    pending: PendingSuperstep,
    weight: ReplayWeight,
    writer: Option<ThreadJournalWriter>,
    /// The results of the superstep that are not stored yet.
    unsaved: Vec<UnsavedResult>,
    /// The writes that join the next commit.
    joined: Vec<JoinedWrite>,
    /// Whether the store has pending writes of the superstep.
    has_stored_writes: bool,
    /// The nodes of the last superstep with a breakpoint after them.
    stops_after: Vec<String>,
    /// The finished tasks of the superstep, in finishing order.
    #[cfg(any(test, feature = "testing"))]
    finishing: Vec<TaskId>,
}

/// A result of a task, stored even if the superstep does not finish.
enum UnsavedResult {
    Finished(TaskId),
    Asked(TaskId, Vec<OpenQuestion>),
    Failed(TaskId, String),
}

/// The result of a superstep.
enum SuperstepProgress {
    /// All tasks have finished.
    Complete,
    /// Some tasks wait for an answer, or for a resume after a breakpoint.
    Waiting,
    Cancelled,
}

/// The reason the driver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DriverEnding {
    Done,
    Waiting,
    Cancelled,
}

impl GraphDriver {
    pub(crate) fn new(graph: Arc<CompiledParts>, scope: Arc<RunScope>, ready: ReadyThread) -> Self {
        let ReadyThread { checkpoint, pending, weight, writer, .. } = ready;
        let has_stored_writes = !pending.finished.0.is_empty();
        Self {
            graph,
            scope,
            checkpoint,
            pending,
            weight,
            writer,
            unsaved: Vec::new(),
            joined: Vec::new(),
            has_stored_writes,
            stops_after: Vec::new(),
            #[cfg(any(test, feature = "testing"))]
            finishing: Vec::new(),
        }
    }

    /// Works until the run ends, then releases the lease.
    pub(crate) async fn drive(mut self, held: Option<HeldLease>) -> Result<Outcome<AnyState>, Error> {
        let outcome = tokio::select! {
            biased;
            error = lost(held.as_ref()) => Err(error),
            outcome = self.work(HeldBackPolicy::Always) => outcome,
        };
        // Signals leaked node contexts that no caller waits any more.
        self.scope.stops.cancel.cancel();
        if let Some(held) = held {
            held.release().await;
        }
        self.scope.events.end().await;
        outcome
    }

    /// Runs supersteps until nothing more can be done, and stores the buffered records.
    pub(crate) async fn work(&mut self, keep: HeldBackPolicy) -> Result<Outcome<AnyState>, Error> {
        let ending = self.supersteps().await;
        let is_needed = keep == HeldBackPolicy::Always || !matches!(ending, Ok(DriverEnding::Done));
        if let Some(writer) = self.writer.as_mut().filter(|_| is_needed) {
            let stored = writer.finish(&self.checkpoint, &self.graph.blueprint).await;
            // The reason for the end takes precedence over a failure to store.
            ending.as_ref().map_err(Error::clone)?;
            stored?;
        }
        Ok(match ending? {
            DriverEnding::Done => Outcome::Done(self.checkpoint.state.clone()),
            DriverEnding::Waiting => self.waiting(),
            DriverEnding::Cancelled => Outcome::Cancelled { state: self.checkpoint.state.clone() },
        })
    }

    async fn supersteps(&mut self) -> Result<DriverEnding, Error> {
        let mut taken = 0;
        while !self.checkpoint.next.is_empty() {
            if self.scope.stops.is_stopping() {
                return Ok(DriverEnding::Cancelled);
            }
            if self.checkpoint.is_breakpoint && self.pending.breakpoint.is_none() {
                self.pause().await?;
                return Ok(DriverEnding::Waiting);
            }
            let tasks = plan(&self.checkpoint, &self.pending.finished, |task| self.pending.is_waiting(task));
            if !tasks.is_empty() && taken == self.scope.settings.recursion_limit {
                let next = tasks.iter().map(ToString::to_string).collect();
                return Err(Error::RecursionLimit { limit: taken, next });
            }
            taken += u32::from(!tasks.is_empty());
            match self.superstep(tasks).await? {
                SuperstepProgress::Complete => self.commit().await?,
                SuperstepProgress::Waiting => return Ok(DriverEnding::Waiting),
                SuperstepProgress::Cancelled => return Ok(DriverEnding::Cancelled),
            }
        }
        match self.checkpoint.joins.iter().next() {
            Some((key, seen)) => Err(self.graph.topology.starved(key, seen)),
            None => Ok(DriverEnding::Done),
        }
    }

    /// Stops at a breakpoint and records the pause, so that the next run continues.
    async fn pause(&mut self) -> Result<(), Error> {
        let Some(writer) = &self.writer else {
            let node = self.checkpoint.next.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(Error::CannotPause { node });
        };
        let record = writer.pause(&self.reached_breakpoint())?;
        writer.append(vec![record], Vec::new()).await?;
        self.scope.tell(self.checkpoint.superstep, None, EventKind::Paused).await;
        Ok(())
    }

    /// Returns the nodes before and after which the run stops at the current checkpoint.
    fn reached_breakpoint(&self) -> ReachedBreakpoint {
        let is_before = |node: &str| {
            let is_of_graph = self.graph.topology.shape(node).is_ok_and(|shape| shape.pauses_before);
            is_of_graph || self.breakpoints().is_some_and(|set| set.before.contains(node))
        };
        ReachedBreakpoint { before: nodes(&self.checkpoint.next, is_before), after: self.stops_after.clone() }
    }

    /// Returns the nodes of `tasks` with a breakpoint after them.
    fn stops_after(&self, tasks: &[TaskId]) -> Vec<String> {
        nodes(tasks, |node| {
            let is_of_graph = self.graph.topology.shape(node).is_ok_and(|shape| shape.pauses_after);
            is_of_graph || self.breakpoints().is_some_and(|set| set.after.contains(node))
        })
    }

    /// Returns the breakpoints of the thread's runs; `None` in a call of a subgraph, whose nodes have names of their own.
    fn breakpoints(&self) -> Option<&Breakpoints> {
        self.scope.caller.is_none().then_some(&*self.scope.settings.breakpoints)
    }

    /// Runs `tasks` concurrently to the end and records their results.
    async fn superstep(&mut self, tasks: Vec<TaskId>) -> Result<SuperstepProgress, Error> {
        let frame = self.frame();
        let mut running = RunningTasks::new(self.scope.stops.cancel.clone(), tasks.len());
        let mut queue = tasks.into_iter();
        let mut stops = Vec::new();
        loop {
            let free = self.scope.settings.max_concurrency.saturating_sub(running.len());
            for task in queue.by_ref().take(free) {
                let scope = self.task_scope(task, &frame);
                let work = execute(Arc::clone(&self.graph), self.checkpoint.state.clone(), Arc::clone(&scope));
                running.spawn(scope, work);
            }
            let ended = running.next().await;
            if ended.is_empty() {
                break;
            }
            for ended in ended {
                self.settle(ended?, &mut stops).await;
            }
            if self.scope.stops.cancel.is_cancelled() {
                self.save().await?;
                return Ok(SuperstepProgress::Cancelled);
            }
            if !running.is_empty() {
                self.save().await?;
            }
        }
        if self.scope.stops.cancel.is_cancelled() {
            self.save().await?;
            return Ok(SuperstepProgress::Cancelled);
        }
        if self.checkpoint.next.iter().all(|task| self.pending.finished.0.contains_key(task)) {
            return Ok(SuperstepProgress::Complete);
        }
        self.save().await?;
        match stops.into_iter().min_by_key(StopCause::rank) {
            Some(StopCause::Refused(_, error) | StopCause::Failed(_, error)) => Err(error),
            Some(StopCause::Cancelled) => Ok(SuperstepProgress::Cancelled),
            None => Ok(SuperstepProgress::Waiting),
        }
    }

    fn frame(&self) -> Arc<SuperstepScope> {
        Arc::new(SuperstepScope {
            run: Arc::clone(&self.scope),
            superstep: self.checkpoint.superstep + 1,
            made_by: Arc::clone(&self.checkpoint.run),
            memories: self.checkpoint.memories.clone(),
            is_single: self.checkpoint.next.len() == 1,
            journal: self.writer.clone(),
        })
    }

    fn task_scope(&mut self, id: TaskId, frame: &Arc<SuperstepScope>) -> Arc<TaskScope> {
        Arc::new(TaskScope {
            frame: Arc::clone(frame),
            payload: self.checkpoint.payload(&id),
            steps: Mutex::new(self.pending.steps.remove(&id).unwrap_or_default()),
            answers: self.pending.answers.get(&id).cloned().unwrap_or_default(),
            calls: AtomicUsize::new(0),
            id,
        })
    }

    /// Records the end of a task. Appends to `stops` if the end stops the run.
    async fn settle(&mut self, EndedTask { task, end }: EndedTask, stops: &mut Vec<StopCause>) {
        let superstep = self.checkpoint.superstep + 1;
        match end {
            TaskEnd::Finished { writes, joined } => {
                if self.scope.events.wanted(Mode::Updates) {
                    // A value that fails to serialize is reported when stored, with the name of the channel.
                    if let Ok(values) = writes.update.to_value() {
                        self.scope.tell(superstep, Some(&task), EventKind::Update { values }).await;
                    }
                }
                self.scope.tell(superstep, Some(&task), EventKind::TaskFinished).await;
                self.joined.extend(joined);
                #[cfg(any(test, feature = "testing"))]
                self.finishing.push(task.clone());
                self.pending.finished.0.insert(task.clone(), writes);
                self.unsaved.push(UnsavedResult::Finished(task));
            }
            TaskEnd::Asked(questions) => {
                let path = self.scope.events.path_of(&task);
                for question in &questions {
                    // The subgraph has already sent events for its own questions.
                    if question.path == path {
                        self.scope.tell(superstep, Some(&task), EventKind::Interrupted(question.clone())).await;
                    }
                }
                let asked: Vec<_> = questions.into_iter().map(|question| OpenQuestion::new(question, &path)).collect();
                asked.iter().for_each(|asked| self.pending.ask(&task, asked.clone()));
                self.unsaved.push(UnsavedResult::Asked(task, asked));
            }
            TaskEnd::Failed { message, source } => {
                let node = self.scope.events.path_of(&task.node);
                let rank = self.rank(&task);
                self.unsaved.push(UnsavedResult::Failed(task, message.clone()));
                stops.push(StopCause::Failed(rank, Error::Node { node, superstep, message, source }));
            }
            TaskEnd::Refused(error) => stops.push(StopCause::Refused(self.rank(&task), error)),
            TaskEnd::Stopped(StopReason::Cancelled) => stops.push(StopCause::Cancelled),
            TaskEnd::Stopped(StopReason::Paused) => {}
        }
    }

    fn rank(&self, task: &TaskId) -> usize {
        self.checkpoint.next.iter().position(|other| other == task).unwrap_or(usize::MAX)
    }

    /// Stores the results since the last call, so that a crash does not lose them.
    async fn save(&mut self) -> Result<(), Error> {
        let unsaved = std::mem::take(&mut self.unsaved);
        let joined = std::mem::take(&mut self.joined);
        let Some(writer) = &self.writer else { return refuse_joined(joined) };
        let mut records: Vec<JournalRecord> = Vec::new();
        for item in unsaved {
            match item {
                UnsavedResult::Finished(task) => {
                    let Some(writes) = self.pending.finished.0.get(&task) else { continue };
                    let record = writer.writes(&task, writes);
                    records.push(record.map_err(|error| self.blame(&task, &writes.update).unwrap_or(error))?);
                    self.has_stored_writes = true;
                }
                UnsavedResult::Asked(task, questions) => {
                    for question in &questions {
                        records.push(writer.question(&task, question)?);
                    }
                }
                UnsavedResult::Failed(task, message) => records.push(writer.failure(&task, message)?),
            }
        }
        if !records.is_empty() {
            writer.append(records, joined).await?;
        }
        Ok(())
    }

    /// Returns an error that names the channel whose value fails to serialize; `None` if all succeed.
    fn blame(&self, task: &TaskId, update: &AnyUpdate) -> Option<Error> {
        let updates = vec![(Arc::clone(&task.node), update.clone())];
        (self.graph.state.empty)().fold(updates, Some(&mut Delta::default())).err()
    }

    /// Applies the finished superstep and stores the checkpoint, in one commit.
    async fn commit(&mut self) -> Result<(), Error> {
        let pending = std::mem::take(&mut self.pending);
        let joined = std::mem::take(&mut self.joined);
        self.unsaved.clear();
        let mut delta = self.writer.as_ref().filter(|writer| writer.wants_deltas()).map(|_| Delta::default());
        #[cfg(any(test, feature = "testing"))]
        self.misorder();
        // A checkpoint that is stored at the end of the run is needed if its writes cannot be applied.
        let is_owed = self.writer.as_ref().is_some_and(ThreadJournalWriter::owes_checkpoint);
        let kept = if is_owed { self.checkpoint.clone() } else { Checkpoint::of((self.graph.state.empty)()) };
        let before = std::mem::replace(&mut self.checkpoint, kept);
        let checkpoint = Checkpoint { run: Arc::clone(&self.scope.run), ..before };
        let superstep = checkpoint.superstep + 1;
        let stops_after = self.stops_after(&checkpoint.next);
        let routes = |node: &str, state: &AnyState| {
            let chosen = catch_unwind(AssertUnwindSafe(|| self.graph.choose(node, state)));
            let path = || self.scope.events.path_of(node);
            chosen.unwrap_or_else(|panic| {
                Err(Error::Node { node: path(), superstep, message: panic_message(panic.as_ref()), source: None })
            })
        };
        let applied = apply(checkpoint, &self.graph.topology, pending.finished, delta.as_mut(), routes);
        let stored_writes = std::mem::take(&mut self.has_stored_writes);
        self.checkpoint = match (applied, &self.writer) {
            (Ok(checkpoint), _) => checkpoint,
            (Err(error), Some(writer)) if stored_writes => {
                // Conflicting writes must not be replayed: the nodes run again instead.
                writer.append(vec![writer.discard()], Vec::new()).await?;
                return Err(error);
            }
            (Err(error), _) => return Err(error),
        };
        if self.scope.caller.is_none() {
            let breakpoints = Arc::clone(&self.scope.settings.breakpoints);
            breakpoints.mark(&mut self.checkpoint, stops_after.iter().map(String::as_str));
        }
        self.stops_after = stops_after;
        if let Some(writer) = &mut self.writer {
            let graph = &self.graph.blueprint;
            let change =
                CheckpointChange { source: Source::Loop, delta: delta.unwrap_or_default(), graph, whole: false };
            writer.checkpoint(&self.checkpoint, change, &mut self.weight, joined).await?;
        } else {
            refuse_joined(joined)?;
        }
        let Checkpoint { superstep, next, .. } = &self.checkpoint;
        if self.scope.events.wanted(Mode::Values) {
            let values = self.checkpoint.state.encode()?.into();
            self.scope.tell(*superstep, None, EventKind::Values { values }).await;
        }
        if self.scope.events.wanted(Mode::Checkpoints) {
            let next = next.iter().map(ToString::to_string).collect();
            self.scope.tell(*superstep, None, EventKind::Checkpoint { next }).await;
        }
        Ok(())
    }

    /// Implements the deliberate bug of `Thread::folding_in_finishing_order`.
    #[cfg(any(test, feature = "testing"))]
    fn misorder(&mut self) {
        let finishing = std::mem::take(&mut self.finishing);
        if self.scope.settings.in_finishing_order {
            let place = |task: &TaskId| finishing.iter().position(|finished| finished == task);
            self.checkpoint.next.sort_by_key(place);
        }
    }

    fn waiting(&self) -> Outcome<AnyState> {
        // Conflicting writes are reported when the superstep is complete.
        let state = preview(&self.checkpoint, &self.pending.finished);
        let state = state.unwrap_or_else(|_| self.checkpoint.state.clone());
        Outcome::Waiting { state, questions: self.pending.open_questions(&self.checkpoint) }
    }
}

/// Returns the nodes of `tasks` that fit, without repetitions.
fn nodes(tasks: &[TaskId], fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut nodes: Vec<String> = tasks.iter().map(|task| task.node.to_string()).filter(|node| fits(node)).collect();
    nodes.dedup();
    nodes
}

/// Whether the buffered records of a finished run are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeldBackPolicy {
    Always,
    /// Stores nothing of a finished run, since the caller has the result.
    Unfinished,
}

/// A reason to stop a run, with the index of the task in the superstep.
enum StopCause {
    /// The engine refused a call.
    Refused(usize, Error),
    /// A node failed.
    Failed(usize, Error),
    /// A subgraph was cancelled or drained.
    Cancelled,
}

impl StopCause {
    /// Returns the sort key: engine errors before node failures, then declaration order, so that the returned error
    /// does not depend on timing.
    fn rank(&self) -> (u8, usize) {
        match self {
            Self::Refused(place, _) => (0, *place),
            Self::Failed(place, _) => (1, *place),
            Self::Cancelled => (2, 0),
        }
    }
}

/// Returns an error if there are joined writes: without a store there is no commit to join.
fn refuse_joined(joined: Vec<JoinedWrite>) -> Result<(), Error> {
    joined.into_iter().next().map_or(Ok(()), |write| Err(Error::CannotJoin { node: write.node }))
}

async fn lost(held: Option<&HeldLease>) -> Error {
    match held {
        Some(held) => held.lost().await,
        None => std::future::pending().await,
    }
}
