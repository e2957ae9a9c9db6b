//! Runs at work: set up from settings, driven to their end, and written down.

mod config;
mod create;
mod drive;
mod kind;
mod look;
#[cfg(feature = "bench")]
mod noop;
mod produce;
mod task;
mod write;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use qingyu_agents::progress::Progress;
use qingyu_agents::{Prompts, Workshop};
use qingyu_graph::Snapshot;
use qingyu_llm::Models;
use qingyu_store::{NewRun, OwnedRun, Project, Run, RunStatus as Kept, Standing};
use qingyu_story::Language;
use tokio::sync::oneshot;
use tracing::Instrument;

use crate::access::{Right, Wanted};
use crate::archive::StoryArchive;
use crate::calls::{ChargeSender, Charges, Pricing};
use crate::cassettes;
use crate::journal::Journal;
use crate::live::{self, Feed};
use crate::observer::Notice;
use crate::operations::ResumeRequest;
use crate::outcome::Ending;
use crate::room::Seat;
use crate::roster::{Chosen, Roster};
use crate::settings::{Effective, values};
use crate::shelf::new_project;
use crate::spending::OtherSpending;
use crate::studio::Studio;
use crate::tape;
use crate::workers::off_workers;
use crate::{CreateRequest, Error, EventKind, HumanAnswer, ModelChoice, ModelReason, RunHandle};
pub(crate) use config::{OnwardCommand, RunConfig};
use create::Create;
use drive::Driver;
use kind::Equipment;
#[cfg(feature = "bench")]
use noop::Noop;
use produce::Produce;
use qingyu_web::SearchKind;
use task::TaskRun;
use write::Write;

pub(crate) use kind::Kind;
pub use kind::RunKind;
pub(crate) use look::Looking;
#[cfg(feature = "bench")]
pub use noop::NoopRequest;
pub(crate) use produce::refused;
pub use produce::{ProduceRequest, TellRequest};
pub use task::TaskRequest;

/// How long a thread of a server stays its own after it was heard last; the server's lease is as long.
const SERVED_LEASE: Duration = Duration::from_secs(6);

/// How long a run that was just made may take until its thread is leased.
const BEGINNING: SignedDuration = SignedDuration::from_secs(3);

/// A run that is worked on here, as long as this is.
struct Work {
    studio: Studio,
    run: String,
    feed: Feed,
    _seat: Seat,
}

impl Work {
    /// Fails with [`Error::ThreadBusy`] if the run, as it was read, is worked on here already.
    fn begin(studio: &Studio, run: &Run, feed: Feed, seat: Seat) -> Result<Self, Error> {
        match studio.live().open(&run.id, run.status, &feed) {
            true => Ok(Self { studio: studio.clone(), run: run.id.clone(), feed, _seat: seat }),
            false => Err(Error::ThreadBusy { run: run.id.clone() }),
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.studio.live().close(&self.run, &self.feed);
    }
}

/// How a run begins.
pub(crate) enum Start<A> {
    /// With its first input.
    Input,
    /// From where it stood.
    Resume,
    /// With a person's answer to the question with this id, and the same as it was given.
    Answer {
        /// Named, since whoever answers at the same time may be faster, and the run may ask something else by then.
        question: String,
        answer: Box<A>,
        given: HumanAnswer,
    },
}

/// What the settings make of a run: who serves, and the rest of its workshop.
pub(crate) struct Setup {
    pub(crate) chosen: Chosen,
    pub(crate) models: Models,
    pub(crate) pricing: Pricing,
    pub(crate) prompts: Prompts,
    pub(crate) answer_tokens: Option<u32>,
    /// What the models' ledger has been told of the run.
    pub(crate) account: Option<Arc<OtherSpending>>,
    /// What the ledger charges, to be booked.
    pub(crate) charges: Charges,
    /// What is recorded of the settings, if runs are recorded.
    pub(crate) recorded_settings: Option<toml::Table>,
    pub(crate) kept: values::Cassettes,
    /// The settings, with where each comes from.
    pub(crate) effective: Arc<Effective>,
}

/// A run that is to begin.
pub(crate) struct Beginning {
    /// What it is to do, in words.
    pub(crate) requirement: String,
    /// The same as data, for its [`Kind::input`].
    pub(crate) order: serde_json::Value,
    /// The project; a new one of this title if there is none.
    pub(crate) project: Option<Project>,
    pub(crate) title: Option<String>,
    /// The language of the work; that of the project or the requirement if there is none.
    pub(crate) language: Option<Language>,
    /// What the request sets above all layers.
    pub(crate) overrides: toml::Table,
}

impl Studio {
    /// Starts a run. See [`Studio::create`].
    pub(crate) async fn begin(&self, request: CreateRequest) -> Result<RunHandle, Error> {
        let requirement = request.checked_requirement()?;
        let project = match &request.project {
            Some(given) => Some(self.find_project(given).await?),
            None => None,
        };
        let overrides = request.overrides();
        let CreateRequest { title, language, .. } = request;
        let order = serde_json::Value::Null;
        self.begin_as::<Create>(Beginning { requirement, order, project, title, language, overrides }).await
    }

