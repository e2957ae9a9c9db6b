//! Launching a run: its graph, its thread, its driver.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use qingyu_agents::PipelineResources;
use qingyu_agents::notice::RunNotice;
use qingyu_agents::progress::Progress;
use qingyu_graph::workers::off_workers;
use qingyu_store::{Run, RunStatus as Kept};
use qingyu_story::check;
use qingyu_web::SearchKind;
use tokio::sync::oneshot;
use tracing::Instrument;

use crate::error::Error;
use crate::runs::archive::StoryArchive;
use crate::runs::config::RunConfig;
use crate::runs::drive::RunDriver;
use crate::runs::event::StudioEventKind;
use crate::runs::graphs::RunEquipment;
use crate::runs::handle::RunHandle;
use crate::runs::journal::RunJournal;
use crate::runs::kind::RunKind;
use crate::runs::limiter::RunPermit;
use crate::runs::live::Feed;
use crate::runs::observer::ProcessNotice;
use crate::runs::run_type::RunType;
use crate::runs::setup::{RunSetup, RunStart};
use crate::runs::types::task::is_reader;
use crate::runs::{cassettes, live, tape};
use crate::settings::values::BreakpointSettings;
use crate::studio::Studio;

/// The lease on a thread of a server's run after its last heartbeat, equal to the server's own lease.
const SERVED_LEASE: Duration = Duration::from_secs(6);

/// The registration of a run in this process, removed on drop.
struct WorkedRun {
    studio: Studio,
    run: String,
    feed: Feed,
    _permit: RunPermit,
}

impl WorkedRun {
    /// Registers the run. Returns [`Error::ThreadBusy`] if the run is registered already.
    fn begin(studio: &Studio, run: &Run, feed: Feed, permit: RunPermit) -> Result<Self, Error> {
        match studio.live().open(&run.id, run.status, &feed) {
            true => Ok(Self { studio: studio.clone(), run: run.id.clone(), feed, _permit: permit }),
            false => Err(Error::ThreadBusy { run: run.id.clone() }),
        }
    }
}

impl Drop for WorkedRun {
    fn drop(&mut self) {
        self.studio.live().close(&self.run, &self.feed);
    }
}

