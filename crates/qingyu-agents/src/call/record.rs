//! Records of model calls, and the sums over them in the states of runs.

use qingyu_graph::Write;
use qingyu_llm::{Reply, Substitution, Usage};
use serde::{Deserialize, Serialize};

/// The record of one model call for the trace.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CallRecord {
    /// Key of the stored answer.
    pub key: String,
    /// Name of the calling agent.
    pub agent: String,
    /// Purpose of the call.
    pub purpose: String,
    /// Number of the chapter, for calls about a chapter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapter: Option<u32>,
    /// The model behind the answer.
    pub model: String,
    /// Reason for a fallback model, if the requested model did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
    /// SHA-256 of the prompt templates used.
    pub prompt_hash: String,
    /// Tokens counted by the provider.
    pub usage: Usage,
    /// Cost in millionths of the price's currency; `None` for an unknown price.
    pub cost_micros: Option<u64>,
    /// Whether the answer was read from a cassette or reused from another run, without cost.
    pub replayed: bool,
    /// Number of requests, retries included.
    pub attempts: u32,
    /// Whether the answer had to be repaired.
    pub repaired: bool,
    /// Duration in milliseconds.
    pub millis: u64,
    /// The answer as received.
    pub raw: String,
    /// Error message of a call without a usable answer.
    pub error: Option<String>,
}

impl CallRecord {
    /// Returns the tokens of the call, input and output.
    pub fn tokens(&self) -> u64 {
        self.usage.input + self.usage.output
    }

    /// Returns the record for a run that reuses the answer of a call of `run`: without cost, and with a key of its own.
    #[must_use]
    pub fn reused_from(&self, run: &str) -> Self {
        Self {
            key: format!("{run}/{}", self.key),
            usage: Usage::default(),
            cost_micros: Some(0),
            replayed: true,
            ..self.clone()
        }
    }

    /// Records the answering model, if the reply names a model.
    pub(super) fn answered_by(&mut self, reply: &Reply) {
        if !reply.model.is_empty() {
            self.model.clone_from(&reply.model);
        }
        self.substitution.clone_from(&reply.substitution);
    }
}

/// Adds two counters; the reducer of totals over calls.
pub(crate) fn add(old: u64, new: u64) -> u64 {
    old.saturating_add(new)
}

/// Returns the sum an update holds so far, since a second write would override the first.
pub(crate) fn so_far(slot: Option<&Write<u64>>) -> u64 {
    match slot {
        Some(Write::Add(sum) | Write::Set(sum)) => *sum,
        None => 0,
    }
}
