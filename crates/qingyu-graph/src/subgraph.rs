//! Graphs inside of nodes.
//!
//! A call of a subgraph is a part of its thread: it shares lease and journal, but has a scope with checkpoints of its
//! own. The scope's name follows from the checkpoint and the task that made the call, so that a resumed run finds it
//! again and a fork does not.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::context::{RunScope, Stopped, TaskScope};
use crate::digest::digest;
use crate::driver::{Driver, Keep};
use crate::journal::{Caller, Change, Loaded, Pending, Rebuilt, Source, Weight, Writer, join, path_of};
use crate::superstep::Remembered;
use crate::thread::{Ready, first_checkpoint};
use crate::{Command, CompiledGraph, Context, Delta, Error, Graph, NodeError, Outcome, State};

/// What a call of a subgraph begins with, and what is kept of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Memory {
    /// Every call begins anew, and its supersteps are stored.
    #[default]
    Call,
    /// A call goes on with the state that the last one from the same place of this thread ended with. Two calls from one
    /// place in one superstep are refused.
    Thread,
    /// Every call begins anew, and nothing of it is stored: nodes cannot ask, and a crash loses it as a whole.
    None,
}

impl<S: State> Graph<S> {
    /// Adds a node that runs a graph with a state of its own, as [`Context::call`] does.
    ///
    /// `input` makes what the call begins with, `output` turns the state that it ends with into this node's command.
    /// Channels of the subgraph begin empty, so a list comes back with the call's own additions only.
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
    /// Runs a graph inside of this node and returns the state that it ends with.
    ///
    /// It is a part of the thread: what it asks the thread asks, and after a pause or a crash it goes on from its own last
    /// checkpoint, whatever `input` is then; once it has ended, its end is returned again. `key` tells the calls of one
    /// execution of a node apart. The thread's recursion limit counts anew for each call.
    pub async fn call<C: State>(
        &self,
        key: &str,
        subgraph: &CompiledGraph<C>,
        input: impl Into<C::Update>,
    ) -> Result<C, NodeError> {
        let input = input.into();
        self.use_key("call", key)?;
        let caller = Caller::of(&self.task, key);
        let scope = caller.scope_of_call();
        let writer = self.task.frame.journal.as_ref().filter(|_| subgraph.memory != Memory::None);
        let ready = match writer {
            Some(writer) => {
                self.prepare(subgraph, input, writer.of_call(&scope, caller.clone()), &caller.place()).await?
            }
            None => Ready::without_store(subgraph, input)?,
        };
        let outcome = {
            let _calling = Calling::begin(&self.task);
            let mut driver = Driver::new(subgraph.clone(), self.run_scope(&scope), ready);
            let keep = if subgraph.memory == Memory::Thread { Keep::Always } else { Keep::Unfinished };
            driver.work(keep).await
        };
        self.end_call(outcome, || Remembered { place: caller.place(), scope }, subgraph.memory)
    }

