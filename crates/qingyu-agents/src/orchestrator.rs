//! The orchestrator: splits a task, runs agents on its parts, and combines their answers.
//!
//! ```text
//! split → dispatch ⇉ work (every sub-task that is ready, side by side) → settle → dispatch … → gather
//! ```
//!
//! `split` calls a model; the fallback without a usable answer is the rules of [`mod@router`]. `dispatch` asks a person
//! which agents are meant where words do not decide. `settle` writes changes proposed by agents, after asking a person
//! unless writing was authorized beforehand.

use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Graph, START};

mod context;
mod dispatch;
mod gather;
mod names;
pub mod router;
mod settle;
mod split;
mod state;
mod subtask;
mod work;

#[cfg(test)]
pub(crate) use context::AgentSummary;
pub use context::SplitContext;
pub use names::SPLIT;
pub use state::{TaskOptions, TaskState, TaskStateUpdate, Writes};
pub use subtask::{
    AgentOption, AgentsRequest, Ended, Status, Subtask, Subtasks, UndecidedPart, Write, WriteAnswer, WriteRequest,
    Written,
};

use self::names::{DISPATCH, GATHER, SETTLE, WORK};
use crate::service::AgentService;

/// Builds the graph `task`, with the agents of `service`.
///
/// A run starts from [`TaskState::input`] and takes at most [`TaskOptions::supersteps`] supersteps.
pub fn task_graph(service: AgentService) -> Result<CompiledGraph<TaskState>, qingyu_graph::Error> {
    let service = Arc::new(service);
    let (splitting, dispatching) = (Arc::clone(&service), Arc::clone(&service));
    let (working, settling) = (Arc::clone(&service), service);
    Graph::<TaskState>::new("task")
        .node(SPLIT, move |state: Arc<TaskState>, context: Context| {
            let service = Arc::clone(&splitting);
            async move { split::run(&service, &state, &context).await }
        })
        .node(DISPATCH, move |state: Arc<TaskState>, context: Context| {
            let service = Arc::clone(&dispatching);
            async move { dispatch::run(&service, &state, &context).await }
        })
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
