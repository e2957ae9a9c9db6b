//! The door on a free port, asked by clients.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod calls;
mod descriptor;
mod environment;
mod python;
mod rig;
