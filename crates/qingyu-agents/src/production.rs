//! Producing content that is no story, in phases, with the user.
//!
//! - [`context`]: what the prompts are filled from

pub mod context;
mod routed;

pub use routed::Routed;
