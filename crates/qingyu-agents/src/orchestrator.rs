//! The orchestrator: a task is taken apart, its parts are done by the agents that can, and one answer is given.
//!
//! ```text
//! split → dispatch ⇉ work (every sub-task that is ready, side by side) → settle → dispatch … → gather
//! ```
//!
//! `split` asks a model, or the rules of [`mod@router`] if there is none or its answer cannot be used. `settle` writes what
//! the agents propose to change, after asking a person unless that was allowed beforehand.

use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Graph, START};

mod dispatch;
mod gather;
pub mod router;
mod settle;
mod split;
mod state;
mod subtask;
mod work;

pub use split::{SplitPrompt, Splitting};
pub use state::{TaskOptions, TaskState, TaskStateUpdate, Writes};
pub use subtask::{Ended, Problem, Status, Subtask, Subtasks, Write, WriteAnswer, WriteRequest, Written};

use crate::Service;
use crate::prompts::Folder;

/// The orchestrator's name in errors and in what is spent.
pub const NAME: &str = "orchestrator";
/// The node that takes the task apart.
pub const SPLIT: &str = "split";
/// The node that sends out what is ready.
pub const DISPATCH: &str = "dispatch";
/// The node that does one sub-task.
pub const WORK: &str = "work";
/// The node that writes what was proposed.
pub const SETTLE: &str = "settle";
/// The node that gives the answer.
pub const GATHER: &str = "gather";

/// The orchestrator's prompts.
pub(crate) const PROMPTS: Folder = crate::prompt_folder!(
    "orchestrator",
    ["system", "split"],
    ["description", "language", "agents", "chapter", "has_text", "max_subtasks"]
);

/// The graph `task`, with the agents of `service`.
///
/// A run starts from [`TaskState::input`] and takes at most [`TaskOptions::supersteps`] supersteps.
pub fn task_graph(service: Service) -> Result<CompiledGraph<TaskState>, qingyu_graph::Error> {
    let service = Arc::new(service);
    let (splitting, working, settling) = (Arc::clone(&service), Arc::clone(&service), service);
    Graph::<TaskState>::new("task")
        .node(SPLIT, move |state: Arc<TaskState>, context: Context| {
            let service = Arc::clone(&splitting);
            async move { split::run(&service, &state, &context).await }
        })
        .node(DISPATCH, |state: Arc<TaskState>, context: Context| async move { Ok(dispatch::run(&state, &context)) })
        .targets(DISPATCH, [WORK, GATHER])
        .node(WORK, move |state: Arc<TaskState>, context: Context| {
            let service = Arc::clone(&working);
            async move { work::run(&service, &state, &context).await }
        })
        .node(SETTLE, move |state: Arc<TaskState>, context: Context| {
            let service = Arc::clone(&settling);
            async move { settle::run(&service, &state, &context).await }
        })
        .node(GATHER, |state: Arc<TaskState>, _: Context| async move { Ok(gather::run(&state)) })
        .edge(START, SPLIT)
        .edge(SPLIT, DISPATCH)
        .edge(WORK, SETTLE)
        .edge(SETTLE, DISPATCH)
        .edge(GATHER, END)
        .compile()
}
