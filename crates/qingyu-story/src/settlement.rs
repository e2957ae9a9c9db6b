//! Settling a chapter: what its prose says becomes facts, events, promises and cards of the story.

pub mod extraction;
mod record;

pub use extraction::Extraction;
pub(crate) use record::kept_up;
pub use record::{Added, Gone, Made, Retold, Settled, digest};
