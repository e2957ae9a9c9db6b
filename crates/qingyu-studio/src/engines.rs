//! Engines on a team's servers, with the embedded engines as fallback.
//!
//! Everything on a server is a copy of the embedded store, except memories written by other machines. A server that is
//! down is replaced by the embedded engine, with a report in the answer and a line in the log, and is tried again after
//! a pause.
//!
//! Modules, lowest first: `report`, `address`, `slot`; `open`; `set`; `long_term`, `short_term`.

#[cfg_attr(not(feature = "engines"), allow(dead_code, reason = "only connections need passwords"))]
pub(crate) mod address;
pub(crate) mod long_term;
#[cfg_attr(not(feature = "engines"), path = "engines/missing.rs")]
pub(crate) mod open;
pub(crate) mod report;
pub(crate) mod set;
pub(crate) mod short_term;
pub(crate) mod slot;
