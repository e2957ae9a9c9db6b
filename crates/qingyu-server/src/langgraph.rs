//! The API of LangGraph servers, for its clients and user interfaces. All routes start with `/langgraph`.
//!
//! A thread is a project, named by its own id or by a UUID chosen by the client; a new thread is an empty project. A run
//! is a run with the same id, and an assistant is a kind of run: `create`, `write`, `task`, `produce`. `command.resume`
//! answers the waiting run of the thread, which resumes under its own id instead of a new id; a run without input
//! resumes the newest run of its kind. The state of a thread is
//! the document of its newest run, and its checkpoint has the id of the run. Unsupported features return 422 with a
//! reason: no field of a request is ignored silently.
//!
//! - `assistants`, `threads`, `runs`: the routes; `absent`: routes that are not there; `wire`: shapes; `error`: errors
//! - `fields`: bodies and queries, field by field; `order`: requests for runs; `stops`: the nodes at which they stop;
//!   `disconnect`: runs that end with their client's connection
//! - `thread`: projects as threads; `outcome`: their runs as states, edited by `update`; `interrupt`: waiting runs as interrupts; `notes`:
//!   ids and metadata of clients
//! - `mapper`: conversion of run events to frames of the stream modes, without I/O

mod absent;
mod assistants;
mod disconnect;
mod error;
mod fields;
mod interrupt;
mod mapper;
mod notes;
mod order;
mod outcome;
mod runs;
mod stops;
mod thread;
mod threads;
mod update;
mod wire;

use axum::Router;

pub(crate) use error::error;

/// Returns the routes, under `/langgraph`.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let routes = assistants::routes().merge(threads::routes()).merge(runs::routes()).merge(absent::routes());
    Router::new().nest("/langgraph", routes)
}
