//! The studio.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use qingyu_agents::Prompts;
use qingyu_agents::estimate::estimate as agents_estimate;
use qingyu_agents::plan::ExecutionPlan;
use qingyu_db::Database;
use qingyu_graph::Store;
use qingyu_llm::{Models, Prices, Usage};
use qingyu_memory::long_term::StoredLongTerm;
use qingyu_memory::{LongTermMemory, SystemClock};
use qingyu_store::{
    AgentUsage, Project, Projects, Run, RunQuery, RunStatus as Kept, Runs, Search, ServerId, Servers, Standing,
    Stories, Ticket,
};
use qingyu_story::{Language, Story, chapter_coverage, rules};

use crate::access::{Ears, Pace, Scope};
use crate::failures::Place;
use crate::live::Live;
use crate::model_keys::{self, ModelKeys};
use crate::observer::Observers;
use crate::opening::{self, Opened};
use crate::operations::{self, Described, ResumeRequest};
use crate::outcome::{Ending, Made, Stand};
use crate::room::Room;
use crate::roster::Roster;
use crate::settings::values::Values;
use crate::work::Looking;
use crate::{
    CheckRow, CreateRequest, Error, Estimate, HumanAnswer, ModelKeyRow, ModelListing, ModelRow, ModelTrial, Outcome,
    ProjectRow, ProjectView, Provenance, Reach, RuleExample, RuleRow, RunHandle, RunStatus, SettingRow, Settings,
    calls, data_folder,
};

/// The one API, for one [`Scope`]. Cheap to clone; all clones share one database.
#[derive(Clone)]
pub struct Studio {
    house: Arc<House>,
    desk: Arc<Desk>,
}

/// What all users share.
struct House {
    settings: Settings,
    /// What holds where no project is named.
    values: Values,
    path: PathBuf,
    database: Database,
    threads: Arc<dyn Store>,
    memory: Arc<StoredLongTerm>,
    looking: Looking,
    /// What serves instead of what the settings name.
    given: Option<Given>,
    /// The runs that are worked on here, and who follows which.
    live: Live,
    /// How many runs may work here at once.
    room: Room,
    observers: Observers,
    /// How fast requests come with each key.
    pace: Pace,
    /// Who listens with which key.
    ears: Ears,
    /// The server that this process is, once it serves.
    server: OnceLock<ServerId>,
    /// The folder of the copy that is read, if the data folder cannot be written; it goes with the studio.
    _copy: Option<tempfile::TempDir>,
}

/// What one user has.
struct Desk {
    scope: Scope,
    projects: Projects,
    stories: Stories,
    search: Search,
    runs: Runs,
}

impl Desk {
    fn new(database: &Database, scope: Scope) -> Self {
        let user = scope.user();
        Self {
            projects: Projects::new(database, user),
            stories: Stories::new(database, user),
            search: Search::new(database, user),
            runs: Runs::new(database, user).with_key(scope.key()).with_parallel(scope.parallel_runs()),
            scope,
        }
    }
}

/// What serves instead of what the settings name.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    /// The models.
    pub(crate) models: Models,
    /// What runs are replayed with.
    pub(crate) replay: Option<Props>,
}

/// What a run is replayed with, as it was when the run was recorded.
#[derive(Debug, Clone)]
pub(crate) struct Props {
    /// What calls cost.
    pub(crate) prices: Prices,
    /// The prompts.
    pub(crate) prompts: Prompts,
    /// What the author preferred.
    pub(crate) preferences: Vec<String>,
}

impl fmt::Debug for Studio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Studio")
            .field("settings", &self.house.settings)
            .field("scope", &self.desk.scope)
            .finish_non_exhaustive()
    }
}

impl Studio {
    /// Opens the data folder, making it if it is not there.
    ///
    /// Fails with [`Error::ReadOnly`], [`Error::DiskFull`], [`Error::Corrupt`] or [`Error::NewerData`] if the folder or
    /// its database cannot be used. Several processes may have one folder open.
    pub async fn open(settings: Settings) -> Result<Self, Error> {
        Self::assemble(settings, None).await
    }

