//! Search, questions and the graph of a project.
//!
//! Modules, lowest first: `copies`, `embedding`; `index`; `engines`, `assistant`, `hidden`, `notes`, `series`; `ties`;
//! `passages`, `answer`, `graph`.

pub(crate) mod answer;
pub(crate) mod assistant;
pub(crate) mod copies;
pub(crate) mod embedding;
pub(crate) mod engines;
pub(crate) mod graph;
mod hidden;
pub(crate) mod index;
mod known;
mod notes;
pub(crate) mod passages;
mod series;
mod ties;
