//! The failures of nodes.

use std::error::Error as StdError;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The error of a node without a result.
///
/// The `?` operator converts every ordinary error to a failure without retry.
#[derive(Debug)]
pub enum NodeError {
    /// The node asked a question without an answer yet. The run waits; return the error unchanged.
    Interrupted,
    /// The node failed.
    Failed {
        /// Whether a retry may help, if the node's `RetryPolicy` allows one.
        retryable: bool,
        /// The underlying error.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The engine refused a call of the node; the run ends with the error.
    Engine(Error),
}

impl NodeError {
    /// Returns a failure that a retry would only repeat.
    pub fn fatal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Failed { retryable: false, source: source.into() }
    }

    /// Returns a transient failure, such as a timeout.
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

/// The stored failure of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeFailure {
    /// The node.
    pub node: String,
    /// The message of the node's error.
    pub message: String,
}