    /// Opens the data folder, with models of the caller's making instead of those that the settings name.
    pub async fn open_with_models(settings: Settings, models: Models) -> Result<Self, Error> {
        Self::assemble(settings, Some(Given { models, replay: None })).await
    }

    pub(crate) async fn assemble(settings: Settings, given: Option<Given>) -> Result<Self, Error> {
        data_folder::prepare(settings.home())?;
        data_folder::sweep(settings.home(), std::time::SystemTime::now());
        let path = settings.database();
        let place = Place { database: &path, run: "" };
        let values = settings.values(None)?;
        let Opened { database, threads, copy } = opening::open(&values.storage, &path, settings.home()).await?;
        let memory = StoredLongTerm::open(database.clone(), Arc::new(SystemClock)).await;
        let memory = memory.map_err(|error| place.memory(error))?;
        if let (Some(_), Some(file)) = (&copy, database.as_sqlite()) {
            file.refuse_writes().await.map_err(|error| place.database(&error))?;
        }
        let desk = Desk::new(&database, Scope::local());
        let house = House {
            settings,
            values,
            path,
            database,
            threads,
            memory: Arc::new(memory),
            looking: Looking::new()?,
            given,
            live: Live::default(),
            room: Room::default(),
            observers: Observers::default(),
            pace: Pace::default(),
            ears: Ears::default(),
            server: OnceLock::new(),
            _copy: copy,
        };
        Ok(Self { house: Arc::new(house), desk: Arc::new(desk) })
    }

    /// The same studio for somebody else: with their projects, and nobody else's.
    #[must_use]
    pub fn of(&self, scope: &Scope) -> Self {
        Self { house: Arc::clone(&self.house), desk: Arc::new(Desk::new(&self.house.database, scope.clone())) }
    }

    /// Where everything is kept, for whoever works at this machine; others are not told how it looks here.
    pub(crate) fn told_folder(&self) -> PathBuf {
        let is_here = self.scope().user() == Scope::local().user();
        if is_here { self.settings().home().to_path_buf() } else { PathBuf::new() }
    }

    /// The same studio under a request that is carried out once. What begins a run is answered by it, in one; of what others change
    /// word is kept.
    pub(crate) fn under(&self, ticket: Ticket, described: Described) -> Self {
        let Desk { scope, projects, stories, search, runs } = Desk::new(&self.house.database, self.scope().clone());
        let desk = match described.name {
            operations::START => {
                Desk { runs: runs.under(ticket, operations::started), scope, projects, stories, search }
            }
            _ => Desk { projects: projects.under(ticket.clone()), stories: stories.under(ticket), scope, search, runs },
        };
        Self { house: Arc::clone(&self.house), desk: Arc::new(desk) }
    }

    /// Who asks.
    pub fn scope(&self) -> &Scope {
        &self.desk.scope
    }

    /// Starts a run on a new or existing project. Returns once the run is on disk and works; it then works on its own.
    ///
    /// What is wrong with the request, the settings or the model's key is said here, before anything is kept. Only one
    /// run works on a project at a time: a second one is refused with [`Error::ThreadBusy`].
    pub async fn create(&self, request: CreateRequest) -> Result<RunHandle, Error> {
        self.begin(request).await
    }

    /// Goes on with a run, or with the newest run of a project; ids may be cut short.
    ///
    /// What had been done is not done again. A run that waits and gets no answer asks again: its outcome is the same
    /// question. Fails with [`Error::NothingToResume`] if the run is done, [`Error::NotWaiting`] if there is an answer
    /// but no question, [`Error::ThreadBusy`] if another process works on it.
    pub async fn resume(&self, run_or_project: &str, answer: Option<HumanAnswer>) -> Result<RunHandle, Error> {
        self.resume_with(ResumeRequest { run: run_or_project.to_owned(), answer, ..ResumeRequest::default() }).await
    }

