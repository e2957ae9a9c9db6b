//! The API of chat completions: our agents as models, for every program that can be given an address of its own.
//!
//! `qingyu` answers questions about a project with its sources; `qingyu-creative`, `qingyu-analysis` and `qingyu-review`
//! do a task on it and change nothing. A project is named as `<model>@<project>` or by the header `X-Qingyu-Project`;
//! whoever has only one need not name it.
//!
//! - `agents`: the models; `wire`: requests, answers and errors; `door`: the routes

mod agents;
mod door;
mod wire;

pub use door::router;
