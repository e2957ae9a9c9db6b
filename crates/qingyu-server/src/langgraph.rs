//! The API of LangGraph servers, for its clients and for interfaces that are made for it. Everything stands under
//! `/langgraph`.
//!
//! A thread is a project, with the same id; a thread that is made new is an empty project. A run is a run, with the same
//! id, and an assistant is a kind of run: `create`, `write`, `task`, `produce`. `command.resume` answers the run of the
//! thread that waits, which goes on under its own id instead of a new one. The state of a thread is the document of its
//! newest run. What these servers can and ours cannot is refused with 422 and a reason.
//!
//! - `assistants`, `threads`, `runs`: the routes; `wire`: shapes and errors
//! - `mapper`: what a run tells, as frames of the stream modes; without any I/O

mod assistants;
mod mapper;
mod runs;
mod threads;
mod wire;

use axum::Router;

/// The routes, under `/langgraph`.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().nest("/langgraph", assistants::routes().merge(threads::routes()).merge(runs::routes()))
}
