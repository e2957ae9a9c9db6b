//! The engines without a server. They keep nothing when the process ends.

mod graph;
mod search;
mod vectors;

pub use graph::MemoryGraph;
pub use search::MemorySearch;
pub use vectors::MemoryVectors;
