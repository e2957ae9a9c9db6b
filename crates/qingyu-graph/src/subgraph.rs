//! Graphs inside nodes.
//!
//! A call of a subgraph is a part of the thread: the call shares lease and journal, but has a separate scope with
//! separate checkpoints. The scope's name is derived from the checkpoint and the calling task, so that a resumed run
//! finds the scope again and a fork does not.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::any_state::{AnyState, AnyUpdate};
use crate::call_path::path_of;
use crate::command::Command;
use crate::compiled::{CompiledGraph, CompiledParts, Memory};
use crate::context::{Context, RunScope, TaskScope};
use crate::driver::{GraphDriver, HeldBackPolicy};
use crate::error::Error;
use crate::graph::Graph;
use crate::journal::{CallSite, CheckpointChange, PendingSuperstep, ReplayWeight, Source, ThreadJournalWriter};
use crate::loaded::LoadedThread;
use crate::node::NodeError;
use crate::outcome::Outcome;
use crate::ready::{ReadyThread, first_checkpoint};
use crate::state::{Delta, State};
use crate::stop::StopReason;
use crate::superstep::RememberedCall;

impl<S: State> Graph<S> {
    /// Declares that `node` calls `subgraph`, for drawings; the last declaration wins. [`Graph::subgraph`] declares the
    /// call by default.
    #[must_use]
    pub fn calls<C: State>(mut self, node: impl Into<String>, subgraph: &CompiledGraph<C>) -> Self {
        self.definition.subgraphs.push((node.into(), subgraph.drawing().clone()));
        self
    }

    /// Adds a node that runs a graph with a separate state, as [`Context::call`] does.
    ///
    /// `input` returns the input of the call, `output` converts the final state into the node's command. Channels of
    /// the subgraph start empty, so a list returns only the call's own additions.
    #[must_use]
    pub fn subgraph<C: State, O: Into<Command<S>>>(
        self,
        name: impl Into<String>,
        subgraph: CompiledGraph<C>,
        input: impl Fn(&S, &Context) -> Result<C::Update, NodeError> + Send + Sync + 'static,
        output: impl Fn(C) -> O + Send + Sync + 'static,
    ) -> Self {
        let name = name.into();
        let drawn = self.calls(name.clone(), &subgraph);
        let parts = Arc::new((subgraph, input, output));
        drawn.node(name, move |state: Arc<S>, context: Context| {
            let parts = Arc::clone(&parts);
            async move {
                let (subgraph, input, output) = &*parts;
                let input = input(&state, &context)?;
                let end = context.call("", subgraph, input).await?;
                Ok::<Command<S>, NodeError>(output(end).into())
            }
        })
    }
}

impl Context {
    /// Runs a graph inside the node and returns the final state.
    ///
    /// The call is a part of the thread: its questions are questions of the thread, and after a pause or a crash the
    /// call continues from its own last checkpoint, whatever `input` is then; once the call has ended, the same state
    /// is returned again. `key` distinguishes the calls of one execution of a node. The thread's recursion limit
    /// applies to each call.
    pub async fn call<C: State>(
        &self,
        key: &str,
        subgraph: &CompiledGraph<C>,
        input: impl Into<C::Update>,
    ) -> Result<C, NodeError> {
        let end = self.call_any(key, &subgraph.inner, subgraph.memory, AnyUpdate::new(input.into())).await?;
        Ok(end.owned())
    }

    async fn call_any(
        &self,
        key: &str,
        subgraph: &Arc<CompiledParts>,
        memory: Memory,
        input: AnyUpdate,
    ) -> Result<AnyState, NodeError> {
        self.use_key("call", key)?;
        let caller = call_site(&self.task, key);
        let scope = caller.scope_of_call();
        let writer = self.task.frame.journal.as_ref().filter(|_| memory != Memory::None);
        let ready = match writer {
            Some(writer) => {
                let writer = writer.of_call(&scope, caller.clone());
                self.prepare(subgraph, memory, input, writer, &caller.place()).await?
            }
            None => ReadyThread::without_store(subgraph, input)?,
        };
        let outcome = {
            let _calling = CallGuard::begin(&self.task);
            let mut driver = GraphDriver::new(Arc::clone(subgraph), self.run_scope(&scope), ready);
            let keep = if memory == Memory::Thread { HeldBackPolicy::Always } else { HeldBackPolicy::Unfinished };
            driver.work(keep).await
        };
        self.end_call(outcome, || RememberedCall { place: caller.place(), scope }, memory)
    }

