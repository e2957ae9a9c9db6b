//! Productions: phases and fields of a project, produced with the user.
//!
//! Modules, lowest first: `templates`, `saving`; `fields`, `export`, `run`, `voice`; `view`, `start`; `orders`, `schedule`.

pub(crate) mod export;
pub(crate) mod fields;
pub(crate) mod orders;
pub(crate) mod run;
pub(crate) mod saving;
pub(crate) mod schedule;
pub(crate) mod start;
pub(crate) mod templates;
pub(crate) mod view;
pub(crate) mod voice;
