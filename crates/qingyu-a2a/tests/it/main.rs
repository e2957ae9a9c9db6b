//! The door as other agents use it.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod bindings;
#[path = "../../../qingyu-grpc/tests/it/environment.rs"]
mod environment;
mod python;
mod rig;
mod rights;
mod tasks;
mod webhooks;