    /// Starts a run of any kind.
    pub(crate) async fn begin_kind(&self, kind: RunKind, beginning: Beginning) -> Result<RunHandle, Error> {
        match kind {
            RunKind::Create => self.begin_as::<Create>(beginning).await,
            RunKind::Write => self.begin_as::<Write>(beginning).await,
            RunKind::Task => self.begin_as::<TaskRun>(beginning).await,
            RunKind::Produce => self.begin_as::<Produce>(beginning).await,
            #[cfg(feature = "bench")]
            RunKind::Noop => self.begin_as::<Noop>(beginning).await,
        }
    }

    pub(crate) async fn begin_as<K: Kind>(&self, beginning: Beginning) -> Result<RunHandle, Error> {
        let Beginning { requirement, order, project, title, language, overrides } = beginning;
        self.scope().demand(Right::Write)?;
        if project.is_none() {
            self.scope().demand_all()?;
        }
        self.refuse_over_limits(Wanted::Run).await?;
        let seat = self.seat()?;
        let request = self.request_settings(overrides).await?;
        let dead = match &project {
            Some(project) => self.refuse_second_run(&project.id).await?,
            None => Vec::new(),
        };
        let id = project.as_ref().map(|project| project.id.as_str());
        let (effective, mut config) = RunConfig::new(self.settings(), id, K::KIND, request)?;
        config.language = language
            .unwrap_or_else(|| project.as_ref().map_or_else(|| Language::of(&requirement), |project| project.language));
        let setup = self.set_up(&effective, None).await?;
        config.order = K::order(order, &setup.models);

        let new_run = NewRun {
            requirement: requirement.clone(),
            config: serde_json::json!(config),
            model: setup.chosen.default.model.clone(),
        };
        let now = Timestamp::now();
        let runs = self.served_runs();
        let run = match id {
            Some(id) => runs.create(id, new_run, dead, now).await,
            None => {
                let new = new_project(title.as_deref(), &requirement, config.language);
                runs.create_in_new_project(new, new_run, now).await
            }
        };
        let run = run.map_err(|error| self.place("").store(error))?;
        let begun = run.clone();
        let launched = self.launch::<K>(run, &config, setup, Start::Input, seat).await;
        if let Err(error) = &launched {
            self.write_down_failure(&begun, error).await;
        }
        launched
    }

    /// Goes on with a run. See [`Studio::resume`].
    pub(crate) async fn go_on(&self, request: ResumeRequest) -> Result<RunHandle, Error> {
        self.scope().demand(Right::Write)?;
        let run = self.find_run(&request.run).await?;
        if run.status == Kept::Done {
            return Err(Error::NothingToResume { run: run.id, project: run.project });
        }
        self.refuse_over_limits(Wanted::Run).await?;
        // Each order to a production is a command of its own, and so is trying again what has failed.
        let is_production = RunConfig::kept(&run)?.kind == RunKind::Produce;
        let is_new = is_production || run.status == Kept::Failed;
        self.go_on_with(run, request, if is_new { OnwardCommand::New } else { OnwardCommand::Same }).await
    }

