//! Projects as seen by tools.
//!
//! Modules, lowest first: `remote`; `workspace`, `servers`; `engine`.

pub(crate) mod engine;
pub(crate) mod remote;
pub(crate) mod servers;
pub(crate) mod workspace;
