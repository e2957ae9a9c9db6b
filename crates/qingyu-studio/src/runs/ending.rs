//! Storing the end of a run without a worker.

use jiff::Timestamp;
use qingyu_store::{OwnedRun, Run, RunStatus as Kept};

use crate::error::Error;
use crate::runs::event::StudioEventKind;
use crate::runs::outcome::RunEnding;
use crate::studio::Studio;

impl Studio {
    /// Releases a run marked as working after a failed start. A server re-examines the run later: a concurrent answer
    /// may be in progress, and the run must not be marked as waiting. Otherwise the run's previous status is restored.
    pub(crate) async fn give_back(&self, run: &Run) {
        if self.server().is_some() {
            self.leave_adrift(run);
        } else if let Err(error) = self.runs_table().given_back(run).await {
            tracing::warn!(run = run.id, %error, "failed to restore run status after a lost start");
        }
    }

    /// Stores the failure of a run that could not be launched, unless its server will resume the run after a database
    /// outage.
    pub(crate) async fn write_down_failure(&self, run: &Run, error: &Error) {
        if self.server().is_some() && error.is_of_absent_database() {
            return self.leave_adrift(run);
        }
        // Another worker has the run.
        if matches!(error, Error::ThreadBusy { .. }) {
            return;
        }
        let ended = self.write_down_end(run, Kept::Failed, StudioEventKind::Failed { failure: error.failure() }).await;
        if let Err(error) = ended {
            tracing::warn!(run = run.id, %error, "failed to store the failure of a run that did not start");
            if self.server().is_some() {
                self.leave_adrift(run);
            }
        }
    }

    /// Defers the run; this server resumes it after the database outage.
    pub(crate) fn leave_adrift(&self, run: &Run) {
        let (user, key) = (self.scope().user().to_owned(), self.scope().key().map(str::to_owned));
        self.live().leave_adrift(OwnedRun { user, run: run.id.clone(), key });
    }

    /// Stores the end of a run without a worker.
    pub(crate) async fn write_down_end(&self, run: &Run, status: Kept, last: StudioEventKind) -> Result<(), Error> {
        let failure = match &last {
            StudioEventKind::Failed { failure } => Some(failure.clone()),
            _ => None,
        };
        let ending = serde_json::json!(RunEnding { failure, ..RunEnding::kept(run) });
        let ended = self.runs_table().given_up(run, status, ending, serde_json::json!(last), Timestamp::now()).await;
        ended.map(drop).map_err(|error| self.place(&run.id).store(error))
    }
}
