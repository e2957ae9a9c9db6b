//! The run of a production.

use qingyu_agents::production as agents;
use qingyu_store::{Run, Standing};

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::kind::RunKind;
use crate::runs::types::produce::ProduceRun;
use crate::studio::Studio;

/// The maximum number of messages carried over from a previous run.
const REMEMBERED: usize = 40;

impl Studio {
    /// Returns the newest production run of a project.
    pub(crate) async fn production_run(&self, project: &str) -> Result<Option<Run>, Error> {
        for run in self.runs_of_project(project, Standing::Any, None).await? {
            if RunConfig::kept(&run)?.kind == RunKind::Produce {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// Returns the last messages of a run.
    pub(super) async fn said(&self, run: &Run) -> Result<Vec<agents::Spoken>, Error> {
        let messages = self.snapshot::<ProduceRun>(&run.id).await?.map(|snapshot| snapshot.state.messages);
        let mut messages = messages.unwrap_or_default();
        messages.drain(..messages.len().saturating_sub(REMEMBERED));
        Ok(messages)
    }
}