    /// Answers what `asked` asks, and goes on with it as [`resume`](Self::resume) does. Fails with [`Error::QuestionChanged`] if
    /// the run asks something else by now.
    pub async fn answer(&self, asked: &Outcome, answer: HumanAnswer) -> Result<RunHandle, Error> {
        let (run, question) = (asked.run.clone(), asked.question_id.clone());
        self.resume_with(ResumeRequest { run, answer: Some(answer), question, ..ResumeRequest::default() }).await
    }

    /// Goes on with a run as [`resume`](Self::resume) does, with settings that go over all layers and over what the run itself
    /// asked for, such as a raised budget.
    pub async fn resume_with(&self, request: ResumeRequest) -> Result<RunHandle, Error> {
        self.go_on(request).await
    }

    /// A run as it stands, as its end told it.
    pub async fn outcome(&self, run: &str) -> Result<Outcome, Error> {
        let run = self.find_run(run).await?;
        let (status, stand) = (self.status_of(&run).await?, self.stand(&run).await?);
        let failures = Ending::kept(&run).failure.into_iter();
        let mut outcome = Outcome::new(&run, status, stand, &[]);
        outcome.errors.extend(failures);
        Ok(outcome)
    }

    /// The projects on the shelf, newest first.
    pub async fn projects(&self) -> Result<Vec<ProjectRow>, Error> {
        self.projects_of(crate::ProjectStatus::Active).await
    }

    /// The projects that are kept there, newest first.
    pub async fn projects_of(&self, status: crate::ProjectStatus) -> Result<Vec<ProjectRow>, Error> {
        let unread = self.desk.projects.unread().await.map_err(|error| self.place("").store(error))?;
        let row = |project: Project| {
            let unread = unread.get(&project.id).copied().unwrap_or_default();
            ProjectRow { unread: Some(unread), ..project_row(project) }
        };
        Ok(self.seen_projects().await?.into_iter().filter(|project| project.status == status).map(row).collect())
    }

    /// The project that is named by its id, the beginning of it, or one of its runs.
    pub async fn project(&self, given: &str) -> Result<ProjectRow, Error> {
        Ok(project_row(self.find_project(given).await?))
    }

    /// Everything about a project, named by its id, the beginning of it, or one of its runs.
    pub async fn show(&self, project: &str) -> Result<ProjectView, Error> {
        let project = self.find_project(project).await?;
        let id = project.id.clone();
        let bad = |error| self.place("").store(error);
        let story = self.desk.stories.load(&id).await.map_err(bad)?.story;
        let pieces = self.desk.stories.pieces(&id).await.map_err(bad)?;
        let usage = self.desk.runs.usage_of_project(&id).await.map_err(bad)?;
        let runs = self.listed(RunQuery { project: Some(id), ..RunQuery::default() }).await?;
        let (mut newest, mut material) = (None, None);
        for listed in &runs {
            let Stand { made, told, question, .. } = self.stand(&listed.run).await?;
            newest.get_or_insert((told.reasoning, question));
            if let Made::Story(made) = made {
                material = Some(made);
                break;
            }
        }
        let (reasoning, question) = newest.unwrap_or_default();
        let chapters = chapter_coverage(&story);
        let unread = chapters.iter().filter(|chapter| chapter.state.is_open()).count();
        Ok(ProjectView {
            project: ProjectRow { unread: u32::try_from(unread).ok(), ..project_row(project) },
            chapters,
            story,
            report: material.and_then(|made| made.diagnostic_report),
            reasoning,
            provenance: pieces.into_iter().map(provenance).collect(),
            usage: calls::sum(&usage),
            runs: self.run_rows(runs).await?,
            question,
        })
    }

    /// The providers, what is set up, and who serves which role. Asks servers on this machine, no others.
    pub async fn models(&self) -> Result<Vec<ModelRow>, Error> {
        let effective = self.settings().effective(None)?;
        Ok(Roster::new(&effective, self.settings())?.rows().await)
    }

