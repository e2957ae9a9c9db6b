//! Doubles for tests: a model in the process, and a server that speaks the providers' protocols.
//!
//! - [`ScriptedModel`]: answers from a queue per purpose or from a closure, and keeps what it was asked
//! - [`server`]: an HTTP server on loopback for the OpenAI, Anthropic and Ollama protocols, whose answers are decided
//!   by a queue or a closure and may be cut, delayed or broken anywhere

mod scripted;
pub mod server;

pub use scripted::{Script, ScriptedModel};
