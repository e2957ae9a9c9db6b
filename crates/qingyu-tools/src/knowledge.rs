//! Tools that find what is known: passages by their words, people by what ties them.

pub mod graph;
pub mod rag;
