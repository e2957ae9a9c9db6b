//! The HTTP door: one port for all protocols.
//!
//! - [`App`]: all doors behind one router; [`listen`]: a listener that serves it, `connections`: which of them may stay,
//!   `tracked`: how far bodies were read
//! - `guard`: what stands in front of every door: who asks, from which page, under which name
//! - `operations`: the routes of the API; [`openapi`]: their document
//! - `events`: what a run tells, as a stream; `files`: books and content to take away
//! - `streams`: what all streams of events have in common
//! - `health`: whether the server lives and is ready, and what it counts
//! - [`Caller`], [`Problem`]: who asks, and what went wrong

mod app;
mod audit;
mod caller;
mod connections;
mod events;
mod files;
mod guard;
mod health;
pub mod listen;
pub mod openapi;
pub(crate) mod operations;
mod problem;
mod state;
mod streams;
mod tracked;

pub use app::App;
pub use caller::Caller;
pub use guard::Door;
pub use problem::{Problem, status};
pub use state::State;
