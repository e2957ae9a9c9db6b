//! The chat completions API: our agents as models, for any program with a configurable API address.
//!
//! `qingyu` answers questions about a project with sources; `qingyu-creative`, `qingyu-analysis` and `qingyu-review`
//! run a read-only task on a project. A project is named as `<model>@<project>` or by the header `X-Qingyu-Project`;
//! the default is the caller's only project.
//!
//! - `agents`: the models; `wire`: requests, responses and errors; `door`: the routes
//! - `unsupported`: the request fields that are refused; `citations`: sources as annotations; `pieces`: texts as a stream

mod agents;
mod citations;
mod door;
mod pieces;
mod unsupported;
mod wire;

pub use door::router;
pub(crate) use wire::error;
