//! The doors as other programs meet them.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod client;
mod consent;
mod foreign;
mod lines;
mod official;
mod patience;
mod python;
mod rig;
