//! Search tools: passages by words, people by relations.

pub mod graph;
pub mod rag;
