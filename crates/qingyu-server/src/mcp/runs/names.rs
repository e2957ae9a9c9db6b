//! The names of the tools for which the protocol has features of its own.

/// The name of the tool starting runs.
pub(in crate::mcp) const START: &str = "start_run";

/// The name of the tool returning a run.
pub(in crate::mcp) const GET: &str = "get_run";

/// The name of the tool answering a run's question.
pub(in crate::mcp) const ANSWER: &str = "answer_run";

/// Returns whether a tool is for runs.
pub(in crate::mcp) fn is_for_runs(tool: &str) -> bool {
    matches!(tool, START | GET | ANSWER)
}
