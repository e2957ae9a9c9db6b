//! Nodes: async functions of the state, and how they fail.

use std::error::Error as StdError;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::{Command, Context, Error};

/// A node as the engine calls it.
pub(crate) type Node<S> =
    Arc<dyn Fn(Arc<S>, Context) -> BoxFuture<'static, Result<Command<S>, NodeError>> + Send + Sync>;

/// Why a node ended without a result.
///
/// Every ordinary error becomes one by `?`; it is then not retried.
#[derive(Debug)]
pub enum NodeError {
    /// The node asked a question that has no answer yet. The run waits; return it unchanged.
    Interrupted,
    /// The node failed.
    Failed {
        /// Whether another attempt may help, if the node's [`crate::RetryPolicy`] allows one.
        retryable: bool,
        /// What it met.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The engine refused something the node asked of it; the run ends with that error.
    Engine(Error),
}

impl NodeError {
    /// A failure that another attempt would only repeat.
    pub fn fatal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Failed { retryable: false, source: source.into() }
    }

    /// A failure that may pass, such as a time-out.
    pub fn retryable(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Failed { retryable: true, source: source.into() }
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for NodeError {
    fn from(error: E) -> Self {
        let boxed: Box<dyn StdError + Send + Sync> = Box::new(error);
        match boxed.downcast::<Error>() {
            Ok(engine) => Self::Engine(*engine),
            Err(source) => Self::Failed { retryable: false, source },
        }
    }
}
