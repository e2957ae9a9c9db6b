//! The traits of engines for teams: search, vectors, the graph. The engines are in `qingyu-engines`.
//!
//! Every row belongs to a [`Scope`]: a project of a user. No call returns or changes a row of another scope, whatever
//! the names contain. All data is derived from the story, so a server's lost data can be restored from the story.
//!
//! Every engine passes the suite of its trait in [`testing`](crate::testing) (feature `testing`), which also has engines in
//! memory.

mod changes;
mod checks;
mod error;
mod interface;

pub use changes::{IndexChanges, IndexedPiece, keeps_vectors};
pub use checks::{check_points, check_values, check_vector};
pub use error::Error;
pub use interface::{
    GraphEngine, PatternAnswer, Scope, SearchEngine, UnembeddedChunk, VectorEngine, VectorPoint, VectorQuery,
};

pub use crate::search::Neighbour;
