//! The offline model as the pipeline uses it: what it makes, what it refuses, how corrections end.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod answers;
mod bench;
mod corrections;
mod golden;
mod levels;
mod pipeline;
mod refusals;
mod tasks;
mod wishes;
