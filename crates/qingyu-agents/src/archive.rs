//! The archive of finished work.

use futures::future::BoxFuture;
use qingyu_story::digest::sha256;
use qingyu_story::{ChangeKey, PieceChange, Provenance};
use serde::{Deserialize, Serialize};

use crate::call::CallRecord;

/// Stores finished work of agents, step by step.
///
/// `save` is idempotent: a run resumed after a crash may save the same work again, under the same [`ArchivedWork::key`]. After a
/// failed save the run stops and can be resumed; no paid answer is lost.
pub trait WorkArchive: Send + Sync + std::fmt::Debug {
    /// Commits `saved`.
    fn save<'a>(&'a self, saved: ArchivedWork) -> BoxFuture<'a, Result<(), Box<dyn std::error::Error + Send + Sync>>>;
}

/// The finished work of one agent in one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArchivedWork {
    /// The id of the project.
    pub project_id: String,
    /// The owner of the project.
    pub user_id: String,
    /// The changes, in the order of the story.
    pub changes: Vec<PieceChange>,
    /// The key of the save: run, agent with step, iteration.
    pub key: ChangeKey,
    /// The author: agent, run, and the model call.
    pub provenance: Provenance,
}

impl ArchivedWork {
    /// Returns the work of `agent` in a step of the plan; without a step (a person, an agent outside the plan) the key has a
    /// digest of the changes instead, since several saves may belong to one round.
    pub(crate) fn new(
        (project_id, user_id, run_id): (&str, &str, &str),
        agent: &str,
        step: Option<u32>,
        iteration: u32,
        call: Option<&CallRecord>,
        changes: Vec<PieceChange>,
    ) -> Self {
        let step = match step {
            Some(step) => format!("{agent}/{step}"),
            None => {
                let content = serde_json::to_vec(&changes).expect("changes are plain data");
                format!("{agent}/0/{}", &sha256(&content)[..12])
            }
        };
        let provenance = Provenance {
            agent: agent.into(),
            run: Some(run_id.to_owned()).filter(|run| !run.is_empty()),
            prompt_hash: call.map(|call| call.prompt_hash.clone()),
            model: call.map(|call| call.model.clone()),
            tokens: call.map(CallRecord::tokens).unwrap_or_default(),
            ..Provenance::default()
        };
        let key = ChangeKey { run: run_id.into(), step, iteration };
        Self { project_id: project_id.into(), user_id: user_id.into(), changes, key, provenance }
    }
}
