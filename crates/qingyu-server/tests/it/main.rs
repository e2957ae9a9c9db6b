//! The doors as other programs meet them.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

#[path = "../../../qingyu-studio/tests/it/answers.rs"]
mod answers;
mod api;
mod approver;
mod client;
mod consent;
mod examples;
#[path = "../../../qingyu-graph/tests/it/extent.rs"]
mod extent;
#[cfg(unix)]
mod fleet;
mod foreign;
mod grpc;
mod hostile;
mod house;
mod http;
mod kits;
mod lines;
mod listeners;
mod matrix;
#[cfg(feature = "bench")]
mod noop;
mod official;
mod one_run;
mod operators;
mod pages;
mod patience;
mod protocols;
mod python;
mod rig;
mod rivals;
mod runs;
mod security;
mod tenants;
mod threads;
mod traces;
mod web;
#[path = "../../../qingyu-studio/tests/it/wire.rs"]
mod wire;
mod workspace;
mod workspace_examples;
