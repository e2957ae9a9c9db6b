//! Models: keys, lists, selection and construction.
//!
//! Modules, lowest first: `choice`, `model_keys`, `listings`, `model_file`; `row`, `selection`; `roster`; `embedder` and
//! `trial`; `manage` with the operations.

pub(crate) mod choice;
pub(crate) mod embedder;
pub(crate) mod listings;
pub(crate) mod manage;
pub(crate) mod model_file;
pub(crate) mod model_keys;
pub(crate) mod roster;
pub(crate) mod row;
pub(crate) mod selection;
pub(crate) mod trial;
