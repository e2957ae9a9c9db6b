//! The two wire protocols and their HTTP transport.
//!
//! Pure modules: [`sse`] parses bytes into events, [`openai`] and [`anthropic`] build bodies and parse events,
//! [`assemble`] assembles an answer, [`think`] separates thinking from text. I/O modules: [`http`] sends and receives,
//! [`client`] opens models.

mod anthropic;
mod assemble;
mod client;
mod embeddings;
mod http;
mod openai;
mod output;
mod report;
mod secrets;
mod sse;
mod stream;
pub(crate) mod think;

pub use client::LlmClient;
pub use http::ClientLimits;

#[cfg(any(test, feature = "testing"))]
use crate::{ChatEvent, Error, Reply, provider::Wire};

/// Parses a body in the protocol of `wire` and returns its events and answer.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn read(wire: Wire, pieces: &[&[u8]]) -> Result<(Vec<ChatEvent>, Reply), Error> {
    match wire {
        Wire::OpenAi => stream::read(openai::decoder("model", "provider"), "model", pieces),
        Wire::Anthropic => stream::read(anthropic::decoder("model", "provider"), "model", pieces),
    }
}
