//! The driver: spawns the tasks that the heart asks for, waits, stores, and asks again.

mod running;
mod task;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::context::{Frame, RunScope, Stopped, TaskScope};
use crate::event::{EventKind, Mode};
use crate::journal::{Asked, Change, Pending, Source, Weight, Writer};
use crate::lease::Held;
use crate::run::Outcome;
use crate::store::{JoinedWrite, Record, RecordKind};
use crate::superstep::{Checkpoint, TaskId, apply, plan, preview};
use crate::thread::Ready;
use crate::{CompiledGraph, Delta, Error, State};
use running::Running;
use task::{End, Ended, execute, panic_message};

/// One stretch of work on a thread, in the graph or in one call of a subgraph.
pub(crate) struct Driver<S: State> {
    graph: CompiledGraph<S>,
    scope: Arc<RunScope>,
    checkpoint: Checkpoint<S>,
    pending: Pending<S::Update>,
    weight: Weight,
    writer: Option<Writer>,
    /// What ended in this superstep and is not stored yet.
    unsaved: Vec<Unsaved>,
    /// The writes that join the commit that stores their task.
    joined: Vec<JoinedWrite>,
    /// Whether the store has pending writes of this superstep.
    has_stored_writes: bool,
    /// The tasks of this superstep that have finished, the first first.
    #[cfg(any(test, feature = "testing"))]
    finishing: Vec<TaskId>,
}

/// Something of a task that the store should know even if the superstep does not end.
enum Unsaved {
    Finished(TaskId),
    Asked(TaskId, Vec<Asked>),
    Failed(TaskId, String),
}

/// How a superstep went.
enum Progress {
    /// All its tasks have finished.
    Complete,
    /// Some wait for an answer, or for somebody who goes on after a breakpoint.
    Waiting,
    Cancelled,
}

/// How the work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Done,
    Waiting,
    Cancelled,
}

