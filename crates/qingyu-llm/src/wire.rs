//! The two protocols, and the HTTP under them.
//!
//! Deciding is apart from doing. Pure: [`sse`] cuts bytes into events, [`openai`] and [`anthropic`] build bodies and
//! read events, [`assemble`] collects an answer from its pieces, [`think`] parts thinking from text. Doing: [`http`]
//! sends and receives, [`client`] opens models.

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

pub use client::{Client, Limits};

#[cfg(any(test, feature = "testing"))]
use crate::{Error, Event, Reply, provider::Wire};

/// The events and the answer of a body in the protocol of `wire`.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn read(wire: Wire, pieces: &[&[u8]]) -> Result<(Vec<Event>, Reply), Error> {
    match wire {
        Wire::OpenAi => stream::read(openai::decoder("model", "provider"), "model", pieces),
        Wire::Anthropic => stream::read(anthropic::decoder("model", "provider"), "model", pieces),
    }
}
