//! Kinds of runs.

use qingyu_store::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// Creates the material of a story: outline, cast, plot.
    #[default]
    Create,
    /// Writes, corrects, rewrites or settles chapters.
    Write,
    /// Performs a task with service agents.
    Task,
    /// Produces content in phases, with the user.
    Produce,
    /// Does nothing, for measuring the overhead.
    #[cfg(feature = "bench")]
    #[schemars(skip)]
    Noop,
}

impl RunKind {
    /// Returns the kind of a stored run.
    pub(crate) fn of(run: &Run) -> Self {
        Self::deserialize(&run.config["kind"]).unwrap_or_default()
    }

    /// Returns the name used in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Write => "write",
            Self::Task => "task",
            Self::Produce => "produce",
            #[cfg(feature = "bench")]
            Self::Noop => "noop",
        }
    }
}
