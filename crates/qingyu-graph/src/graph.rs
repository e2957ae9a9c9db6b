//! Building a graph.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use serde::Serialize;

use crate::cache::Cache;
use crate::compiled::CompiledGraph;
use crate::node::Node;
use crate::{Command, Context, Drawing, Error, Goto, Migration, NodeError, RetryPolicy, State, TimeLimits};

/// Where every run begins; not a node.
pub const START: &str = "__start__";
/// Where a branch of a run ends; not a node.
pub const END: &str = "__end__";

/// A graph that is being built. Mistakes are reported together, by [`Graph::compile`].
pub struct Graph<S: State> {
    pub(crate) name: String,
    pub(crate) version: Option<String>,
    pub(crate) migrations: Vec<Migration>,
    pub(crate) nodes: Vec<(String, Node<S>)>,
    /// What the nodes look like that are graphs themselves.
    pub(crate) subgraphs: Vec<(String, Drawing)>,
    pub(crate) edges: Vec<(String, String)>,
    pub(crate) joins: Vec<(BTreeSet<String>, String)>,
    pub(crate) routes: Vec<Route<S>>,
    pub(crate) targets: Vec<(String, BTreeSet<String>)>,
    pub(crate) deferred: BTreeSet<String>,
    pub(crate) pauses_before: BTreeSet<String>,
    pub(crate) pauses_after: BTreeSet<String>,
    /// Which node takes over when one has failed.
    pub(crate) handlers: Vec<(String, String)>,
    pub(crate) time_limits: Vec<(String, TimeLimits)>,
    pub(crate) caches: Vec<(String, Cache<S>)>,
    pub(crate) retries: Vec<(String, RetryPolicy)>,
}

/// A conditional edge.
pub(crate) struct Route<S> {
    pub(crate) from: String,
    pub(crate) targets: BTreeSet<String>,
    pub(crate) choose: Choose<S>,
}

/// Chooses targets by the state.
pub(crate) type Choose<S> = Arc<dyn Fn(&S) -> Vec<Goto> + Send + Sync>;

