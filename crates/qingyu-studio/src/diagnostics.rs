//! The doctor, and diagnostics: one document for a bug report with the configuration and failures of the program, and
//! without any of the author's content.
//!
//! The content is an allow list: numbers, switches, codes and names known to the release. Every other text is replaced
//! by [`HIDDEN`]; see `diagnostics/redaction.rs`.
//!
//! Modules, lowest first: `check`, `report`; `engines`, `models`, `redaction`; `doctor`, `diagnose`.

pub(crate) mod check;
pub(crate) mod diagnose;
pub(crate) mod doctor;
pub(crate) mod engines;
pub(crate) mod models;
pub(crate) mod redaction;
pub(crate) mod report;

pub use diagnose::diagnose;
pub use redaction::HIDDEN;
pub use report::Diagnostics;
