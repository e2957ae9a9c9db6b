//! Runs: started, followed, answered and cancelled by MCP clients.
//!
//! The tools (`start_run`, `get_run`, `answer_run`, `cancel_run`, `list_runs`, `list_events`) are ordinary tools of the
//! engine and return at once. The protocol's features for long work are added around them:
//!
//! - a call with `wait_seconds` returns when the run ends or asks a question, with progress notifications meanwhile;
//! - a client supporting tasks receives the run as a task under the run's id, which survives a restart of the process;
//! - questions of a run are passed to the person using the client, if the client can ask.

mod arguments;
mod document;
mod names;
pub(super) mod question;
mod start;
pub(super) mod tasks;
pub(super) mod tools;
pub(super) mod waiting;

use qingyu_studio::{Error, Outcome, Studio, StudioEvent};
use qingyu_tools::Engine;

pub(super) use document::failed;
pub(super) use names::{START, is_for_runs};

/// The runs of a studio.
#[derive(Debug, Clone)]
pub(super) struct McpRuns {
    pub(super) studio: Studio,
}

/// The first and last events of a run's log.
pub(super) struct RunLogBounds {
    /// The first event.
    pub(super) first: Option<StudioEvent>,
    /// The last event.
    pub(super) last: Option<StudioEvent>,
}

impl McpRuns {
    /// Creates the runs of a studio, and registers their tools with `engine`.
    pub(super) fn new(studio: &Studio, engine: &mut Engine) -> Self {
        for tool in tools::all(studio) {
            if let Err(error) = engine.register(tool) {
                tracing::warn!(%error, "failed to offer a tool for runs");
            }
        }
        Self { studio: studio.clone() }
    }

    /// Returns the outcome of a run and the ends of its log.
    pub(super) async fn look(&self, run: &str) -> Result<(Outcome, RunLogBounds), Error> {
        let outcome = self.studio.outcome(run).await?;
        let mut log = RunLogBounds { first: None, last: None };
        loop {
            let after = log.last.as_ref().map_or(0, |event| event.seq);
            let mut page = self.studio.events(&outcome.run, after).await?.into_iter();
            if log.first.is_none() {
                log.first = page.next();
                log.last.clone_from(&log.first);
            }
            match page.next_back() {
                Some(last) => log.last = Some(last),
                None => return Ok((outcome, log)),
            }
        }
    }
}

impl RunLogBounds {
    /// Returns the number of the last event, or 0.
    pub(super) fn end(&self) -> u64 {
        self.last.as_ref().map_or(0, |event| event.seq)
    }
}
