//! Chat models and embedders: two wires, providers as data, structured output, budgets, cassettes.
//!
//! The map:
//!
//! - [`model`]: the [`ChatModel`] trait, always streaming
//! - [`request`]: what is asked: messages, tools, schema, purpose, typed context
//! - [`event`]: what comes back, piece by piece, and the whole [`Reply`]
//! - [`error`]: failures sorted by what the caller can do
//! - [`structured`]: typed answers: extraction, repair, validation, bounded re-asks
//! - [`roles`]: which model serves which purpose
//! - [`estimate`]: tokens before a provider has counted them

pub mod error;
pub mod estimate;
pub mod event;
pub mod model;
pub mod request;
pub mod roles;
pub mod structured;

pub use error::Error;
pub use event::{Event, Finish, Reply, ToolCall, Usage};
pub use model::{ChatModel, EventStream};
pub use request::{Message, OutputSchema, Request, Role, ToolSpec};
pub use roles::Models;
pub use structured::{Answer, Ask};
