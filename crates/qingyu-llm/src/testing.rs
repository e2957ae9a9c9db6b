//! Doubles for tests: a model in the process, and a server that speaks the providers' protocols.
//!
//! - [`ScriptedModel`]: answers from a queue per purpose or from a closure, and keeps what it was asked
//! - [`server`]: an HTTP server on loopback for the OpenAI, Anthropic and Ollama protocols, whose answers are decided
//!   by a queue or a closure and may be cut, delayed or broken anywhere

mod scripted;
pub mod server;

pub use scripted::{Script, ScriptedModel};

use crate::{Error, Event, Reply, Wire};

/// Reads an answer as it comes from a server: its body in `pieces`, in the protocol of `wire`. Gives what was streamed, without
/// the end of it, and the whole.
pub fn read_answer(wire: Wire, pieces: &[&[u8]]) -> Result<(Vec<Event>, Reply), Error> {
    crate::wire::read(wire, pieces)
}
