//! The return value of a node: an update and, optionally, the next nodes.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::any_state::AnyUpdate;
use crate::error::Error;
use crate::state::{State, Update};

/// A node's update and, optionally, the nodes that run next.
#[derive(Debug, Clone)]
pub struct Command<S: State> {
    pub(crate) output: NodeOutput,
    state: PhantomData<fn() -> S>,
}

/// The content of a command, whatever the state.
#[derive(Debug, Clone, Default)]
pub(crate) struct NodeOutput {
    pub(crate) update: AnyUpdate,
    /// The targets; `None` follows the node's edges and routes.
    pub(crate) way: Option<CommandTargets>,
    pub(crate) sends: Vec<EncodedSend>,
}

/// The targets of a command, apart from sends.
#[derive(Debug, Clone)]
pub(crate) enum CommandTargets {
    /// Follows the node's edges and routes, and runs these nodes too.
    Also(Vec<String>),
    /// Runs only these nodes.
    Only(Vec<String>),
    /// Leaves the graph.
    Out,
}

/// A send, or the error of serializing the payload to JSON.
pub(crate) type EncodedSend = Result<NodeSend, Error>;

/// One execution of a node with an own payload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NodeSend {
    pub(crate) node: String,
    pub(crate) payload: Arc<Value>,
}

impl<S: State> Command<S> {
    /// Returns a command that writes `update` and follows the node's edges.
    pub fn update<U: Update<State = S>>(update: U) -> Self
    where
        S: State<Update = U>,
    {
        Self { output: NodeOutput { update: AnyUpdate::new(update), ..NodeOutput::default() }, state: PhantomData }
    }

    /// Goes to `targets` and overrides the node's edges and routes; `END` is allowed.
    ///
    /// The targets must be declared with `Graph::targets`.
    #[must_use]
    pub fn goto<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.output.way = Some(CommandTargets::Only(targets.into_iter().map(Into::into).collect()));
        self
    }

    /// Goes to `targets` and also follows the node's edges and routes. The last call of `goto` or `also` wins.
    #[must_use]
    pub fn also<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.output.way = Some(CommandTargets::Also(targets.into_iter().map(Into::into).collect()));
        self
    }

    /// Ends the graph with the current superstep, whatever else is due. In a subgraph the call returns to the caller,
    /// whose command then chooses the next nodes; so a nested node can decide for its callers.
    ///
    /// [`crate::END`] must be among the node's declared targets.
    #[must_use]
    pub fn leave(mut self) -> Self {
        self.output.way = Some(CommandTargets::Out);
        self
    }

    /// Runs `node` once more in the next superstep, with an own payload that the node reads with
    /// `Context::payload`; the state is shared by all executions.
    ///
    /// The results are folded after the results of plain nodes, in the order of the senders and then of these calls.
    /// Sends override the node's edges and routes unless [`Command::also`] is called, if only with no target. `node`
    /// must be declared with `Graph::targets`; a deferred node does not wait when it is sent a payload.
    #[must_use]
    pub fn send(mut self, node: impl Into<String>, payload: impl Serialize) -> Self {
        self.output.sends.push(post(node.into(), payload));
        self
    }
}

/// A target chosen by a route: a node by name, or one execution of a node with a payload.
#[derive(Debug, Clone)]
pub struct Goto(pub(crate) RouteChoice);

#[derive(Debug, Clone)]
pub(crate) enum RouteChoice {
    Node(String),
    Send(EncodedSend),
}

impl Goto {
    /// Runs `node` with an own payload, as [`Command::send`] does.
    pub fn send(node: impl Into<String>, payload: impl Serialize) -> Self {
        Self(RouteChoice::Send(post(node.into(), payload)))
    }
}

impl<T: Into<String>> From<T> for Goto {
    fn from(node: T) -> Self {
        Self(RouteChoice::Node(node.into()))
    }
}

fn post(node: String, payload: impl Serialize) -> EncodedSend {
    match serde_json::to_value(payload) {
        Ok(payload) => Ok(NodeSend { node, payload: Arc::new(payload) }),
        Err(error) => Err(Error::Encode { what: format!("the payload for {node}"), reason: error.to_string() }),
    }
}

impl<S: State> From<()> for Command<S> {
    fn from((): ()) -> Self {
        Self { output: NodeOutput::default(), state: PhantomData }
    }
}
