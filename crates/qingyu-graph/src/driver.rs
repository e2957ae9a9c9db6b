//! The driver: spawns the tasks that the heart asks for, waits, stores, and asks again.

mod task;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::context::TaskScope;
use crate::event::{EventKind, Events, Question};
use crate::journal::{Change, Pending, Source, Weight, Writer};
use crate::lease::Held;
use crate::run::Outcome;
use crate::store::{JoinedWrite, Record, RecordKind};
use crate::superstep::{Checkpoint, TaskId, apply, plan, preview};
use crate::thread::{Ready, Settings};
use crate::{CompiledGraph, Delta, Error, State};
use task::{End, Ended, execute};

/// How long a cancelled run waits for its nodes to let go.
const LETTING_GO: Duration = Duration::from_secs(2);

/// One stretch of work on a thread.
pub(crate) struct Driver<S: State> {
    graph: CompiledGraph<S>,
    settings: Settings,
    thread: String,
    run: String,
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
}

/// Something of a task that the store should know even if the superstep does not end.
enum Unsaved {
    Finished(TaskId),
    Asked(TaskId, Vec<Question>),
    Failed(TaskId, String),
}

/// How a superstep went.
enum Progress {
    /// All its tasks have finished.
    Complete,
    /// Some wait for an answer.
    Waiting,
    Cancelled,
}

impl<S: State> Driver<S> {
    pub(crate) fn new(graph: CompiledGraph<S>, settings: Settings, thread: String, ready: Ready<S>) -> Self {
        let Ready { checkpoint, pending, weight, writer } = ready;
        let has_stored_writes = !pending.finished.0.is_empty();
        Self {
            graph,
            settings,
            thread,
            run: Uuid::now_v7().to_string(),
            checkpoint,
            pending,
            weight,
            writer,
            unsaved: Vec::new(),
            joined: Vec::new(),
            has_stored_writes,
        }
    }

    pub(crate) fn run_id(&self) -> &str {
        &self.run
    }

    /// Works until the run ends, and gives the lease back.
    pub(crate) async fn drive(mut self, held: Option<Held>, events: Events, stop: Stops) -> Result<Outcome<S>, Error> {
        let nodes = stop.cancel.child_token();
        let outcome = tokio::select! {
            biased;
            error = lost(held.as_ref()) => Err(error),
            outcome = self.supersteps(&events, &nodes, &stop.drain) => outcome,
        };
        // Whoever still holds a node's context sees that nobody waits for it.
        nodes.cancel();
        if let Some(held) = held {
            held.release().await;
        }
        events.end().await;
        outcome
    }

    async fn supersteps(
        &mut self,
        events: &Events,
        cancel: &CancellationToken,
        drain: &CancellationToken,
    ) -> Result<Outcome<S>, Error> {
        let mut taken = 0;
        while !self.checkpoint.next.is_empty() {
            if cancel.is_cancelled() || drain.is_cancelled() {
                return Ok(self.cancelled());
            }
            if self.checkpoint.is_breakpoint && !self.pending.has_paused {
                return self.pause(events).await;
            }
            let tasks = plan(&self.checkpoint, &self.pending.finished, |task| self.pending.is_waiting(task));
            if !tasks.is_empty() && taken == self.settings.recursion_limit {
                let next = tasks.iter().map(ToString::to_string).collect();
                return Err(Error::RecursionLimit { limit: taken, next });
            }
            taken += u32::from(!tasks.is_empty());
            match self.superstep(tasks, events, cancel).await? {
                Progress::Complete => self.commit(events).await?,
                Progress::Waiting => return Ok(self.waiting()),
                Progress::Cancelled => return Ok(self.cancelled()),
            }
        }
        if let Some((key, seen)) = self.checkpoint.joins.iter().next() {
            return Err(self.graph.inner.topology.starved(key, seen));
        }
        Ok(Outcome::Done(Arc::unwrap_or_clone(std::mem::take(&mut self.checkpoint).state)))
    }

    /// Stops at a breakpoint, and remembers it so that the next run goes on.
    async fn pause(&mut self, events: &Events) -> Result<Outcome<S>, Error> {
        let Some(writer) = &self.writer else {
            let node = self.checkpoint.next.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            return Err(Error::CannotPause { node });
        };
        writer.append(vec![writer.pause()], Vec::new()).await?;
        events.send(self.checkpoint.superstep, None, EventKind::Paused).await;
        Ok(self.waiting())
    }

    /// Runs `tasks` side by side to their ends, and keeps what each leaves behind.
    async fn superstep(
        &mut self,
        tasks: Vec<TaskId>,
        events: &Events,
        cancel: &CancellationToken,
    ) -> Result<Progress, Error> {
        let mut running = JoinSet::new();
        let mut queue = tasks.into_iter();
        let mut stop = None;
        loop {
            let free = self.settings.max_concurrency.saturating_sub(running.len());
            for task in queue.by_ref().take(free) {
                let scope = self.scope(task, events, cancel);
                running.spawn(execute(self.graph.clone(), Arc::clone(&self.checkpoint.state), scope));
            }
            let ended = tokio::select! {
                biased;
                () = cancel.cancelled() => return self.let_go(running).await,
                ended = running.join_next() => ended,
            };
            let Some(ended) = ended else { break };
            self.settle(ended, &mut stop, events).await?;
            while let Some(ended) = running.try_join_next() {
                self.settle(ended, &mut stop, events).await?;
            }
            if !running.is_empty() {
                self.save().await?;
            }
        }
        let complete = self.checkpoint.next.iter().all(|task| self.pending.finished.0.contains_key(task));
        if complete {
            return Ok(Progress::Complete);
        }
        self.save().await?;
        stop.map_or(Ok(Progress::Waiting), |Stop { error, .. }| Err(error))
    }