    /// Asks every provider with a key which models the key can use, and keeps the lists.
    pub async fn refresh_models(&self) -> Result<Vec<ModelListing>, Error> {
        let effective = self.settings().effective(None)?;
        Roster::new(&effective, self.settings())?.refresh().await
    }

    /// Asks a model, or the one that serves by default, for a few words and a small JSON value. Costs a few tokens.
    pub async fn try_model(&self, model: Option<&str>) -> Result<ModelTrial, Error> {
        let effective = self.settings().effective(None)?;
        let roster = Roster::new(&effective, self.settings())?;
        match model {
            Some(model) => roster.try_model(model.trim()).await,
            None => roster.try_model(&roster.choose().await?.default.model).await,
        }
    }

    /// Keeps the key of a provider in the data folder, or takes it away. It counts at once, and is never returned.
    ///
    /// Fails with [`Error::UnknownModel`] if there is no such provider.
    pub fn keep_model_key(&self, provider: &str, key: Option<&str>) -> Result<ModelKeyRow, Error> {
        let effective = self.settings().effective(None)?;
        let row = Roster::new(&effective, self.settings())?.provider(provider)?.clone();
        model_keys::keep(self.settings().home(), provider, key)?;
        let keys = ModelKeys::read(self.settings().home(), self.settings().environment())?;
        Ok(ModelKeyRow { provider: provider.into(), source: keys.source(&row) })
    }

    /// The prices that are known, with the settings as they are: those of a model's name, or of the beginning of names.
    pub fn prices(&self) -> Result<Prices, Error> {
        let effective = self.settings().effective(None)?;
        Prices::with_overrides(&effective.values.prices).map_err(|error| effective.bad("prices", error.to_string()))
    }

    /// Checks the installation. Needs no open studio, so that it can say why one does not open.
    ///
    /// With [`Reach::Servers`] every model that a run may ask is tried: its server is asked for its models, and the model
    /// itself for a few tokens if that does not show that key and name are good.
    pub async fn doctor(settings: &Settings, reach: Reach) -> Vec<CheckRow> {
        crate::doctor::checks(settings, reach).await
    }

    /// The effective settings, and where each comes from; those of a project if one is named as for
    /// [`show`](Self::show). Secrets are not shown.
    pub async fn config(&self, project: Option<&str>) -> Result<Vec<SettingRow>, Error> {
        match project {
            Some(given) => self.settings().rows(Some(&self.find_project(given).await?.id)),
            None => self.settings().rows(None),
        }
    }

    /// The rules of the checker, in the words of `language`.
    pub fn rules(&self, language: Language) -> Vec<RuleRow> {
        let checker =
            self.settings().values(None).map_or_else(|_| self.house.values.checker.clone(), |now| now.checker);
        let example = |example: &rules::Example| RuleExample {
            note: match language {
                Language::Zh => example.zh.clone(),
                Language::En => example.en.clone(),
            },
            story: serde_json::from_str(&example.story).unwrap_or_default(),
        };
        let row = |rule: &rules::Rule| RuleRow {
            code: rule.code.into(),
            name: without_names(&rule.text(language).title),
            explanation: rule.text(language).page.clone(),
            severity: checker.severity(rule.code, rule.severity),
            fires: example(rule.fires()),
            spares: example(rule.spares()),
        };
        rules::all().iter().map(row).collect()
    }

    /// What a plan will cost with the settings as they are, without corrections; good to about a third.
    pub async fn estimate(&self, plan: &ExecutionPlan, requirement: &str) -> Result<Estimate, Error> {
        let effective = self.settings().effective(None)?;
        let roster = Roster::new(&effective, self.settings())?;
        let chosen = roster.choose().await?;
        let prices = roster.prices(&chosen)?;
        let story = Story { language: Language::of(requirement), ..Story::default() };
        let estimated = agents_estimate(plan, requirement, &story, &self.prompts(&effective)?)
            .map_err(|error| effective.bad("prompts.folder", error.to_string()))?;
        let used = estimated.steps.into_iter().map(|step| {
            let usage = Usage { input: step.input, output: step.output, estimated: true, ..Usage::default() };
            let cost = prices.cost(chosen.of(step.agent.trim_end_matches("_agent")), usage);
            AgentUsage {
                agent: step.agent,
                calls: 1,
                input: usage.input,
                cached: usage.cached,
                output: usage.output,
                estimated: usage.estimated,
                cost_micros: cost.as_ref().map(|cost| cost.micros),
                currency: cost.map(|cost| cost.currency),
            }
        });
        let usage = calls::sum(&used.collect::<Vec<_>>());
        Ok(Estimate { usage, critical_path: plan.critical_path.len() })
    }
}

