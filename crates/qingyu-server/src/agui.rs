//! AG-UI 1.0: runs for chat kits.
//!
//! `POST /agui` and `POST /agui/projects/{project}` take a `RunAgentInput` and respond with server-sent events. The
//! last user message starts a run; `forwardedProps.qingyu` may set the `kind` (`create`, `write`, `task`, `produce`,
//! `ask`), the `project` and further fields of the studio's request. The project defaults to the project in the state
//! sent back by the client, then to the thread if its id is a project's id. `resume` answers a question.
//!
//! - `event`: the events of the protocol
//! - `input`: the client's request
//! - `mapper`: conversion of run events, without I/O
//! - `door`: the route

mod door;
mod event;
mod input;
mod mapper;

pub use door::router;
