//! Resuming runs.

use std::sync::Arc;

use qingyu_graph::Snapshot;
use qingyu_store::{Run, RunStatus as Kept};

use crate::access::scope::Right;
use crate::error::Error;
use crate::runs::config::{OnwardCommand, RunConfig};
use crate::runs::handle::RunHandle;
use crate::runs::kind::RunKind;
use crate::runs::limiter::RunPermit;
use crate::runs::outcome::Outcome;
use crate::runs::question::RunQuestion;
use crate::runs::requests::{ResumeRequest, RunAnswer};
use crate::runs::run_type::RunType;
use crate::runs::setup::RunStart;
use crate::runs::types::of_kind;
use crate::settings::effective::EffectiveSettings;
use crate::spending::key::BillableWork;
use crate::studio::Studio;

impl Studio {
    /// Resumes a run, or the newest run of a project, by ID or unique prefix.
    ///
    /// Finished work is not repeated. A waiting run resumed without an answer asks again: its outcome is the same
    /// question. Returns [`Error::NothingToResume`] if the run is done, [`Error::NotWaiting`] for an answer without a
    /// question, [`Error::ThreadBusy`] if another process is working on the run.
    pub async fn resume(&self, run_or_project: &str, answer: Option<RunAnswer>) -> Result<RunHandle, Error> {
        self.resume_with(ResumeRequest { run: run_or_project.to_owned(), answer, ..ResumeRequest::default() }).await
    }

    /// Answers the question of `asked`, and resumes as [`resume`](Self::resume) does. Returns
    /// [`Error::QuestionChanged`] if the run asks a different question now.
    pub async fn answer(&self, asked: &Outcome, answer: RunAnswer) -> Result<RunHandle, Error> {
        let (run, question) = (asked.run.clone(), asked.question_id.clone());
        self.resume_with(ResumeRequest { run, answer: Some(answer), question, ..ResumeRequest::default() }).await
    }

    /// Resumes a run as [`resume`](Self::resume) does, with settings overriding all layers and the run's original
    /// request, such as a raised budget. Resumed by a caller who may not see all earlier books of the run, the run goes on
    /// without them, and says so. Returns [`Error::NotApprover`] if another person is to answer the run.
    pub async fn resume_with(&self, request: ResumeRequest) -> Result<RunHandle, Error> {
        self.scope().demand(Right::Write)?;
        let run = self.find_run(&request.run).await?;
        if run.status == Kept::Done {
            return Err(Error::NothingToResume { run: run.id, project: run.project });
        }
        // Resuming passes a breakpoint: of a waiting run, of a fork made there, and of a run whose process died there.
        let passes = match run.status {
            Kept::Waiting => true,
            Kept::Interrupted => RunConfig::kept(&run)?.forked_from.is_some(),
            Kept::Running => self.stand(&run).await?.question.is_some(),
            _ => false,
        };
        if request.answer.is_some() || passes {
            self.refuse_unless_approver(&run)?;
        }
        self.refuse_over_limits(BillableWork::Run).await?;
        // For a production, each order and each retry is a separate command.
        let is_production = RunConfig::kept(&run)?.kind == RunKind::Produce;
        let is_new = is_production || run.status == Kept::Failed;
        self.resume_run(run, request, if is_new { OnwardCommand::New } else { OnwardCommand::Same }).await
    }

    /// Resumes a run already counted as working: its calls are still subject to the key's limits.
    pub(crate) async fn resume_run(
        &self,
        run: Run,
        mut request: ResumeRequest,
        command: OnwardCommand,
    ) -> Result<RunHandle, Error> {
        let permit = self.seat()?;
        let overrides = std::mem::take(&mut request.overrides);
        self.refuse_unknown_nodes(RunKind::of(&run), &overrides)?;
        let (effective, config) = RunConfig::of(self, &run, overrides, command).await?;
        let config = config.for_caller(self.scope());
        of_kind!(config.kind, K => self.resume_as::<K>(run, &effective, &config, request, permit).await)
    }

    async fn resume_as<K: RunType>(
        &self,
        run: Run,
        effective: &Arc<EffectiveSettings>,
        config: &RunConfig,
        request: ResumeRequest,
        permit: RunPermit,
    ) -> Result<RunHandle, Error> {
        let mut lessons = Vec::new();
        let start = match (self.snapshot::<K>(&run.id).await?, request.answer) {
            (None, None) => RunStart::Input,
            (Some(snapshot), None) => {
                self.retry::<K>(&run, &snapshot).await?;
                RunStart::Resume
            }
            (Some(snapshot), Some(RunAnswer::Approve)) if RunQuestion::at_breakpoint(&snapshot).is_some() => {
                RunStart::Resume
            }
            (Some(snapshot), Some(_)) if RunQuestion::at_breakpoint(&snapshot).is_some() => {
                let message = "this run stopped at a breakpoint: approve to continue".into();
                return Err(Error::BadMaterial { path: String::new(), message });
            }
            (snapshot, Some(given)) => {
                let asked = snapshot.as_ref().and_then(|snapshot| Some((snapshot, snapshot.questions.first()?)));
                let Some((snapshot, question)) = asked else {
                    let status = self.status_of(&run).await?;
                    return Err(Error::NotWaiting { run: run.id, status });
                };
                if request.question.is_some_and(|meant| meant != question.id) {
                    return Err(Error::QuestionChanged { run: run.id });
                }
                let answer = K::answer(&run, snapshot, given.clone())?;
                lessons = K::lessons(&run, snapshot, &answer);
                RunStart::Answer { question: question.id.clone(), answer: Box::new(answer), given }
            }
        };
        let setup = self.set_up(effective, Some(&run.id)).await?;
        let handle = self.launch::<K>(run, config, setup, start, permit).await?;
        if config.pipeline.preferences && self.props().is_none() {
            self.learn(lessons).await;
        }
        Ok(handle)
    }

    /// Schedules a retry of the failed parts of a finished run; has no effect on an interrupted run.
    pub(crate) async fn retry<K: RunType>(&self, run: &Run, snapshot: &Snapshot<K::State>) -> Result<(), Error> {
        if !snapshot.next.is_empty() {
            return Ok(());
        }
        // A run finished successfully just before its process died only needs its end stored.
        let Some((update, node)) = K::retry(&snapshot.state) else { return Ok(()) };
        let changed = self.thread_of::<K>(&run.id).update_state(update, Some(node)).await;
        changed.map(drop).map_err(|error| self.place(&run.id).graph(&error))
    }
}