    /// The call as it was left, or its beginning.
    async fn prepare<C: State>(
        &self,
        subgraph: &CompiledGraph<C>,
        input: C::Update,
        mut writer: Writer,
        place: &str,
    ) -> Result<Ready<C>, Error> {
        let run = Arc::clone(&self.task.frame.run.run);
        let blueprint = &subgraph.inner.blueprint;
        if let Some(mut loaded) = load(subgraph, &writer, writer.scope()).await? {
            let is_finished = loaded.checkpoint.next.is_empty();
            loaded.refuse_changed(self.thread_id(), blueprint, is_finished)?;
            writer.build_on(loaded.head, loaded.branch);
            loaded.pending.take_answers(&self.task.answers);
            let Loaded { checkpoint, pending, weight, .. } = loaded;
            return Ok(Ready { run, checkpoint, pending, weight, writer: Some(writer) });
        }
        let before = match self.task.frame.memories.get(place).filter(|_| subgraph.memory == Memory::Thread) {
            Some(last) => load(subgraph, &writer, last).await?,
            None => None,
        };
        if let Some(before) = &before {
            before.refuse_changed(self.thread_id(), blueprint, true)?;
        }
        let before = before.map(|loaded| loaded.checkpoint);
        let checkpoint = first_checkpoint(subgraph, &run, before, input, None)?;
        let mut weight = Weight::default();
        let change = Change { source: Source::Input, delta: Delta::default(), graph: blueprint, whole: true };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        Ok(Ready { run, checkpoint, pending: Pending::default(), weight, writer: Some(writer) })
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

    fn end_call<C: State>(
        &self,
        outcome: Result<Outcome<C>, Error>,
        call: impl FnOnce() -> Remembered,
        memory: Memory,
    ) -> Result<C, NodeError> {
        match outcome {
            Ok(Outcome::Done(state)) => {
                if memory == Memory::Thread {
                    self.remember(call());
                }
                Ok(state)
            }
            Ok(Outcome::Waiting { questions, .. }) => {
                if questions.is_empty() {
                    self.stop(Stopped::Paused);
                }
                self.pass_on(questions);
                Err(NodeError::Interrupted)
            }
            Ok(Outcome::Cancelled { .. }) => {
                self.stop(Stopped::Cancelled);
                Err(NodeError::Interrupted)
            }
            // A node in there has failed for good; whether it may be tried again is up to this node's own policy.
            Err(error @ Error::Node { .. }) => Err(NodeError::retryable(error)),
            Err(error) => Err(NodeError::Engine(error)),
        }
    }
}

async fn load<C: State>(subgraph: &CompiledGraph<C>, writer: &Writer, scope: &str) -> Result<Option<Loaded<C>>, Error> {
    let journal = writer.store().newest(&writer.lease().thread, scope).await?;
    journal.map(|journal| Loaded::read(journal, &subgraph.inner)).transpose()
}

/// Notes that a task is calling a subgraph, which stores what it has before it lets go.
struct Calling<'a>(&'a TaskScope);

impl<'a> Calling<'a> {
    fn begin(task: &'a TaskScope) -> Self {
        task.calls.fetch_add(1, Ordering::SeqCst);
        Self(task)
    }
}

impl Drop for Calling<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Caller {
    fn of(task: &TaskScope, key: &str) -> Self {
        let frame = &task.frame;
        Self {
            scope: frame.run.scope.to_string(),
            run: frame.made_by.to_string(),
            superstep: frame.superstep - 1,
            task: task.id.clone(),
            key: key.to_owned(),
        }
    }

    /// The name of the scope that the call has; the same in every copy of the thread.
    pub(crate) fn scope_of_call(&self) -> String {
        let Self { scope, run, superstep, task, key } = self;
        let name = digest(&[scope, run, &superstep.to_string(), &task.to_string(), key]);
        let path = join(path_of(scope), self.segment());
        format!("{path}@{}", &name[..16])
    }

    /// The last part of the call's path.
    fn segment(&self) -> String {
        if self.key.is_empty() { self.task.to_string() } else { format!("{}|{}", self.task, self.key) }
    }

    /// The place in the graph that the call is made from, whatever the superstep.
    fn place(&self) -> String {
        if self.key.is_empty() { self.task.node.to_string() } else { format!("{}|{}", self.task.node, self.key) }
    }

    /// The caller that a part of a path names, at the checkpoint that `rebuilt` is.
    pub(crate) fn named(segment: &str, scope: &str, rebuilt: &Rebuilt) -> Option<Self> {
        let (task, key) = segment.split_once('|').unwrap_or((segment, ""));
        Some(Self {
            scope: scope.to_owned(),
            run: rebuilt.mark.run.to_string(),
            superstep: rebuilt.mark.superstep,
            task: task.to_owned().try_into().ok()?,
            key: key.to_owned(),
        })
    }
}