impl Studio {
    /// Launches the run.
    pub(crate) async fn launch<K: RunType>(
        &self,
        run: Run,
        config: &RunConfig,
        setup: RunSetup,
        start: RunStart<K::Answer>,
        permit: RunPermit,
    ) -> Result<RunHandle, Error> {
        let place = self.place(&run.id);
        let recorder = self.recorder::<K>(&run, config, &setup, &start).await?;
        let models = cassettes::recorded(&setup.models, recorder.as_ref());
        let RunSetup { chosen, pricing, prompts, answer_tokens, account, charges, effective, .. } = setup;
        if let Some(account) = account {
            account.belongs_to(&run.id);
        }
        let feed = live::feed();
        let (journal, writer, events) =
            RunJournal::new(self.served_runs(), &run, pricing.clone(), charges, feed.clone(), self.observers().clone());
        let archive = StoryArchive { stories: self.stories_table().clone(), journal: journal.clone() };
        let web = match K::KIND {
            RunKind::Produce if self.props().is_some() => {
                Some(Arc::new(tape::played(&models, effective.values.web.search != SearchKind::None)))
            }
            RunKind::Produce => {
                let web = self.web(&effective)?;
                Some(Arc::new(match &recorder {
                    Some(recorder) => tape::recorded(web, recorder),
                    None => web,
                }))
            }
            _ => None,
        };
        let workshop = PipelineResources {
            models,
            prices: Arc::clone(&pricing.0),
            prompts: Arc::new(prompts),
            rules: Arc::new(check::Config {
                genres: config.genres.clone(),
                earlier: config.earlier.clone(),
                ..config.checker.clone()
            }),
            answer_tokens,
            archive: Some(Arc::new(archive)),
            tools: None,
        };
        let elsewhere = self.workspace_elsewhere(&run.project, &effective.values.workspace)?;
        if elsewhere.is_some() && K::KIND != RunKind::Task {
            let message = "only tasks and tools work on another server; unset it for this project".into();
            return Err(effective.bad("workspace.url", message));
        }
        let (workspace, engine) = match (elsewhere, &start) {
            (Some(elsewhere), _) => elsewhere,
            (None, RunStart::Input) if is_reader(config) => self.workspace_as_of_now(&run.project, recorder.as_ref()),
            // An answer may lead to a write, which is made on the current story.
            _ => self.workspace(&run.project, recorder.as_ref()),
        };
        let yardstick = match K::KIND {
            RunKind::Task => Some(Arc::new(self.examiner()?.yardstick())),
            _ => None,
        };
        let graph = K::graph(RunEquipment { workshop, workspace, engine, yardstick, web });
        let graph = graph.map_err(|error| Error::Internal { message: error.to_string() })?;
        let thread = graph.thread(Arc::clone(self.threads()), run.id.as_str());
        let mut thread = thread.recursion_limit(K::recursion_limit(config));
        if self.server().is_some() {
            thread = thread.lease(SERVED_LEASE);
        }
        let BreakpointSettings { before, after } = &effective.values.breakpoints;
        self.refuse_breakpoints_of_no_graph(K::KIND, before.iter().chain(after))?;
        thread = thread.breakpoints(before, after).reusing(self.reusable_steps::<K>(config).await?);
        let resumed = !matches!(start, RunStart::Input);
        // A run at a breakpoint is answered by resuming it.
        let passes = resumed && run.status == Kept::Waiting && !self.is_asking(&run).await?;
        let is_answered = matches!(start, RunStart::Answer { .. }) || passes;
        let is_named = self.scope().key().is_some() || config.approver.is_some();
        let answered_by = (is_answered && is_named).then(|| self.scope().name().to_owned());
        let input = match start {
            RunStart::Input => Some(K::input(self, &run, config).await?),
            _ => None,
        };
        // The row is updated first: if this process dies before the thread has the answer, another server resumes the
        // run, and the question is asked again. In the opposite order the answer would be stored but the run never
        // resumed.
        self.runs_table().resumed(&run, self.server()).await.map_err(|error| place.store(error))?;
        let work = WorkedRun::begin(self, &run, feed, permit)?;
        let running = match (start, input) {
            (RunStart::Answer { question, answer, .. }, _) => {
                thread.answer_map(BTreeMap::from([(question, answer)])).await
            }
            (_, Some(input)) => thread.start_new(input).await,
            (_, None) => thread.resume().await,
        };
        let running = match running {
            Ok(running) => running,
            Err(error) => {
                self.give_back(&run).await;
                return Err(match error {
                    // Another process started the run meanwhile and may have finished already: a frozen server acts on
                    // outdated data.
                    qingyu_graph::Error::ThreadExists { .. } => Error::ThreadBusy { run: run.id },
                    // A concurrent answer was faster.
                    qingyu_graph::Error::NoSuchQuestion { .. } => {
                        let run = self.find_run(&run.id).await?;
                        // Ask the thread: the row may have been updated by the concurrent caller, or by this call.
                        match self.is_asking(&run).await? {
                            true => Error::QuestionChanged { run: run.id },
                            false => Error::NotWaiting { status: self.status_of(&run).await?, run: run.id },
                        }
                    }
                    error => place.graph(&error),
                });
            }
        };

        tokio::spawn(writer.run());
        let left_out = config.limits_kept.iter().filter(|notice| is_about_earlier(notice));
        let limits_kept: Vec<String> =
            left_out.chain(&effective.limits_kept).map(|notice| notice.text(config.language)).collect();
        journal.tell(StudioEventKind::RunStarted {
            requirement: run.requirement.clone(),
            model: chosen.default,
            roles: chosen.roles,
            data_folder: self.told_folder(),
            resumed,
            answered_by,
        });
        for message in limits_kept {
            journal.tell(StudioEventKind::Progress(Progress::Warning { message }));
        }
        let (done, outcome) = oneshot::channel();
        let cancellation = running.cancel_handle();
        self.live().works(&run.id, cancellation.clone());
        let (id, project) = (run.id.clone(), run.project.clone());
        let begun = std::time::Instant::now();
        let driver = RunDriver::<K> { studio: self.clone(), run, thread, journal, pricing, recorder, begun };
        let span = tracing::info_span!("run", run = %id, project);
        span.in_scope(|| tracing::info!(resumed, "run started"));
        let drive = async move {
            // Without a waiting caller the outcome is dropped; it is stored already.
            let _ = done.send(driver.drive(running).await);
            drop(work);
        };
        tokio::spawn(off_workers(drive.instrument(span)));
        Ok(RunHandle { run: id, project, events, outcome, cancellation })
    }

    /// Acquires a permit for a run.
    pub(crate) fn seat(&self) -> Result<RunPermit, Error> {
        self.room().enter().inspect_err(|_| self.observers().notice(ProcessNotice::Refused))
    }
}

/// Returns whether a notice is about the earlier books of a run.
fn is_about_earlier(notice: &RunNotice) -> bool {
    matches!(notice, RunNotice::EarlierBooksLeftOut { .. } | RunNotice::EarlierBooksCut { .. })
}
