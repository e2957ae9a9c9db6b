//! Where finished work is kept.

use futures::future::BoxFuture;
use qingyu_llm::Usage;
use serde::{Deserialize, Serialize};

use crate::changes::PieceChange;

/// Keeps what agents made, as soon as they made it.
///
/// `save` is idempotent: a run that is resumed after a crash may save the same work, under the same
/// [`Saved::key`], a second time. When it fails the run stops and can be resumed; nothing that was paid for is lost.
pub trait Archive: Send + Sync + std::fmt::Debug {
    /// Keeps `saved`.
    fn save<'a>(&'a self, saved: Saved) -> BoxFuture<'a, Result<(), Box<dyn std::error::Error + Send + Sync>>>;
}

/// The finished work of one agent in one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The project it belongs to.
    pub project_id: String,
    /// Whose project it is.
    pub user_id: String,
    /// What became different, in the story's order.
    pub changes: Vec<PieceChange>,
    /// Who made it and how.
    pub provenance: Provenance,
}

impl Saved {
    /// Under which it is kept: run, step, iteration.
    pub fn key(&self) -> String {
        let Provenance { run_id, agent, step_id, iteration, .. } = &self.provenance;
        format!("{run_id}/{agent}/{}/{iteration}", step_id.unwrap_or_default())
    }
}

/// Who made a piece and how.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The run, as the studio calls it.
    pub run_id: String,
    /// The agent, such as `outline_agent`; `human_review` for a person's edit.
    pub agent: String,
    /// The plan's step, if it is one.
    pub step_id: Option<u32>,
    /// How many correction rounds had begun.
    pub iteration: u32,
    /// The model that answered; none when the instructions were carried out without one.
    pub model: Option<String>,
    /// The purpose of the model call, such as `outline.generate`.
    pub purpose: Option<String>,
    /// SHA-256 of the prompt templates used, in hexadecimal.
    pub prompt_hash: Option<String>,
    /// What was counted.
    pub usage: Usage,
}
