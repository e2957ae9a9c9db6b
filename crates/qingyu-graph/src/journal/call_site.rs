//! The task that called a subgraph, and the scope of the call.

use serde::{Deserialize, Serialize};

use crate::call_path::{join, path_of};
use crate::digest::digest;
use crate::task_id::TaskId;

/// The task that called a subgraph, in the superstep after a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallSite {
    pub(crate) scope: String,
    /// The run of the checkpoint; identifies the checkpoint together with the superstep.
    pub(crate) run: String,
    pub(crate) superstep: i64,
    pub(crate) task: TaskId,
    /// The key of the call in the task.
    pub(crate) key: String,
}

impl CallSite {
    /// Returns the scope of the call; the same in every copy of the thread.
    pub(crate) fn scope_of_call(&self) -> String {
        let Self { scope, run, superstep, task, key } = self;
        let name = digest(&[scope, run, &superstep.to_string(), &task.to_string(), key]);
        let path = join(path_of(scope), self.segment());
        format!("{path}@{}", &name[..16])
    }

    /// Returns the last segment of the call's path.
    fn segment(&self) -> String {
        if self.key.is_empty() { self.task.to_string() } else { format!("{}|{}", self.task, self.key) }
    }

    /// Returns the place in the graph from which the call is made, independent of the superstep.
    pub(crate) fn place(&self) -> String {
        if self.key.is_empty() { self.task.node.to_string() } else { format!("{}|{}", self.task.node, self.key) }
    }
}