impl<S: State> Driver<S> {
    pub(crate) fn new(graph: CompiledGraph<S>, scope: Arc<RunScope>, ready: Ready<S>) -> Self {
        let Ready { checkpoint, pending, weight, writer, .. } = ready;
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
            #[cfg(any(test, feature = "testing"))]
            finishing: Vec::new(),
        }
    }

    /// Works until the run ends, and gives the lease back.
    pub(crate) async fn drive(mut self, held: Option<Held>) -> Result<Outcome<S>, Error> {
        let outcome = tokio::select! {
            biased;
            error = lost(held.as_ref()) => Err(error),
            outcome = self.work(Keep::Always) => outcome,
        };
        // Whoever still holds a node's context sees that nobody waits for it.
        self.scope.stops.cancel.cancel();
        if let Some(held) = held {
            held.release().await;
        }
        self.scope.events.end().await;
        outcome
    }

    /// Works until nothing more can be done, and stores what has been held back.
    pub(crate) async fn work(&mut self, keep: Keep) -> Result<Outcome<S>, Error> {
        let ending = self.supersteps().await;
        let is_needed = keep == Keep::Always || !matches!(ending, Ok(Ending::Done));
        if let Some(writer) = self.writer.as_mut().filter(|_| is_needed) {
            let stored = writer.finish(&self.checkpoint, &self.graph.inner.blueprint).await;
            // Why the work ended says more than what could not be stored because of it.
            ending.as_ref().map_err(Error::clone)?;
            stored?;
        }
        Ok(match ending? {
            Ending::Done => Outcome::Done(Arc::unwrap_or_clone(std::mem::take(&mut self.checkpoint.state))),
            Ending::Waiting => self.waiting(),
            Ending::Cancelled => Outcome::Cancelled { state: S::clone(&self.checkpoint.state) },
        })
    }

    async fn supersteps(&mut self) -> Result<Ending, Error> {
        let mut taken = 0;
        while !self.checkpoint.next.is_empty() {
            if self.scope.stops.is_stopping() {
                return Ok(Ending::Cancelled);
            }
            if self.checkpoint.is_breakpoint && !self.pending.has_paused {
                self.pause().await?;
                return Ok(Ending::Waiting);
            }
            let tasks = plan(&self.checkpoint, &self.pending.finished, |task| self.pending.is_waiting(task));
            if !tasks.is_empty() && taken == self.scope.settings.recursion_limit {
                let next = tasks.iter().map(ToString::to_string).collect();
                return Err(Error::RecursionLimit { limit: taken, next });
            }
            taken += u32::from(!tasks.is_empty());
            match self.superstep(tasks).await? {
                Progress::Complete => self.commit().await?,
                Progress::Waiting => return Ok(Ending::Waiting),
                Progress::Cancelled => return Ok(Ending::Cancelled),
            }
        }
        match self.checkpoint.joins.iter().next() {
            Some((key, seen)) => Err(self.graph.inner.topology.starved(key, seen)),
            None => Ok(Ending::Done),
        }
    }

    /// Stops at a breakpoint, and remembers it so that the next run goes on.
    async fn pause(&mut self) -> Result<(), Error> {
        let Some(writer) = &self.writer else {
            let node = self.checkpoint.next.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(Error::CannotPause { node });
        };
        writer.append(vec![writer.pause()], Vec::new()).await?;
        self.scope.tell(self.checkpoint.superstep, None, EventKind::Paused).await;
        Ok(())
    }

    /// Runs `tasks` side by side to their ends, and keeps what each leaves behind.
    async fn superstep(&mut self, tasks: Vec<TaskId>) -> Result<Progress, Error> {
        let frame = self.frame();
        let mut running = Running::new(self.scope.stops.cancel.clone(), tasks.len());
        let mut queue = tasks.into_iter();
        let mut stops = Vec::new();
        loop {
            let free = self.scope.settings.max_concurrency.saturating_sub(running.len());
            for task in queue.by_ref().take(free) {
                let scope = self.task_scope(task, &frame);
                let work = execute(self.graph.clone(), Arc::clone(&self.checkpoint.state), Arc::clone(&scope));
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
                return Ok(Progress::Cancelled);
            }
            if !running.is_empty() {
                self.save().await?;
            }
        }
        if self.scope.stops.cancel.is_cancelled() {
            self.save().await?;
            return Ok(Progress::Cancelled);
        }
        if self.checkpoint.next.iter().all(|task| self.pending.finished.0.contains_key(task)) {
            return Ok(Progress::Complete);
        }
        self.save().await?;
        match stops.into_iter().min_by_key(Stop::rank) {
            Some(Stop::Refused(_, error) | Stop::Failed(_, error)) => Err(error),
            Some(Stop::Cancelled) => Ok(Progress::Cancelled),
            None => Ok(Progress::Waiting),
        }
    }

    fn frame(&self) -> Arc<Frame> {
        Arc::new(Frame {
            run: Arc::clone(&self.scope),
            superstep: self.checkpoint.superstep + 1,
            made_by: Arc::clone(&self.checkpoint.run),
            memories: self.checkpoint.memories.clone(),
            is_single: self.checkpoint.next.len() == 1,
            journal: self.writer.clone(),
        })
    }

    fn task_scope(&mut self, id: TaskId, frame: &Arc<Frame>) -> Arc<TaskScope> {
        Arc::new(TaskScope {
            frame: Arc::clone(frame),
            payload: self.checkpoint.payload(&id),
            steps: Mutex::new(self.pending.steps.remove(&id).unwrap_or_default()),
            answers: self.pending.answers.get(&id).cloned().unwrap_or_default(),
            calls: AtomicUsize::new(0),
            id,
        })
    }

    /// Notes how a task ended. What stops the run is added to `stops`.
    async fn settle(&mut self, Ended { task, end }: Ended<S>, stops: &mut Vec<Stop>) {
        let superstep = self.checkpoint.superstep + 1;
        match end {
            End::Finished { writes, joined } => {
                if self.scope.events.wanted(Mode::Updates) {
                    // What cannot be encoded is reported when it is stored, with the name of its channel.
                    if let Ok(values) = serde_json::to_value(&writes.update) {
                        self.scope.tell(superstep, Some(&task), EventKind::Update { values }).await;
                    }
                }
                self.scope.tell(superstep, Some(&task), EventKind::TaskFinished).await;
                self.joined.extend(joined);
                #[cfg(any(test, feature = "testing"))]
                self.finishing.push(task.clone());
                self.pending.finished.0.insert(task.clone(), writes);
                self.unsaved.push(Unsaved::Finished(task));
            }
            End::Asked(questions) => {
                let path = self.scope.events.path_of(&task);
                for question in &questions {
                    // What a subgraph asks it has told itself.
                    if question.path == path {
                        self.scope.tell(superstep, Some(&task), EventKind::Interrupted(question.clone())).await;
                    }
                }
                let asked: Vec<_> = questions.into_iter().map(|question| Asked::new(question, &path)).collect();
                asked.iter().for_each(|asked| self.pending.ask(&task, asked.clone()));
                self.unsaved.push(Unsaved::Asked(task, asked));
            }
            End::Failed { message, source } => {
                let node = self.scope.events.path_of(&task.node);
                let rank = self.rank(&task);
                self.unsaved.push(Unsaved::Failed(task, message.clone()));
                stops.push(Stop::Failed(rank, Error::Node { node, superstep, message, source }));
            }
            End::Refused(error) => stops.push(Stop::Refused(self.rank(&task), error)),
            End::Stopped(Stopped::Cancelled) => stops.push(Stop::Cancelled),
            End::Stopped(Stopped::Paused) => {}
        }
    }

    fn rank(&self, task: &TaskId) -> usize {
        self.checkpoint.next.iter().position(|other| other == task).unwrap_or(usize::MAX)
    }

    /// Stores what ended since the last time, so that a crash does not lose it.
    async fn save(&mut self) -> Result<(), Error> {
        let unsaved = std::mem::take(&mut self.unsaved);
        let joined = std::mem::take(&mut self.joined);
        let Some(writer) = &self.writer else { return refuse_joined(joined) };
        let mut records: Vec<Record> = Vec::new();
        for item in unsaved {
            match item {
                Unsaved::Finished(task) => {
                    let Some(writes) = self.pending.finished.0.get(&task) else { continue };
                    let record = writer.record(RecordKind::Writes, &task, "", writes);
                    records.push(record.map_err(|error| blame::<S>(&task, &writes.update).unwrap_or(error))?);
                    self.has_stored_writes = true;
                }
                Unsaved::Asked(task, questions) => {
                    for question in &questions {
                        records.push(writer.question(&task, question)?);
                    }
                }
                Unsaved::Failed(task, message) => records.push(writer.failure(&task, message)?),
            }
        }
        if !records.is_empty() {
            writer.append(records, joined).await?;
        }
        Ok(())
    }

    /// Applies the finished superstep and stores the checkpoint, in one commit.
    async fn commit(&mut self) -> Result<(), Error> {
        let pending = std::mem::take(&mut self.pending);
        let joined = std::mem::take(&mut self.joined);
        self.unsaved.clear();
        let mut delta = self.writer.as_ref().filter(|writer| writer.wants_deltas()).map(|_| Delta::default());
        #[cfg(any(test, feature = "testing"))]
        self.misorder();
        let before = std::mem::take(&mut self.checkpoint);
        let checkpoint = Checkpoint { run: Arc::clone(&self.scope.run), ..before };
        let superstep = checkpoint.superstep + 1;
        let routes = |node: &str, state: &S| {
            let chosen = catch_unwind(AssertUnwindSafe(|| self.graph.inner.choose(node, state)));
            let path = || self.scope.events.path_of(node);
            chosen.unwrap_or_else(|panic| {
                Err(Error::Node { node: path(), superstep, message: panic_message(panic.as_ref()), source: None })
            })
        };
        let applied = apply(checkpoint, &self.graph.inner.topology, pending.finished, delta.as_mut(), routes);
        let stored_writes = std::mem::take(&mut self.has_stored_writes);
        self.checkpoint = match (applied, &self.writer) {
            (Ok(checkpoint), _) => checkpoint,
            (Err(error), Some(writer)) if stored_writes => {
                // Writes that cannot be brought together must not come back: the nodes run again instead.
                writer.append(vec![writer.discard()], Vec::new()).await?;
                return Err(error);
            }
            (Err(error), _) => return Err(error),
        };
        if let Some(writer) = &mut self.writer {
            let graph = &self.graph.inner.blueprint;
            let change = Change { source: Source::Loop, delta: delta.unwrap_or_default(), graph, whole: false };
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

    /// The planted bug of [`crate::Thread::folding_in_finishing_order`].
    #[cfg(any(test, feature = "testing"))]
    fn misorder(&mut self) {
        let finishing = std::mem::take(&mut self.finishing);
        if self.scope.settings.in_finishing_order {
            let place = |task: &TaskId| finishing.iter().position(|finished| finished == task);
            self.checkpoint.next.sort_by_key(place);
        }
    }

    fn waiting(&self) -> Outcome<S> {
        // Writes that contradict each other are reported when the superstep is complete.
        let state = preview(&self.checkpoint, &self.pending.finished);
        let state = state.unwrap_or_else(|_| S::clone(&self.checkpoint.state));
        Outcome::Waiting { state, questions: self.pending.open_questions(&self.checkpoint) }
    }
}

/// What of a run is stored that has come to its end, if it was held back until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    Always,
    /// Nothing, since somebody else has the result.
    Unfinished,
}

