//! The state of a run, read from its thread and its row, without execution.

use std::sync::Arc;

use qingyu_agents::notice::RunNotice;
use qingyu_graph::{Snapshot, Thread};
use qingyu_store::{Run, RunStatus as Kept};

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::kind::RunKind;
use crate::runs::outcome::{Outcome, RunEnding, RunState};
use crate::runs::question::RunQuestion;
use crate::runs::run_type::RunType;
use crate::runs::status::RunStatus;
use crate::runs::types::of_kind;
use crate::spending::calls;
use crate::studio::Studio;

impl Studio {
    /// Returns the current outcome of a run.
    pub async fn outcome(&self, run: &str) -> Result<Outcome, Error> {
        let run = self.find_run(run).await?;
        let (status, stand) = (self.status_of(&run).await?, self.stand(&run).await?);
        let failures = RunEnding::kept(&run).failure.into_iter();
        let mut outcome = Outcome::new(&run, status, stand, &[]);
        outcome.errors.extend(failures);
        Ok(outcome)
    }

    /// Returns the state of a run, from the engine and the spending records.
    pub(crate) async fn stand(&self, run: &Run) -> Result<RunState, Error> {
        of_kind!(self.kind_of(run)?, K => self.stand_as::<K>(run).await)
    }

    async fn stand_as<K: RunType>(&self, run: &Run) -> Result<RunState, Error> {
        let snapshot = self.snapshot::<K>(&run.id).await?;
        self.stand_of::<K>(run, snapshot).await
    }

    /// Returns the state of a run with the given thread snapshot.
    pub(crate) async fn stand_of<K: RunType>(
        &self,
        run: &Run,
        snapshot: Option<Snapshot<K::State>>,
    ) -> Result<RunState, Error> {
        let usage = self.runs_table().usage(&run.id).await.map_err(|error| self.place(&run.id).store(error))?;
        let usage = calls::sum(&usage);
        Ok(match snapshot {
            Some(snapshot) => {
                let question = K::question(&snapshot).or_else(|| RunQuestion::at_breakpoint(&snapshot));
                let question_id = snapshot.questions.first().filter(|_| question.is_some());
                let question_id = question_id.map(|question| question.id.clone());
                let RunConfig { language, limits_kept, .. } = RunConfig::kept(run)?;
                let substitutions = RunNotice::of_substitutions(K::calls(&snapshot.state));
                let (made, mut told) = K::made(snapshot.state);
                told.warnings
                    .splice(0..0, limits_kept.iter().chain(&substitutions).map(|notice| notice.text(language)));
                RunState { made, told, question, question_id, usage }
            }
            None => RunState { usage, ..RunState::default() },
        })
    }

    /// Returns whether the run's thread is waiting for an answer.
    pub(crate) async fn is_asking(&self, run: &Run) -> Result<bool, Error> {
        of_kind!(self.kind_of(run)?, K => self.is_asking_as::<K>(run).await)
    }

    async fn is_asking_as<K: RunType>(&self, run: &Run) -> Result<bool, Error> {
        let snapshot = self.snapshot::<K>(&run.id).await?;
        Ok(snapshot.is_some_and(|snapshot| !snapshot.questions.is_empty()))
    }

    /// Returns the snapshot of the run's thread; `None` before the first input.
    pub(crate) async fn snapshot<K: RunType>(&self, run: &str) -> Result<Option<Snapshot<K::State>>, Error> {
        self.thread_of::<K>(run).snapshot().await.map_err(|error| self.place(run).graph(&error))
    }

    /// Returns the run's thread, for reading and for changes by hand; no node of it is executed.
    pub(crate) fn thread_of<K: RunType>(&self, run: &str) -> Thread<K::State> {
        K::looking(self.looking()).thread(Arc::clone(self.threads()), run)
    }

    fn kind_of(&self, run: &Run) -> Result<RunKind, Error> {
        Ok(RunConfig::kept(run)?.kind)
    }

    /// Returns the current status of a run: the stored status, or interrupted if the process died.
    pub(crate) async fn status_of(&self, run: &Run) -> Result<RunStatus, Error> {
        Ok(match run.status {
            Kept::Waiting => RunStatus::Waiting,
            Kept::Done => RunStatus::Done,
            Kept::Failed => RunStatus::Failed,
            Kept::Interrupted => RunStatus::Interrupted,
            Kept::Running if self.is_running(&run.id).await? => RunStatus::Running,
            // Another server will take over the run.
            Kept::Running if run.server.is_some() && self.has_servers().await? => RunStatus::Running,
            Kept::Running if self.is_asking(run).await? => RunStatus::Waiting,
            Kept::Running => RunStatus::Interrupted,
        })
    }

    /// Validates the database connection.
    pub async fn is_reachable(&self) -> Result<(), Error> {
        self.has_servers().await.map(drop)
    }

    async fn has_servers(&self) -> Result<bool, Error> {
        Ok(self.servers_table().alive().await.map_err(|error| self.place("").store(error))? > 0)
    }

    /// Returns whether an unfinished run has a worker: in this process until its end is stored, or in another living
    /// process.
    pub(crate) async fn is_running(&self, run: &str) -> Result<bool, Error> {
        Ok(self.live().has(run) || self.is_worked_on(run).await?)
    }

    /// Returns whether a living process holds the run's lease.
    pub(crate) async fn is_worked_on(&self, run: &str) -> Result<bool, Error> {
        let holder = self.threads().holder(&run.into()).await;
        Ok(holder.map_err(|error| self.place(run).graph(&error))?.is_some())
    }
}