    /// Drops what is running, and keeps what has ended.
    async fn let_go(&mut self, mut running: JoinSet<Ended<S>>) -> Result<Progress, Error> {
        if tokio::time::timeout(LETTING_GO, running.shutdown()).await.is_err() {
            tracing::warn!(thread = %self.thread, "a cancelled node does not let go");
        }
        self.save().await?;
        Ok(Progress::Cancelled)
    }

    fn scope(&mut self, id: TaskId, events: &Events, cancel: &CancellationToken) -> Arc<TaskScope> {
        Arc::new(TaskScope {
            superstep: self.checkpoint.superstep + 1,
            thread: self.thread.clone(),
            run: self.run.clone(),
            events: events.clone(),
            cancelled: cancel.clone(),
            clock: Arc::clone(&self.settings.clock),
            payload: self.checkpoint.payload(&id),
            journal: self.writer.clone(),
            steps: Mutex::new(self.pending.steps.remove(&id).unwrap_or_default()),
            answers: self.pending.answers.get(&id).cloned().unwrap_or_default(),
            id,
        })
    }

    /// Notes how a task ended. What stops the run is left in `stop`: refusals of the engine before failures of nodes,
    /// and then the first node in declaration order, so that the error does not depend on who was faster.
    async fn settle(
        &mut self,
        ended: Result<Ended<S>, JoinError>,
        stop: &mut Option<Stop>,
        events: &Events,
    ) -> Result<(), Error> {
        let Ended { task, end } = ended.map_err(|error| Error::Broken { reason: error.to_string() })?;
        let superstep = self.checkpoint.superstep + 1;
        match end {
            End::Finished { writes, joined } => {
                if events.wanted() {
                    // What cannot be encoded is reported when it is stored, with the name of its channel.
                    if let Ok(values) = serde_json::to_value(&writes.update) {
                        events.send(superstep, Some(&task.node), EventKind::Update { values }).await;
                    }
                    events.send(superstep, Some(&task.node), EventKind::TaskFinished).await;
                }
                self.joined.extend(joined);
                self.pending.finished.0.insert(task.clone(), writes);
                self.unsaved.push(Unsaved::Finished(task));
            }
            End::Asked(questions) => {
                for question in &questions {
                    events.send(superstep, Some(&task.node), EventKind::Interrupted(question.clone())).await;
                    self.pending.ask(&task, question.clone());
                }
                self.unsaved.push(Unsaved::Asked(task, questions));
            }
            End::Failed { message, source } => {
                let node = task.node.to_string();
                let rank = self.rank(&task);
                self.unsaved.push(Unsaved::Failed(task, message.clone()));
                Stop { rank: (true, rank), error: Error::Node { node, superstep, message, source } }.note(stop);
            }
            End::Refused(error) => Stop { rank: (false, self.rank(&task)), error }.note(stop),
        }
        Ok(())
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
    async fn commit(&mut self, events: &Events) -> Result<(), Error> {
        let pending = std::mem::take(&mut self.pending);
        let joined = std::mem::take(&mut self.joined);
        self.unsaved.clear();
        let mut delta = self.writer.as_ref().map(|_| Delta::default());
        let checkpoint = std::mem::take(&mut self.checkpoint);
        let applied = apply(checkpoint, &self.graph.inner.topology, pending.finished, delta.as_mut());
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
        if let (Some(writer), Some(delta)) = (&mut self.writer, delta) {
            let graph = &self.graph.inner.blueprint;
            let change = Change { source: Source::Loop, delta, graph, whole: false };
            writer.checkpoint(&self.checkpoint, change, &mut self.weight, joined).await?;
        } else {
            refuse_joined(joined)?;
        }
        if events.wanted() {
            let next = self.checkpoint.next.iter().map(ToString::to_string).collect();
            events.send(self.checkpoint.superstep, None, EventKind::Checkpoint { next }).await;
        }
        Ok(())
    }

    fn waiting(&self) -> Outcome<S> {
        // Writes that contradict each other are reported when the superstep is complete.
        let state = preview(&self.checkpoint, &self.pending.finished);
        let state = state.unwrap_or_else(|_| S::clone(&self.checkpoint.state));
        Outcome::Waiting { state, questions: self.pending.open_questions(&self.checkpoint) }
    }

    fn cancelled(&self) -> Outcome<S> {
        Outcome::Cancelled { state: S::clone(&self.checkpoint.state) }
    }
}

/// How others stop a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stops {
    /// At once.
    pub(crate) cancel: CancellationToken,
    /// When the superstep under way has ended.
    pub(crate) drain: CancellationToken,
}

/// What stops a run, and how it ranks among the errors of the same superstep.
struct Stop {
    rank: (bool, usize),
    error: Error,
}

impl Stop {
    fn note(self, stop: &mut Option<Self>) {
        if stop.as_ref().is_none_or(|other| self.rank < other.rank) {
            *stop = Some(self);
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