/// How others stop a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stops {
    /// At once.
    pub(crate) cancel: CancellationToken,
    /// When the superstep under way has ended.
    pub(crate) drain: CancellationToken,
}

impl Stops {
    fn is_stopping(&self) -> bool {
        self.cancel.is_cancelled() || self.drain.is_cancelled()
    }
}

/// What stops a run, with the place of the task among those of the superstep.
enum Stop {
    /// The engine refused something.
    Refused(usize, Error),
    /// A node failed.
    Failed(usize, Error),
    /// A subgraph was cancelled or drained.
    Cancelled,
}

impl Stop {
    /// Refusals of the engine come before failures of nodes, and then the first in declaration order, so that the error
    /// does not depend on who was faster.
    fn rank(&self) -> (u8, usize) {
        match self {
            Self::Refused(place, _) => (0, *place),
            Self::Failed(place, _) => (1, *place),
            Self::Cancelled => (2, 0),
        }
    }
}

/// The error that names the channel which cannot be stored.
fn blame<S: State>(task: &TaskId, update: &S::Update) -> Option<Error> {
    let updates = vec![(Arc::clone(&task.node), update.clone())];
    S::default().fold(updates, Some(&mut Delta::default())).err()
}

/// Without a store there is no commit to join.
fn refuse_joined(joined: Vec<JoinedWrite>) -> Result<(), Error> {
    joined.into_iter().next().map_or(Ok(()), |write| Err(Error::CannotJoin { node: write.node }))
}

async fn lost(held: Option<&Held>) -> Error {
    match held {
        Some(held) => held.lost().await,
        None => std::future::pending().await,
    }
}
