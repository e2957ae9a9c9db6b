//! Driving a run to its end, and writing down what came of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

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

/// How often a run of the command line looks whether somebody wants it stopped.
const STOPS: Duration = Duration::from_millis(500);

/// How long a server waits until it writes down the end of a run again that a full disk had no place for.
const WELL_AGAIN: Duration = Duration::from_millis(500);

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
        let mut stops = tokio::time::interval(STOPS);
        let cancellation = work.cancel_handle();
        loop {
            let event = tokio::select! {
                event = work.next() => event,
                // A server looks after all its runs at once.
                _ = stops.tick(), if self.studio.server().is_none() => {
                    if self.is_to_stop().await {
                        cancellation.cancel();
                    }
                    continue;
                }
            };
            let Some(event) = event else { break };
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

    /// Whether somebody wants the run stopped, in whichever process.
    async fn is_to_stop(&self) -> bool {
        self.studio.runs_table().is_to_stop(&self.run.id).await.unwrap_or(false)
    }

    /// `status` is that of the graph; a graph that came to its end without doing its work is a failed run.
    async fn end(self, mut status: RunStatus, failure: Option<Error>) -> Outcome {
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
        if let Some(shortfall) = stand.made.shortfall(&stand.told).filter(|_| status == RunStatus::Done) {
            status = RunStatus::Failed;
            failures.push(shortfall.failure(&self.run.id));
        }
        let ending = Ending {
            millis: Ending::kept(&self.run).millis
                + u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            failure: failures.first().map(Error::failure),
            ..Ending::of(&stand)
        };
        // Who lost the run to another process must not write over what that one writes.
        let lost = failures.iter().any(|error| matches!(error, Error::ThreadBusy { .. }));
        // A run of a server outlives its database's absence.
        let adrift = !lost && self.studio.server().is_some() && failures.iter().any(Error::is_of_absent_database);
        if adrift {
            self.studio.leave_adrift(&self.run);
        }
        let goes_on =
            status == RunStatus::Interrupted && self.studio.live().is_handing_over() && !self.is_to_stop().await;
        let goes_on = goes_on || adrift;
        let failure = failures.first().map(Error::code);
        tracing::info!(?status, millis = ending.millis, failure, goes_on, lost, "a run ended");
        let outcome = Outcome::new(&self.run, status, stand, &failures);
        if goes_on || lost {
            return outcome;
        }
        let last = self.last(status, &failures, &outcome, ending.millis);
        let now = Timestamp::now();
        let kept = loop {
            match self.write_down(status, &ending, &last, now).await {
                // Else the run would be one that works for ever, and that nobody works on. What it may pay for is not
                // tried again before somebody says so.
                Err(error) if error.is_of_bad_disk() && self.may_wait() => tokio::time::sleep(WELL_AGAIN).await,
                kept => break kept,
            }
        };
        if let Some(recorder) = &self.recorder {
            self.studio.record_end(recorder, &outcome).await;
        }
        let outcome = match kept {
            Ok(seq) => {
                self.journal.tell_kept(seq, now, last);
                outcome
            }
            Err(error) => {
                if self.studio.server().is_some() && error.is_of_absent_database() {
                    self.studio.leave_adrift(&self.run);
                } else {
                    self.journal.tell(EventKind::Failed { failure: error.failure() });
                }
                Outcome { errors: outcome.errors.into_iter().chain([error.failure()]).collect(), ..outcome }
            }
        };
        self.journal.flush().await;
        outcome
    }

    /// Whether there is time until the disk is well again: a server that goes leaves the run to whoever comes next.
    fn may_wait(&self) -> bool {
        self.studio.server().is_some() && !self.studio.live().is_handing_over()
    }

    /// The last that the run tells.
    fn last(&self, status: RunStatus, failures: &[Error], outcome: &Outcome, millis: u64) -> EventKind {
        match (status, failures.first(), &outcome.question) {
            (RunStatus::Failed, Some(error), _) => EventKind::Failed { failure: error.failure() },
            (RunStatus::Waiting, _, Some(question)) => {
                EventKind::Waiting { question: question.clone(), question_id: outcome.question_id.clone() }
            }
            (RunStatus::Interrupted, ..) => EventKind::Interrupted,
            _ => EventKind::Completed { summary: outcome.summary(millis, self.studio.told_folder()) },
        }
    }

    /// The run as it stands in the engine and in the books, after the books have what the engine has.
    async fn stand(&self) -> Result<Stand, Error> {
        let place = self.studio.place(&self.run.id);
        let snapshot = self.thread.snapshot().await.map_err(|error| place.graph(&error))?;
        if let Some(snapshot) = &snapshot {
            if let Some(title) = K::title(&snapshot.state) {
                let entitled = self.studio.projects_table().entitle(&self.run.project, title).await;
                entitled.map_err(|error| place.store(error))?;
            }
            // What was told may have been lost on the way, or with a process that was killed; the state has it all.
            let calls: Vec<_> = K::calls(&snapshot.state).iter().map(|record| self.pricing.recorded(record)).collect();
            if !calls.is_empty() {
                let recorded = self.studio.runs_table().record_calls(&self.run.id, calls, Timestamp::now()).await;
                recorded.map_err(|error| place.store(error))?;
            }
        }
        self.studio.stand_of::<K>(&self.run, snapshot).await
    }

    async fn write_down(
        &self,
        status: RunStatus,
        ending: &Ending,
        last: &EventKind,
        at: Timestamp,
    ) -> Result<u64, Error> {
        let kept = match status {
            RunStatus::Running => Kept::Running,
            RunStatus::Waiting => Kept::Waiting,
            RunStatus::Done => Kept::Done,
            RunStatus::Failed => Kept::Failed,
            RunStatus::Interrupted => Kept::Interrupted,
        };
        let runs = self.studio.served_runs();
        let ended = runs.ended(&self.run.id, kept, serde_json::json!(ending), serde_json::json!(last), at);
        ended.await.map_err(|error| self.studio.place(&self.run.id).store(error))
    }
}