    /// The same with a run that counts as one at work already: its calls are held to what its key allows, as before.
    pub(crate) async fn go_on_with(
        &self,
        run: Run,
        mut request: ResumeRequest,
        command: OnwardCommand,
    ) -> Result<RunHandle, Error> {
        let seat = self.seat()?;
        let overrides = std::mem::take(&mut request.overrides);
        let (effective, config) = RunConfig::of(self, &run, overrides, command).await?;
        match config.kind {
            RunKind::Create => self.go_on_as::<Create>(run, &effective, &config, request, seat).await,
            RunKind::Write => self.go_on_as::<Write>(run, &effective, &config, request, seat).await,
            RunKind::Task => self.go_on_as::<TaskRun>(run, &effective, &config, request, seat).await,
            RunKind::Produce => self.go_on_as::<Produce>(run, &effective, &config, request, seat).await,
            #[cfg(feature = "bench")]
            RunKind::Noop => self.go_on_as::<Noop>(run, &effective, &config, request, seat).await,
        }
    }

    async fn go_on_as<K: Kind>(
        &self,
        run: Run,
        effective: &Arc<Effective>,
        config: &RunConfig,
        request: ResumeRequest,
        seat: Seat,
    ) -> Result<RunHandle, Error> {
        let mut lessons = Vec::new();
        let start = match (self.snapshot::<K>(&run.id).await?, request.answer) {
            (None, None) => Start::Input,
            (Some(snapshot), None) => {
                self.retry::<K>(&run, &snapshot).await?;
                Start::Resume
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
                Start::Answer { question: question.id.clone(), answer: Box::new(answer), given }
            }
        };
        let setup = self.set_up(effective, Some(&run.id)).await?;
        let handle = self.launch::<K>(run, config, setup, start, seat).await?;
        if config.pipeline.preferences && self.props().is_none() {
            self.learn(lessons).await;
        }
        Ok(handle)
    }

    /// Lets a run that came to its end try again what failed; does nothing to one that was stopped on the way.
    async fn retry<K: Kind>(&self, run: &Run, snapshot: &Snapshot<K::State>) -> Result<(), Error> {
        if !snapshot.next.is_empty() {
            return Ok(());
        }
        // One that ended well just before its process died only has its end written down.
        let Some((update, node)) = K::retry(&snapshot.state) else { return Ok(()) };
        let thread = K::looking(self.looking()).thread(Arc::clone(self.threads()), run.id.as_str());
        let changed = thread.update_state(update, Some(node)).await;
        changed.map(drop).map_err(|error| self.place(&run.id).graph(&error))
    }

    /// Chooses and opens what the settings ask for; nothing is written yet. `run` if one goes on, for what it has spent.
    pub(crate) async fn set_up(&self, effective: &Arc<Effective>, run: Option<&str>) -> Result<Setup, Error> {
        let roster = Roster::new(effective, self.settings())?;
        let chosen = match self.given_models() {
            Some(models) => chosen_from(models),
            None => roster.choose().await?,
        };
        let (prices, prompts) = match self.props() {
            Some(props) => (props.prices.clone(), props.prompts.clone()),
            None => (roster.prices(&chosen)?, self.prompts(effective)?),
        };
        let (bookkeeper, charges) = ChargeSender::new();
        let (models, account) = match self.given_models() {
            Some(models) => (models.clone(), None),
            None => {
                let (ledger, account) = self.ledger(&roster, prices.clone(), run).await?;
                (roster.open(&chosen, ledger.with_bookkeeper(bookkeeper))?, Some(account))
            }
        };
        let answer_tokens = effective.values.limits.answer_tokens.map(NonZeroU32::get);
        let kept = effective.values.cassettes;
        let recorded_settings = kept.record.then(|| effective.of_the_work());
        let pricing = Pricing(Arc::new(prices));
        let effective = Arc::clone(effective);
        Ok(Setup {
            chosen,
            models,
            pricing,
            prompts,
            answer_tokens,
            account,
            charges,
            recorded_settings,
            kept,
            effective,
        })
    }

