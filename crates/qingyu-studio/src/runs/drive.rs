//! The driver of a run: runs to the end and stores the result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use qingyu_agents::progress::Progress;
use qingyu_graph::{EventKind as GraphEvent, Outcome as Ended, Thread};
use qingyu_llm::cassette::Recorder;
use qingyu_store::{Run, RunStatus as Kept};
use qingyu_story::Language;

use crate::error::Error;
use crate::memories::told;
use crate::runs::event::StudioEventKind;
use crate::runs::journal::RunJournal;
use crate::runs::kind::RunKind;
use crate::runs::outcome::{Outcome, RunEnding, RunState};
use crate::runs::run_type::RunType;
use crate::runs::status::RunStatus;
use crate::spending::calls::Pricing;
use crate::studio::Studio;

/// The interval of polls for a cancellation, for a run outside a server.
const STOPS: Duration = Duration::from_millis(500);
/// The interval between retries of storing the end of a server's run after a disk error.
const WELL_AGAIN: Duration = Duration::from_millis(500);

/// An active run with its driver's state.
pub(crate) struct RunDriver<K: RunType> {
    pub(crate) studio: Studio,
    pub(crate) run: Run,
    pub(crate) thread: Thread<K::State>,
    pub(crate) journal: RunJournal,
    pub(crate) pricing: Pricing,
    pub(crate) recorder: Option<Arc<Recorder>>,
    pub(crate) begun: Instant,
}

impl<K: RunType> RunDriver<K> {
    /// Publishes the events of the run until its end, then stores the outcome.
    pub(crate) async fn drive(self, mut work: qingyu_graph::GraphRun<K::State>) -> Outcome {
        let mut stops = tokio::time::interval(STOPS);
        let cancellation = work.cancel_handle();
        loop {
            let event = tokio::select! {
                event = work.next() => event,
                // A server polls for all its runs at once.
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
                    Ok(progress) => self.journal.tell(StudioEventKind::Progress(progress)),
                    Err(error) => tracing::warn!(%error, "unknown progress event of the pipeline"),
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

    /// Returns whether a cancellation of the run is stored, by any process.
    async fn is_to_stop(&self) -> bool {
        self.studio.runs_table().is_to_stop(&self.run.id).await.unwrap_or(false)
    }

    /// Stores the end of the run. `status` is the graph's status; a finished graph with unfinished work is a failed
    /// run.
    async fn end(self, mut status: RunStatus, failure: Option<Error>) -> Outcome {
        let unkept = self.journal.flush().await;
        let place = self.studio.place(&self.run.id);
        let mut failures: Vec<Error> = failure.into_iter().collect();
        let stand = match self.stand().await {
            Ok(stand) => stand,
            Err(error) => {
                failures.push(error);
                RunState::default()
            }
        };
        failures.extend(unkept.map(|error| place.store(error)));
        if let Some(shortfall) = stand.made.shortfall(&stand.told).filter(|_| status == RunStatus::Done) {
            status = RunStatus::Failed;
            failures.push(shortfall.failure(&self.run.id));
        }
        let ending = RunEnding {
            millis: RunEnding::kept(&self.run).millis
                + u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            failure: failures.first().map(Error::failure),
            ..RunEnding::of(&stand)
        };
        // After losing the run to another process, do not overwrite the other process's state.
        let lost = failures.iter().any(|error| matches!(error, Error::ThreadBusy { .. }));
        // A run of a server survives a database outage.
        let adrift = !lost && self.studio.server().is_some() && failures.iter().any(Error::is_of_absent_database);
        if adrift {
            self.studio.leave_adrift(&self.run);
        }
        let goes_on =
            status == RunStatus::Interrupted && self.studio.live().is_handing_over() && !self.is_to_stop().await;
        let goes_on = goes_on || adrift;
        let failure = failures.first().map(Error::code);
        tracing::info!(?status, millis = ending.millis, failure, goes_on, lost, "run ended");
        let outcome = Outcome::new(&self.run, status, stand, &failures);
        if goes_on || lost {
            return outcome;
        }
        let last = self.last(status, &failures, &outcome, ending.millis);
        let now = Timestamp::now();
        let kept = loop {
            match self.write_down(status, &ending, &last, now).await {
                // Otherwise the run would stay in status running without a worker. Paid work is not retried without a
                // request.
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
                    self.journal.tell(StudioEventKind::Failed { failure: error.failure() });
                }
                Outcome { errors: outcome.errors.into_iter().chain([error.failure()]).collect(), ..outcome }
            }
        };
        self.journal.flush().await;
        if let Some((said, answered)) = outcome.made.spoken(&self.run.requirement) {
            self.studio.remember_turn(&self.run.project, said, answered).await;
            if K::KIND == RunKind::Task && outcome.status == RunStatus::Done && self.studio.session().is_some() {
                let (project, run) = (&self.run.project, &self.run.id);
                let lesson = told::of_task(project, run, said, Language::of(said), now);
                self.studio.learn_in(project, vec![lesson]).await;
            }
        }
        outcome
    }

    /// Returns whether to wait for the disk: a server shutting down leaves the run to the next server.
    fn may_wait(&self) -> bool {
        self.studio.server().is_some() && !self.studio.live().is_handing_over()
    }

    /// Returns the final event of the run.
    fn last(&self, status: RunStatus, failures: &[Error], outcome: &Outcome, millis: u64) -> StudioEventKind {
        match (status, failures.first(), &outcome.question) {
            (RunStatus::Failed, Some(error), _) => StudioEventKind::Failed { failure: error.failure() },
            (RunStatus::Waiting, _, Some(question)) => {
                StudioEventKind::Waiting { question: question.clone(), question_id: outcome.question_id.clone() }
            }
            (RunStatus::Interrupted, ..) => StudioEventKind::Interrupted,
            _ => StudioEventKind::Completed { summary: outcome.summary(millis, self.studio.told_folder()) },
        }
    }

    /// Returns the state of the run, after synchronizing the spending records with the engine.
    async fn stand(&self) -> Result<RunState, Error> {
        let place = self.studio.place(&self.run.id);
        let snapshot = self.thread.snapshot().await.map_err(|error| place.graph(&error))?;
        if let Some(snapshot) = &snapshot {
            if let Some(title) = K::title(&snapshot.state) {
                let entitled = self.studio.projects_table().entitle(&self.run.project, title).await;
                entitled.map_err(|error| place.store(error))?;
            }
            // Events may have been lost, also with a killed process; the state contains all calls.
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
        ending: &RunEnding,
        last: &StudioEventKind,
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
