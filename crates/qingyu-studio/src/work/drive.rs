//! Driving a run to its end, and writing down what came of it.

use std::sync::Arc;
use std::time::Instant;

use jiff::Timestamp;
use qingyu_agents::progress::Progress;
use qingyu_graph::{EventKind as GraphEvent, Outcome as Ended, Thread};
use qingyu_llm::cassette::Recorder;
use qingyu_store::{Run, RunStatus as Kept};

use crate::calls::Pricing;
use crate::journal::Journal;
use crate::outcome::{Ending, Stand};
use crate::studio::Studio;
use crate::work::kind::Kind;
use crate::{Error, EventKind, Outcome, RunStatus};

/// A run on its way.
pub(super) struct Driver<K: Kind> {
    pub(super) studio: Studio,
    pub(super) run: Run,
    pub(super) thread: Thread<K::State>,
    pub(super) journal: Journal,
    pub(super) pricing: Pricing,
    pub(super) recorder: Option<Arc<Recorder>>,
    pub(super) begun: Instant,
}

impl<K: Kind> Driver<K> {
    /// Tells what the run tells until it ends, then writes down how.
    pub(super) async fn drive(self, mut work: qingyu_graph::Run<K::State>) -> Outcome {
        while let Some(event) = work.next().await {
            if let GraphEvent::Custom(value) = event.kind {
                match serde_json::from_value::<Progress>(value) {
                    Ok(progress) => self.journal.tell(EventKind::Progress(progress)),
                    Err(error) => tracing::warn!(%error, "the pipeline told something unknown"),
                }
            }
        }
        let place = self.studio.place(&self.run.id);
        let (status, failure) = match work.finish().await {
            Ok(Ended::Done(_)) => (RunStatus::Done, None),
            Ok(Ended::Waiting { .. }) => (RunStatus::Waiting, None),
            Ok(Ended::Cancelled { .. }) => (RunStatus::Interrupted, None),
            Err(error) => (RunStatus::Failed, Some(place.graph(&error))),
        };
        self.end(status, failure).await
    }

    async fn end(self, status: RunStatus, failure: Option<Error>) -> Outcome {
        let unkept = self.journal.flush().await;
        let place = self.studio.place(&self.run.id);
        let mut failures: Vec<Error> = failure.into_iter().collect();
        let stand = match self.stand().await {
            Ok(stand) => stand,
            Err(error) => {
                failures.push(error);
                Stand::default()
            }
        };
        failures.extend(unkept.map(|error| place.store(error)));
        let ending = Ending {
            millis: Ending::kept(&self.run).millis
                + u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            failure: failures.first().map(Error::failure),
            ..Ending::of(&stand)
        };
        // Who lost the run to another process must not write over what that one writes.
        let lost = failures.iter().any(|error| matches!(error, Error::ThreadBusy { .. }));
        if !lost && let Err(error) = self.write_down(status, &ending).await {
            failures.push(error);
        }
        let outcome = Outcome::new(&self.run, status, stand, &failures);
        if let Some(recorder) = self.recorder.as_ref().filter(|_| !lost) {
            self.studio.record_end(recorder, &outcome).await;
        }
        self.journal.tell(match (status, failures.first(), &outcome.question) {
            (RunStatus::Failed, Some(error), _) => EventKind::Failed { failure: error.failure() },
            (RunStatus::Waiting, _, Some(question)) => EventKind::Waiting { question: question.clone() },
            (RunStatus::Interrupted, ..) => EventKind::Interrupted,
            _ => EventKind::Completed {
                summary: outcome.summary(ending.millis, self.studio.settings().home().to_path_buf()),
            },
        });
        self.journal.flush().await;
        outcome
    }

    /// The run as it stands in the engine and in the books, after the books have what the engine has.
    async fn stand(&self) -> Result<Stand, Error> {
        let place = self.studio.place(&self.run.id);
        let snapshot = self.thread.snapshot().await.map_err(|error| place.graph(&error))?;
        if let Some(snapshot) = &snapshot {
            // What was told may have been lost on the way, or with a process that was killed; the state has it all.
            let calls = K::calls(&snapshot.state).iter().map(|record| self.pricing.recorded(record)).collect();
            let recorded = self.studio.runs_table().record_calls(&self.run.id, calls, Timestamp::now()).await;
            recorded.map_err(|error| place.store(error))?;
        }
        self.studio.stand_of::<K>(&self.run, snapshot).await
    }

    async fn write_down(&self, status: RunStatus, ending: &Ending) -> Result<(), Error> {
        let kept = match status {
            RunStatus::Running => Kept::Running,
            RunStatus::Waiting => Kept::Waiting,
            RunStatus::Done => Kept::Done,
            RunStatus::Failed => Kept::Failed,
            RunStatus::Interrupted => Kept::Interrupted,
        };
        let ended = self.studio.runs_table().ended(&self.run.id, kept, serde_json::json!(ending), Timestamp::now());
        ended.await.map_err(|error| self.studio.place(&self.run.id).store(error))
    }
}
