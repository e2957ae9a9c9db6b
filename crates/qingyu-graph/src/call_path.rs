//! Paths of tasks through the subgraph calls, such as `write#1/polish`.

use std::fmt;

/// Returns the path of `task` in the call at `path`.
pub(crate) fn join(path: &str, task: impl fmt::Display) -> String {
    if path.is_empty() { task.to_string() } else { format!("{path}/{task}") }
}

/// Returns the path of the call with the given scope.
pub(crate) fn path_of(scope: &str) -> &str {
    scope.rsplit_once('@').map_or("", |(path, _)| path)
}
