//! Settling a chapter: what its prose says becomes facts, events, promises and cards of the story.

pub mod extraction;

pub use extraction::Extraction;
