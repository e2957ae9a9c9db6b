//! The id of a task.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One execution of a node in a superstep.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct TaskId {
    pub(crate) node: Arc<str>,
    /// The index among the superstep's executions with payloads; `None` for a plain execution.
    pub(crate) index: Option<u32>,
}

impl fmt::Display for TaskId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => self.node.fmt(formatter),
            Some(index) => write!(formatter, "{}#{index}", self.node),
        }
    }
}

impl From<TaskId> for String {
    fn from(task: TaskId) -> Self {
        task.to_string()
    }
}

impl TryFrom<String> for TaskId {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.split_once('#') {
            None => Ok(Self { node: text.into(), index: None }),
            Some((node, index)) => Ok(Self { node: node.into(), index: Some(index.parse()?) }),
        }
    }
}