/// What the parts of the studio share.
impl Studio {
    /// The folder of data and settings.
    pub fn home(&self) -> &std::path::Path {
        self.settings().home()
    }

    /// How a server over this studio is set up.
    pub fn server_settings(&self) -> &crate::settings::values::Server {
        &self.house.values.server
    }

    pub(crate) fn storage(&self) -> &crate::settings::values::Storage {
        &self.house.values.storage
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.house.settings
    }

    pub(crate) fn threads(&self) -> &Arc<dyn Store> {
        &self.house.threads
    }

    pub(crate) fn runs_table(&self) -> &Runs {
        &self.desk.runs
    }

    pub(crate) fn projects_table(&self) -> &Projects {
        &self.desk.projects
    }

    pub(crate) fn stories_table(&self) -> &Stories {
        &self.desk.stories
    }

    pub(crate) fn search_table(&self) -> &Search {
        &self.desk.search
    }

    pub(crate) fn memory(&self) -> &dyn LongTermMemory {
        &*self.house.memory
    }

    pub(crate) fn given_models(&self) -> Option<&Models> {
        self.house.given.as_ref().map(|given| &given.models)
    }

    pub(crate) fn props(&self) -> Option<&Props> {
        self.house.given.as_ref().and_then(|given| given.replay.as_ref())
    }

    pub(crate) fn database(&self) -> &Database {
        &self.house.database
    }

    pub(crate) fn pace(&self) -> &Pace {
        &self.house.pace
    }

    pub(crate) fn ears(&self) -> &Ears {
        &self.house.ears
    }

    pub(crate) fn room(&self) -> &Room {
        &self.house.room
    }

    pub(crate) fn observers(&self) -> &Observers {
        &self.house.observers
    }

    pub(crate) fn live(&self) -> &Live {
        &self.house.live
    }

    /// The runs as the server that this process is has them; as everybody else does if it is none.
    pub(crate) fn served_runs(&self) -> Runs {
        self.runs_table().clone().of_server(self.server())
    }

    /// The server that this process is, if it serves.
    pub(crate) fn server(&self) -> Option<&ServerId> {
        self.house.server.get()
    }

    pub(crate) fn become_server(&self, server: ServerId) -> bool {
        self.house.server.set(server).is_ok()
    }

    /// What is kept of servers, which belong to no user.
    pub(crate) fn servers_table(&self) -> Servers {
        Servers::new(&self.house.database)
    }

    pub(crate) fn looking(&self) -> &Looking {
        &self.house.looking
    }

    /// Where a failure of `run` happens.
    pub(crate) fn place<'a>(&'a self, run: &'a str) -> Place<'a> {
        Place { database: &self.house.path, run }
    }

    /// The projects that can be seen, newest first.
    pub(crate) async fn seen_projects(&self) -> Result<Vec<Project>, Error> {
        let mut projects = self.desk.projects.list().await.map_err(|error| self.place("").store(error))?;
        projects.retain(|project| self.scope().sees(&project.id));
        Ok(projects)
    }

    /// The project that is named by its id, the beginning of it, or one of its runs.
    pub(crate) async fn find_project(&self, given: &str) -> Result<Project, Error> {
        let found = match self.desk.projects.find(given).await {
            Err(qingyu_store::Error::UnknownProject { .. }) => match self.desk.runs.find(given).await {
                Ok(run) => self.desk.projects.get(&run.project).await,
                Err(qingyu_store::Error::UnknownRun { given }) => Err(qingyu_store::Error::UnknownProject { given }),
                Err(error) => Err(error),
            },
            found => found,
        };
        let project = found.map_err(|error| self.place("").store(error))?;
        if self.scope().sees(&project.id) { Ok(project) } else { Err(Error::UnknownProject { given: given.into() }) }
    }