    /// The prompts, the author's own among them.
    pub(crate) fn prompts(&self, effective: &Effective) -> Result<Prompts, Error> {
        let folder = self.settings().prompt_folder(&effective.values);
        Prompts::with_overrides(&folder).map_err(|error| effective.bad("prompts.folder", error.to_string()))
    }

    /// Sets the run to work.
    async fn launch<K: Kind>(
        &self,
        run: Run,
        config: &RunConfig,
        setup: Setup,
        start: Start<K::Answer>,
        seat: Seat,
    ) -> Result<RunHandle, Error> {
        let place = self.place(&run.id);
        let recorder = self.recorder::<K>(&run, config, &setup, &start).await?;
        let models = cassettes::recorded(&setup.models, recorder.as_ref());
        let Setup { chosen, pricing, prompts, answer_tokens, account, charges, effective, .. } = setup;
        if let Some(account) = account {
            account.belongs_to(&run.id);
        }
        let feed = live::feed();
        let (journal, writer, events) =
            Journal::new(self.served_runs(), &run, pricing.clone(), charges, feed.clone(), self.observers().clone());
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
        let workshop = Workshop {
            models,
            prices: Arc::clone(&pricing.0),
            prompts: Arc::new(prompts),
            rules: Arc::new(config.checker.clone()),
            answer_tokens,
            archive: Some(Arc::new(archive)),
        };
        let (workspace, engine) = self.workspace(&run.project);
        let yardstick = match K::KIND {
            RunKind::Task => Some(Arc::new(self.examiner()?.yardstick())),
            _ => None,
        };
        let graph = K::graph(Equipment { workshop, workspace, engine, yardstick, web });
        let graph = graph.map_err(|error| Error::Internal { message: error.to_string() })?;
        let thread = graph.thread(Arc::clone(self.threads()), run.id.as_str());
        let mut thread = thread.recursion_limit(K::recursion_limit(config));
        if self.server().is_some() {
            thread = thread.lease(SERVED_LEASE);
        }
        let resumed = !matches!(start, Start::Input);
        let input = match start {
            Start::Input => Some(K::input(self, &run, config).await?),
            _ => None,
        };
        // Its row first: if this process dies before the thread has the answer, others go on with the run, and it asks again. The other
        // way round the answer would be there, and nobody would act on it.
        self.runs_table().resumed(&run, self.server()).await.map_err(|error| place.store(error))?;
        let work = Work::begin(self, &run, feed, seat)?;
        let running = match (start, input) {
            (Start::Answer { question, answer, .. }, _) => {
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
                    // Somebody else has begun it since it was looked at, and may have come to its end: a server that was
                    // frozen just now looked long ago.
                    qingyu_graph::Error::ThreadExists { .. } => Error::ThreadBusy { run: run.id },
                    // Somebody else's answer was faster.
                    qingyu_graph::Error::NoSuchQuestion { .. } => {
                        let run = self.find_run(&run.id).await?;
                        // The thread knows whether it asks; the row may have been marked by whoever was faster, or by us.
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
        let limits_kept: Vec<String> =
            effective.limits_kept.iter().map(|notice| notice.text(config.language)).collect();
        journal.tell(EventKind::RunStarted {
            requirement: run.requirement.clone(),
            model: chosen.default,
            roles: chosen.roles,
            data_folder: self.told_folder(),
            resumed,
        });
        for message in limits_kept {
            journal.tell(EventKind::Progress(Progress::Warning { message }));
        }
        let (done, outcome) = oneshot::channel();
        let cancellation = running.cancel_handle();
        self.live().works(&run.id, cancellation.clone());
        let (id, project) = (run.id.clone(), run.project.clone());
        let begun = std::time::Instant::now();
        let driver = Driver::<K> { studio: self.clone(), run, thread, journal, pricing, recorder, begun };
        let span = tracing::info_span!("run", run = %id, project);
        span.in_scope(|| tracing::info!(resumed, "a run works"));
        let drive = async move {
            // Nobody need wait for it; it is written down.
            let _ = done.send(driver.drive(running).await);
            drop(work);
        };
        tokio::spawn(off_workers(drive.instrument(span)));
        Ok(RunHandle { run: id, project, events, outcome, cancellation })
    }

    /// What was marked as worked on here is not, or not by us. A server looks at it again: somebody else's answer may be at work by
    /// now, whose run must not be marked as waiting. Otherwise it stands again as it stood.
    async fn give_back(&self, run: &Run) {
        if self.server().is_some() {
            self.leave_adrift(run);
        } else if let Err(error) = self.runs_table().given_back(run).await {
            tracing::warn!(run = run.id, %error, "that the run is not worked on after all could not be written down");
        }
    }

    /// A run that could not be set to work has failed, unless its server goes on with it once the database is there again.
    async fn write_down_failure(&self, run: &Run, error: &Error) {
        if self.server().is_some() && error.is_of_absent_database() {
            return self.leave_adrift(run);
        }
        // Somebody else works on it.
        if matches!(error, Error::ThreadBusy { .. }) {
            return;
        }
        let ended = self.write_down_end(run, Kept::Failed, EventKind::Failed { failure: error.failure() }).await;
        if let Err(error) = ended {
            tracing::warn!(run = run.id, %error, "that the run did not begin could not be written down");
            if self.server().is_some() {
                self.leave_adrift(run);
            }
        }
    }

    /// This server goes on with the run, once the database is there again.
    fn leave_adrift(&self, run: &Run) {
        let (user, key) = (self.scope().user().to_owned(), self.scope().key().map(str::to_owned));
        self.live().leave_adrift(OwnedRun { user, run: run.id.clone(), key });
    }

    /// Writes down how a run ended that is not worked on.
    pub(crate) async fn write_down_end(&self, run: &Run, status: Kept, last: EventKind) -> Result<(), Error> {
        let failure = match &last {
            EventKind::Failed { failure } => Some(failure.clone()),
            _ => None,
        };
        let ending = serde_json::json!(Ending { failure, ..Ending::kept(run) });
        let ended = self.runs_table().given_up(run, status, ending, serde_json::json!(last), Timestamp::now()).await;
        ended.map(drop).map_err(|error| self.place(&run.id).store(error))
    }

    /// A place for one more run here.
    fn seat(&self) -> Result<Seat, Error> {
        self.room().enter().inspect_err(|_| self.observers().notice(Notice::Refused))
    }

    /// One run at a time works on a project; a run that waits or was stopped does not count. Gives those whose process is dead.
    async fn refuse_second_run(&self, project: &str) -> Result<Vec<String>, Error> {
        let mut dead = Vec::new();
        for run in self.runs_of_project(project, Standing::AtWork, None).await? {
            if Timestamp::now().duration_since(run.started) < BEGINNING || self.is_running(&run.id).await? {
                return Err(Error::ThreadBusy { run: run.id });
            }
            dead.push(run.id);
        }
        Ok(dead)
    }
}

pub(crate) fn chosen_from(models: &Models) -> Chosen {
    let default = ModelChoice {
        model: models.default_model().name().into(),
        why: ModelReason::Configured { layer: crate::Layer::Flag },
    };
    let roles = models.routes().map(|(role, model)| (role.to_owned(), model.name().to_owned())).collect();
    Chosen { default, roles, fallbacks: Vec::new() }
}
