//! The command as its users meet it: the real binary, on the offline model, in a folder of its own.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod home;

mod access;
mod books;
mod chapters;
mod checkpoints;
#[cfg(unix)]
mod conversation;
mod cost;
mod create;
mod diagnostics;
#[cfg(unix)]
mod documents;
#[cfg(feature = "engines")]
mod engines;
mod examining;
mod failures;
mod glossary;
#[cfg(unix)]
mod hardship;
mod help;
mod help_promises;
mod interruptions;
mod layers;
mod licences;
mod manifests;
mod mcp;
mod memory;
mod mirror;
mod models;
mod named_tests;
mod production;
mod promises;
#[path = "../../../qingyu-server/tests/it/python.rs"]
mod python;
mod questions;
#[cfg(unix)]
mod reach;
mod remote;
mod samples;
mod series;
mod settling;
mod stories;
mod tasks;
#[cfg(unix)]
mod terminal;
mod views;
