//! Doubles for tests: a scripted search and reader, a server of awkward pages, and the suite that every adapter passes.
//!
//! [`Server`] listens on loopback; [`Server::settings`] allow that one address and nothing else.

mod answer;
pub mod contract;
mod engine;
mod names;
mod scripted;
mod server;

pub use answer::{Answer, pdf};
pub use engine::Says;
pub use names::ScriptedNames;
pub use scripted::{ScriptedReader, ScriptedSearch};
pub use server::{Asked, Server};