    /// Loads the call as stored, or starts a new call.
    async fn prepare(
        &self,
        subgraph: &CompiledParts,
        memory: Memory,
        input: AnyUpdate,
        mut writer: ThreadJournalWriter,
        place: &str,
    ) -> Result<ReadyThread, Error> {
        let run = Arc::clone(&self.task.frame.run.run);
        let blueprint = &subgraph.blueprint;
        if let Some(mut loaded) = load(subgraph, &writer, writer.scope()).await? {
            let is_finished = loaded.checkpoint.next.is_empty();
            loaded.refuse_changed(self.thread_id(), blueprint, is_finished)?;
            writer.build_on(loaded.head, loaded.branch);
            loaded.pending.take_answers(&self.task.answers);
            let LoadedThread { checkpoint, pending, weight, .. } = loaded;
            return Ok(ReadyThread { run, checkpoint, pending, weight, writer: Some(writer) });
        }
        let before = match self.task.frame.memories.get(place).filter(|_| memory == Memory::Thread) {
            Some(last) => load(subgraph, &writer, last).await?,
            None => None,
        };
        if let Some(before) = &before {
            before.refuse_changed(self.thread_id(), blueprint, true)?;
        }
        let before = before.map(|loaded| loaded.checkpoint);
        let checkpoint = first_checkpoint(subgraph, &run, before, input, None)?;
        let mut weight = ReplayWeight::default();
        let change = CheckpointChange { source: Source::Input, delta: Delta::default(), graph: blueprint, whole: true };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        Ok(ReadyThread { run, checkpoint, pending: PendingSuperstep::default(), weight, writer: Some(writer) })
    }

    fn run_scope(&self, scope: &str) -> Arc<RunScope> {
        let outer = &self.task.frame.run;
        Arc::new(RunScope {
            thread: Arc::clone(&outer.thread),
            run: Arc::clone(&outer.run),
            scope: scope.into(),
            caller: Some(self.clone()),
            events: outer.events.of_call(path_of(scope)),
            stops: outer.stops.clone(),
            settings: outer.settings.clone(),
        })
    }

    fn end_call(
        &self,
        outcome: Result<Outcome<AnyState>, Error>,
        call: impl FnOnce() -> RememberedCall,
        memory: Memory,
    ) -> Result<AnyState, NodeError> {
        match outcome {
            Ok(Outcome::Done(state)) => {
                if memory == Memory::Thread {
                    self.remember(call());
                }
                Ok(state)
            }
            Ok(Outcome::Waiting { questions, .. }) => {
                if questions.is_empty() {
                    self.stop(StopReason::Paused);
                }
                self.pass_on(questions);
                Err(NodeError::Interrupted)
            }
            Ok(Outcome::Cancelled { .. }) => {
                self.stop(StopReason::Cancelled);
                Err(NodeError::Interrupted)
            }
            // A node of the subgraph has failed for good; the calling node's own policy decides about a retry.
            Err(error @ Error::Node { .. }) => Err(NodeError::retryable(error)),
            Err(error) => Err(NodeError::Engine(error)),
        }
    }
}

async fn load(
    subgraph: &CompiledParts,
    writer: &ThreadJournalWriter,
    scope: &str,
) -> Result<Option<LoadedThread>, Error> {
    let journal = writer.store().newest(&writer.lease().thread, scope).await?;
    journal.map(|journal| LoadedThread::read(journal, subgraph)).transpose()
}

/// A guard that marks a task as calling a subgraph, which stores its results before a cancelled task ends.
struct CallGuard<'a>(&'a TaskScope);

impl<'a> CallGuard<'a> {
    fn begin(task: &'a TaskScope) -> Self {
        task.calls.fetch_add(1, Ordering::SeqCst);
        Self(task)
    }
}

impl Drop for CallGuard<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Returns the place of a call by `task`.
fn call_site(task: &TaskScope, key: &str) -> CallSite {
    let frame = &task.frame;
    CallSite {
        scope: frame.run.scope.to_string(),
        run: frame.made_by.to_string(),
        superstep: frame.superstep - 1,
        task: task.id.clone(),
        key: key.to_owned(),
    }
}
