//! The doors as other programs meet them.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod client;
mod consent;
mod lines;
mod patience;
mod rig;
