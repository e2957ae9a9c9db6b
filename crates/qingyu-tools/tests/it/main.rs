//! The tools as agents and other programs meet them.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic as tests do")]

mod content;
mod context;
mod desk;
mod projects;
mod stub;
mod toolbox;
mod tools;
mod wire;
mod workspaces;
