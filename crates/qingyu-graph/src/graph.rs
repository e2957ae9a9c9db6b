//! The graph builder: nodes, edges and their settings.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Serialize;

use crate::any_state::{AnyState, StateType};
use crate::cache::NodeCache;
use crate::command::{Command, Goto, NodeOutput};
use crate::context::Context;
use crate::drawing::GraphDrawing;
use crate::endpoints::{END, START};
use crate::migration::Migration;
use crate::node::NodeError;
use crate::retry::RetryPolicy;
use crate::state::State;
use crate::time_limits::TimeLimits;

/// A builder for a graph. Mistakes are reported together, by [`Graph::compile`].
pub struct Graph<S: State> {
    pub(crate) definition: GraphDefinition,
    state: PhantomData<fn() -> S>,
}

/// The declarations of a graph, whatever the state.
pub(crate) struct GraphDefinition {
    pub(crate) name: String,
    pub(crate) state: StateType,
    pub(crate) version: Option<String>,
    pub(crate) migrations: Vec<Migration>,
    pub(crate) nodes: Vec<(String, Node)>,
    /// The drawings of nodes that are graphs.
    pub(crate) subgraphs: Vec<(String, GraphDrawing)>,
    pub(crate) edges: Vec<(String, String)>,
    pub(crate) joins: Vec<(BTreeSet<String>, String)>,
    pub(crate) routes: Vec<ConditionalEdge>,
    pub(crate) targets: Vec<(String, BTreeSet<String>)>,
    pub(crate) deferred: BTreeSet<String>,
    pub(crate) pauses_before: BTreeSet<String>,
    pub(crate) pauses_after: BTreeSet<String>,
    /// The failing nodes and their error handlers.
    pub(crate) handlers: Vec<(String, String)>,
    pub(crate) time_limits: Vec<(String, TimeLimits)>,
    pub(crate) caches: Vec<(String, NodeCache)>,
    pub(crate) retries: Vec<(String, RetryPolicy)>,
}

/// A node as the engine calls it.
pub(crate) type Node =
    Arc<dyn Fn(AnyState, Context) -> BoxFuture<'static, Result<NodeOutput, NodeError>> + Send + Sync>;

/// A conditional edge.
pub(crate) struct ConditionalEdge {
    pub(crate) from: String,
    pub(crate) targets: BTreeSet<String>,
    pub(crate) choose: RouteFunction,
}

/// A function that returns the targets for a state.
pub(crate) type RouteFunction = Arc<dyn Fn(&AnyState) -> Vec<Goto> + Send + Sync>;

impl<S: State> Graph<S> {
    /// Returns an empty graph.
    pub fn new(name: impl Into<String>) -> Self {
        let definition = GraphDefinition {
            name: name.into(),
            state: StateType::of::<S>(),
            version: None,
            migrations: Vec::new(),
            nodes: Vec::new(),
            subgraphs: Vec::new(),
            edges: Vec::new(),
            joins: Vec::new(),
            routes: Vec::new(),
            targets: Vec::new(),
            deferred: BTreeSet::new(),
            pauses_before: BTreeSet::new(),
            pauses_after: BTreeSet::new(),
            handlers: Vec::new(),
            time_limits: Vec::new(),
            caches: Vec::new(),
            retries: Vec::new(),
        };
        Self { definition, state: PhantomData }
    }

