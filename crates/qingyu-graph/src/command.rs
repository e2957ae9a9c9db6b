//! What a node returns: an update, and perhaps where to go.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, State, Update};

/// A node's update and, if it says so itself, the nodes that run next.
#[derive(Debug, Clone)]
pub struct Command<S: State> {
    pub(crate) update: S::Update,
    /// `None` if the node does not say.
    pub(crate) way: Option<Told>,
    pub(crate) sends: Vec<Posted>,
}

/// Where a command says it leads, beside its sends.
#[derive(Debug, Clone)]
pub(crate) enum Told {
    /// Along the node's edges and routes, and to these.
    Also(Vec<String>),
    /// Only to these.
    Only(Vec<String>),
    /// Out of the graph.
    Out,
}

/// A send whose payload may have failed to become JSON.
pub(crate) type Posted = Result<Sent, Error>;

/// One execution of a node with a payload of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sent {
    pub(crate) node: String,
    pub(crate) payload: Arc<Value>,
}

impl<S: State> Command<S> {
    /// Writes `update` and follows the node's edges.
    pub fn update<U: Update<State = S>>(update: U) -> Self
    where
        S: State<Update = U>,
    {
        Self { update, way: None, sends: Vec::new() }
    }

    /// Goes to `targets` instead of following the node's edges and routes; `END` is allowed.
    ///
    /// The targets must have been declared with [`crate::Graph::targets`].
    #[must_use]
    pub fn goto<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.way = Some(Told::Only(targets.into_iter().map(Into::into).collect()));
        self
    }

    /// Goes to `targets` and follows the node's edges and routes too. The last of `goto` and `also` counts.
    #[must_use]
    pub fn also<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.way = Some(Told::Also(targets.into_iter().map(Into::into).collect()));
        self
    }

    /// Ends the graph with this superstep, whatever else is due. Out of a subgraph it leads back to the caller, whose
    /// command then says where to go on; so a node deep inside decides what its callers do.
    ///
    /// [`crate::END`] must be among the node's declared targets.
    #[must_use]
    pub fn leave(mut self) -> Self {
        self.way = Some(Told::Out);
        self
    }

    /// Runs `node` once more in the next superstep, with a payload of its own that it reads with
    /// [`crate::Context::payload`]; the state it sees is shared by all.
    ///
    /// The results are folded after those of plain nodes, in the order of the senders and then of these calls. Sends
    /// replace the node's edges and routes unless [`Command::also`] is called, if only with no target. `node` must have been declared with
    /// [`crate::Graph::targets`]; a deferred node that is sent to does not wait.
    #[must_use]
    pub fn send(mut self, node: impl Into<String>, payload: impl Serialize) -> Self {
        self.sends.push(post(node.into(), payload));
        self
    }
}

/// One of the ways that a route chooses: a node by name, or one execution of it with a payload.
#[derive(Debug, Clone)]
pub struct Goto(pub(crate) Chosen);

#[derive(Debug, Clone)]
pub(crate) enum Chosen {
    Node(String),
    Send(Posted),
}

impl Goto {
    /// Runs `node` with a payload of its own, as [`Command::send`] does.
    pub fn send(node: impl Into<String>, payload: impl Serialize) -> Self {
        Self(Chosen::Send(post(node.into(), payload)))
    }
}

impl<T: Into<String>> From<T> for Goto {
    fn from(node: T) -> Self {
        Self(Chosen::Node(node.into()))
    }
}

fn post(node: String, payload: impl Serialize) -> Posted {
    match serde_json::to_value(payload) {
        Ok(payload) => Ok(Sent { node, payload: Arc::new(payload) }),
        Err(error) => Err(Error::Encode { what: format!("the payload for {node}"), reason: error.to_string() }),
    }
}

impl<S: State> From<()> for Command<S> {
    fn from((): ()) -> Self {
        Self { update: S::Update::default(), way: None, sends: Vec::new() }
    }
}
