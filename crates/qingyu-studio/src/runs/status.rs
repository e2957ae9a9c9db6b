//! The status of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// A process is working on the run.
    Running,
    /// The run is waiting for a person.
    Waiting,
    /// The run completed.
    Done,
    /// The run failed; resumable.
    Failed,
    /// The run was stopped, or its process died; resumable.
    Interrupted,
}
