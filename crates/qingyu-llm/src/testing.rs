//! Test doubles: an in-process model, and a server for the providers' protocols.
//!
//! - [`ScriptedModel`]: returns answers from a queue per purpose or from a closure, and records the requests
//! - [`server`]: an HTTP server on loopback for the OpenAI, Anthropic and Ollama protocols, with answers from a queue
//!   or a closure, optionally cut, delayed or broken anywhere
//! - [`request_tokens`] and [`is_shown`]: the size of a request, and whether a prompt shows the form of its answer

mod scripted;
pub mod server;

pub use scripted::{ModelScript, ScriptedModel};

use crate::estimate::Estimator;
use crate::{ChatEvent, ChatRequest, Error, OutputSchema, Reply, Wire};

/// Returns the estimated tokens of `request` for a model that has not reported any usage.
pub fn request_tokens(request: &ChatRequest) -> u64 {
    Estimator::default().request("", request)
}

/// Returns whether `text` shows an example of the whole answer of the form `output`, so that a request with such a prompt
/// does not repeat the schema.
pub fn is_shown(output: &OutputSchema, text: &str) -> bool {
    output.is_shown_in(text)
}

/// Parses a response body, given in `pieces`, in the protocol of `wire`. Returns the streamed events, without the final
/// event, and the complete answer.
pub fn read_answer(wire: Wire, pieces: &[&[u8]]) -> Result<(Vec<ChatEvent>, Reply), Error> {
    crate::wire::read(wire, pieces)
}