impl<S: State> Graph<S> {
    /// An empty graph.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
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
        }
    }

    /// Names the version of the graph, in place of a fingerprint of its nodes, edges and channels.
    ///
    /// An unfinished thread of another version is refused unless a [`Graph::migrate`] leads here.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Lets threads of an older version go on with this one. Several are gone through in a row.
    #[must_use]
    pub fn migrate(mut self, migration: Migration) -> Self {
        self.migrations.push(migration);
        self
    }

    /// A graph of one node of the same name: work written as one function of steps and questions.
    ///
    /// The function starts from its first line after every answer, and the steps keep what has been paid for. What the
    /// next run is to find, it writes to the state: a finished thread keeps it.
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

    /// Adds a node. The order of these calls is the order in which writes of one superstep are folded.
    #[must_use]
    pub fn node<F, W, C>(mut self, name: impl Into<String>, run: F) -> Self
    where
        F: Fn(Arc<S>, Context) -> W + Send + Sync + 'static,
        W: Future<Output = Result<C, NodeError>> + Send + 'static,
        C: Into<Command<S>>,
    {
        let run: Node<S> =
            Arc::new(move |state, context| run(state, context).map(|result| result.map(Into::into)).boxed());
        self.nodes.push((name.into(), run));
        self
    }

    /// Says that `node` calls `subgraph`, for those who draw the graph; the last one is drawn. [`Graph::subgraph`] says so
    /// itself.
    #[must_use]
    pub fn calls<C: State>(mut self, node: impl Into<String>, subgraph: &CompiledGraph<C>) -> Self {
        self.subgraphs.push((node.into(), subgraph.drawing().clone()));
        self
    }

    /// Whenever `from` has run, `to` runs. Two edges into one node run it twice if they arrive in different
    /// supersteps (see [`crate::Warning::RunsTwice`]); [`Graph::join`] waits.
    #[must_use]
    pub fn edge(mut self, from: impl Into<String>, to: impl Into<String>) -> Self {
        self.edges.push((from.into(), to.into()));
        self
    }

    /// Once all `sources` have run, `to` runs.
    #[must_use]
    pub fn join<T: Into<String>>(mut self, sources: impl IntoIterator<Item = T>, to: impl Into<String>) -> Self {
        self.joins.push((names(sources), to.into()));
        self
    }

    /// When `from` has run, `choose` says which of `targets` run. It sees the state with the node's own update, but
    /// without its siblings'. Must be a pure function that does not panic; alone in its superstep, it is asked when
    /// the node has ended, and no error handler hears of it. What it chooses is a name, or a [`Goto::send`].
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
        let choose: Choose<S> = Arc::new(move |state| choose(state).into_iter().map(Into::into).collect());
        self.routes.push(Route { from: from.into(), targets: names(targets), choose });
        self
    }

    /// Declares where the [`Command`]s of `node` may go.
    #[must_use]
    pub fn targets<T: Into<String>>(mut self, node: impl Into<String>, targets: impl IntoIterator<Item = T>) -> Self {
        self.targets.push((node.into(), names(targets)));
        self
    }

    /// Puts `node` off until nothing else is left to run, whatever leads to it and however often.
    #[must_use]
    pub fn defer(mut self, node: impl Into<String>) -> Self {
        self.deferred.insert(node.into());
        self
    }

    /// Stops every run when `node` is due, with no question open; resuming goes on. Needs a store.
    #[must_use]
    pub fn pause_before(mut self, node: impl Into<String>) -> Self {
        self.pauses_before.insert(node.into());
        self
    }

    /// Stops every run when `node` has run and something follows; resuming goes on. Needs a store.
    #[must_use]
    pub fn pause_after(mut self, node: impl Into<String>) -> Self {
        self.pauses_after.insert(node.into());
        self
    }

    /// When `node` has failed for good, sends its [`crate::Failure`] to `handler` instead of ending the run.
    ///
    /// The handler runs in the next superstep and reads it with [`Context::payload`]. What the node led to otherwise
    /// does not run, unless the handler leads there. Questions and refusals of the engine are no failures.
    #[must_use]
    pub fn on_error(mut self, node: impl Into<String>, handler: impl Into<String>) -> Self {
        self.handlers.push((node.into(), handler.into()));
        self
    }

    /// Stops an attempt of `node` that takes too long; it counts as a retryable failure.
    #[must_use]
    pub fn time_limits(mut self, node: impl Into<String>, limits: TimeLimits) -> Self {
        self.time_limits.push((node.into(), limits));
        self
    }

    /// Uses an earlier result of `node`, at most as old as `lasting`, when what it `depends_on` (and what it was sent)
    /// is the same. Routes are asked anew.
    ///
    /// Results are kept in memory, for all threads of the compiled graph. A result with a joined write is not kept.
    #[must_use]
    pub fn cache<K: Serialize>(
        mut self,
        node: impl Into<String>,
        lasting: Duration,
        depends_on: impl Fn(&S) -> K + Send + Sync + 'static,
    ) -> Self {
        self.caches.push((node.into(), Cache::new(lasting, depends_on)));
        self
    }

    /// Tries `node` again when it fails with a retryable error.
    #[must_use]
    pub fn retry(mut self, node: impl Into<String>, policy: RetryPolicy) -> Self {
        self.retries.push((node.into(), policy));
        self
    }

    /// Checks the graph and makes it ready to run. What is allowed but looks like a slip is logged, and kept in
    /// [`CompiledGraph::warnings`].
    pub fn compile(self) -> Result<CompiledGraph<S>, Error> {
        let problems = crate::check::problems(&self);
        if !problems.is_empty() {
            return Err(Error::InvalidGraph { graph: self.name, problems });
        }
        let warnings = crate::check::warnings(&self);
        for warning in &warnings {
            tracing::warn!(graph = self.name, advice = warning.advice(), "{warning}");
        }
        Ok(CompiledGraph::build(self, warnings))
    }
}

fn names<T: Into<String>>(names: impl IntoIterator<Item = T>) -> BTreeSet<String> {
    names.into_iter().map(Into::into).collect()
}
