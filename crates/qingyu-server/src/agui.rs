//! AG-UI 1.0: runs as chat kits show them.
//!
//! `POST /agui` and `POST /agui/projects/{project}` take a `RunAgentInput` and answer with server-sent events. The words
//! of the last message of the user begin a run; `forwardedProps.qingyu` may say of which `kind` (`create`, `write`, `task`,
//! `produce`, `ask`), in which `project`, and carries more fields of the studio's request. The project is otherwise the one
//! that the state names, which clients send back, or the thread, if that is a project's id. `resume` answers a question.
//!
//! - [`event`]: the events of the protocol
//! - `input`: what a client sends
//! - `mapper`: what a run tells, as such events; without any I/O
//! - `door`: the route

mod door;
pub mod event;
mod input;
mod mapper;

pub use door::router;