    /// Sets the version of the graph and overrides the default, a fingerprint of the nodes, edges and channels.
    ///
    /// An unfinished thread of another version is refused unless a [`Graph::migrate`] leads to the current version.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.definition.version = Some(version.into());
        self
    }

    /// Registers a migration of threads of an older version. Migrations are chained.
    #[must_use]
    pub fn migrate(mut self, migration: Migration) -> Self {
        self.definition.migrations.push(migration);
        self
    }

    /// Returns a graph of one node of the same name: work written as one function of steps and questions.
    ///
    /// The function starts from the first line after every answer, and stored steps are not paid for again. Data for
    /// the next run belongs in the state, which a finished thread keeps.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use qingyu_graph::{Context, Graph, NodeError, State};
    /// #[derive(Debug, Clone, Default, State)]
    /// struct Essay {
    ///     edition: u32,
    ///     text: String,
    /// }
    ///
    /// async fn essay(previous: Arc<Essay>, context: Context) -> Result<EssayUpdate, NodeError> {
    ///     let draft = context.step("draft", &previous.text, || async { Ok::<_, NodeError>("a draft".to_owned()) });
    ///     let text: String = context.ask("edit", &draft.await?).await?;
    ///     Ok(Essay::update().text(text).edition(previous.edition + 1))
    /// }
    ///
    /// let graph = Graph::single("essay", essay).compile()?;
    /// # Ok::<_, qingyu_graph::Error>(())
    /// ```
    pub fn single<F, W, C>(name: impl Into<String>, run: F) -> Self
    where
        F: Fn(Arc<S>, Context) -> W + Send + Sync + 'static,
        W: Future<Output = Result<C, NodeError>> + Send + 'static,
        C: Into<Command<S>>,
    {
        let name = name.into();
        Self::new(name.clone()).node(name.clone(), run).edge(START, name.clone()).edge(name, END)
    }

    /// Adds a node. Writes of one superstep are folded in the order of these calls.
    #[must_use]
    pub fn node<F, W, C>(mut self, name: impl Into<String>, run: F) -> Self
    where
        F: Fn(Arc<S>, Context) -> W + Send + Sync + 'static,
        W: Future<Output = Result<C, NodeError>> + Send + 'static,
        C: Into<Command<S>>,
    {
        let run: Node = Arc::new(move |state, context| {
            run(state.shared(), context).map(|result| result.map(|command| command.into().output)).boxed()
        });
        self.definition.nodes.push((name.into(), run));
        self
    }

    /// Runs `to` whenever `from` has run. Two edges into one node run the node twice if they arrive in different
    /// supersteps (see [`crate::GraphWarning::RunsTwice`]); [`Graph::join`] waits.
    #[must_use]
    pub fn edge(mut self, from: impl Into<String>, to: impl Into<String>) -> Self {
        self.definition.edges.push((from.into(), to.into()));
        self
    }

    /// Runs `to` once all `sources` have run.
    #[must_use]
    pub fn join<T: Into<String>>(mut self, sources: impl IntoIterator<Item = T>, to: impl Into<String>) -> Self {
        self.definition.joins.push((names(sources), to.into()));
        self
    }

    /// Runs the `targets` that `choose` returns after `from` has run: names, or a [`Goto::send`]. `choose` sees the
    /// state with the node's own update, but without updates of concurrent nodes. `choose` must be a pure function
    /// without panics; alone in its superstep, the route is called after the node has ended, and errors do not reach an
    /// error handler.
    #[must_use]
    pub fn route<T, R>(
        mut self,
        from: impl Into<String>,
        targets: impl IntoIterator<Item = T>,
        choose: impl Fn(&S) -> R + Send + Sync + 'static,
    ) -> Self
    where
        T: Into<String>,
        R: IntoIterator,
        R::Item: Into<Goto>,
    {
        let choose: RouteFunction =
            Arc::new(move |state| choose(state.borrowed()).into_iter().map(Into::into).collect());
        self.definition.routes.push(ConditionalEdge { from: from.into(), targets: names(targets), choose });
        self
    }

    /// Declares the allowed targets of the [`Command`]s of `node`.
    #[must_use]
    pub fn targets<T: Into<String>>(mut self, node: impl Into<String>, targets: impl IntoIterator<Item = T>) -> Self {
        self.definition.targets.push((node.into(), names(targets)));
        self
    }

    /// Defers `node` until nothing else is left to run, whatever leads to it and however often.
    #[must_use]
    pub fn defer(mut self, node: impl Into<String>) -> Self {
        self.definition.deferred.insert(node.into());
        self
    }

    /// Sets a breakpoint before `node`; resuming continues. Needs a store.
    #[must_use]
    pub fn pause_before(mut self, node: impl Into<String>) -> Self {
        self.definition.pauses_before.insert(node.into());
        self
    }

    /// Sets a breakpoint after `node`, if something follows; resuming continues. Needs a store.
    #[must_use]
    pub fn pause_after(mut self, node: impl Into<String>) -> Self {
        self.definition.pauses_after.insert(node.into());
        self
    }

    /// Sends the [`crate::NodeFailure`] to `handler` when `node` has failed for good, and the run continues.
    ///
    /// The handler runs in the next superstep and reads the failure with [`Context::payload`]. The normal successors of
    /// the node do not run, unless the handler leads there. Questions and refusals of the engine are no failures.
    #[must_use]
    pub fn on_error(mut self, node: impl Into<String>, handler: impl Into<String>) -> Self {
        self.definition.handlers.push((node.into(), handler.into()));
        self
    }

    /// Sets the timeouts for an attempt of `node`; a timeout counts as a retryable failure.
    #[must_use]
    pub fn time_limits(mut self, node: impl Into<String>, limits: TimeLimits) -> Self {
        self.definition.time_limits.push((node.into(), limits));
        self
    }

    /// Caches results of `node` for `lasting`. A result is reused when the return value of `depends_on` and the payload
    /// are the same. Routes are called again.
    ///
    /// The cache is in memory, for all threads of the compiled graph. A result with a joined write is not cached.
    #[must_use]
    pub fn cache<K: Serialize>(
        mut self,
        node: impl Into<String>,
        lasting: Duration,
        depends_on: impl Fn(&S) -> K + Send + Sync + 'static,
    ) -> Self {
        self.definition.caches.push((node.into(), NodeCache::new(lasting, depends_on)));
        self
    }

    /// Sets the retry policy of `node` for retryable errors.
    #[must_use]
    pub fn retry(mut self, node: impl Into<String>, policy: RetryPolicy) -> Self {
        self.definition.retries.push((node.into(), policy));
        self
    }
}

fn names<T: Into<String>>(names: impl IntoIterator<Item = T>) -> BTreeSet<String> {
    names.into_iter().map(Into::into).collect()
}
