//! What a node returns: an update, and perhaps where to go.

use crate::{State, Update};

/// A node's update and, if it says so itself, the nodes that run next.
#[derive(Debug, Clone)]
pub struct Command<S: State> {
    pub(crate) update: S::Update,
    pub(crate) goto: Option<Vec<String>>,
}

impl<S: State> Command<S> {
    /// Writes `update` and follows the node's edges.
    pub fn update<U: Update<State = S>>(update: U) -> Self
    where
        S: State<Update = U>,
    {
        Self { update, goto: None }
    }

    /// Goes to `targets` instead of following the node's edges and routes; `END` is allowed.
    ///
    /// The targets must have been declared with [`crate::Graph::targets`].
    #[must_use]
    pub fn goto<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.goto = Some(targets.into_iter().map(Into::into).collect());
        self
    }
}

impl<S: State> From<()> for Command<S> {
    fn from((): ()) -> Self {
        Self { update: S::Update::default(), goto: None }
    }
}
