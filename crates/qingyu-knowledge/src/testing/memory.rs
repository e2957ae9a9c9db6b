//! In-memory engines without a server. The data is lost when the process ends.

mod graph;
mod search;
mod vectors;

pub use graph::MemoryGraph;
pub use search::MemorySearch;
pub use vectors::MemoryVectors;