    /// The run that is named by its id, the beginning of it, or its project, of which the newest is meant.
    pub(crate) async fn find_run(&self, given: &str) -> Result<Run, Error> {
        let bad = |error| self.place("").store(error);
        let unknown = || Error::UnknownRun { given: given.into() };
        let run = match self.desk.runs.find(given).await {
            Err(qingyu_store::Error::UnknownRun { given }) => {
                let project = match self.desk.projects.find(&given).await {
                    Err(qingyu_store::Error::UnknownProject { .. }) => return Err(unknown()),
                    found => found.map_err(bad)?,
                };
                self.runs_of_project(&project.id, Standing::Any, Some(1)).await?.pop().ok_or_else(unknown)?
            }
            found => found.map_err(bad)?,
        };
        if self.scope().sees(&run.project) { Ok(run) } else { Err(unknown()) }
    }

    /// How a run stands now: what its row says, unless the process that wrote it has died since.
    pub(crate) async fn status_of(&self, run: &Run) -> Result<RunStatus, Error> {
        Ok(match run.status {
            Kept::Waiting => RunStatus::Waiting,
            Kept::Done => RunStatus::Done,
            Kept::Failed => RunStatus::Failed,
            Kept::Interrupted => RunStatus::Interrupted,
            Kept::Running if self.is_running(&run.id).await? => RunStatus::Running,
            // Some server takes it over.
            Kept::Running if run.server.is_some() && self.has_servers().await? => RunStatus::Running,
            Kept::Running if self.is_asking(run).await? => RunStatus::Waiting,
            Kept::Running => RunStatus::Interrupted,
        })
    }

    /// Whether the database answers.
    pub async fn is_reachable(&self) -> Result<(), Error> {
        self.has_servers().await.map(drop)
    }

    async fn has_servers(&self) -> Result<bool, Error> {
        Ok(self.servers_table().alive().await.map_err(|error| self.place("").store(error))? > 0)
    }

    /// Whether a run that is not written down as ended is worked on: here, until its end is written down, or by a living process.
    pub(crate) async fn is_running(&self, run: &str) -> Result<bool, Error> {
        Ok(self.live().has(run) || self.is_worked_on(run).await?)
    }

    /// Whether a living process holds the run's lease.
    pub(crate) async fn is_worked_on(&self, run: &str) -> Result<bool, Error> {
        let holder = self.house.threads.holder(&run.into()).await;
        Ok(holder.map_err(|error| self.place(run).graph(&error))?.is_some())
    }
}

pub(crate) fn project_row(project: Project) -> ProjectRow {
    let Project {
        id, title, language, premise, created, updated, version, branch, status, untitled, has_cover, ..
    } = project;
    let (branch_of, branch) = branch.map(|branch| (branch.of, branch.name)).unzip();
    ProjectRow {
        project: id,
        title,
        language,
        premise,
        created,
        updated,
        version,
        branch_of,
        branch,
        status,
        untitled,
        has_cover,
        unread: None,
    }
}

fn provenance(kept: qingyu_store::KeptPiece) -> Provenance {
    let qingyu_store::KeptPiece { piece, key, provenance, at, .. } = kept;
    Provenance {
        name: piece.name(),
        kind: piece.kind.name().into(),
        id: piece.id,
        run: Some(key.run),
        agent: provenance.agent,
        prompt_hash: provenance.prompt_hash,
        model: provenance.model,
        tokens: provenance.tokens,
        at,
    }
}

/// The title of a rule's findings, with dots for what a finding puts in.
pub(crate) fn without_names(title: &str) -> String {
    let mut parts = title.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + "…" + part.split_once('}').map_or(part, |(_, rest)| rest))
}
