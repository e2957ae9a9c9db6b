//! The studio: the entry point of the API.
//!
//! The [`Studio`] with its fields imports no operation; operations are methods in the folders by noun.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use qingyu_agents::Prompts;
use qingyu_db::Database;
use qingyu_graph::Store;
use qingyu_llm::{ModelRoutes, Prices};
use qingyu_memory::long_term::StoredLongTerm;
use qingyu_memory::short_term::StoredShortTerm;
use qingyu_memory::{LongTermMemory, ShortTermMemory, SystemClock, Talk};
use qingyu_store::{Projects, RequestTicket, Run, Runs, Search, ServerId, Servers, Stories};
use qingyu_story::EarlierBooks;
use serde_json::Value;

use crate::access::ears::KeyListeners;
use crate::access::limits::RequestRateLimiter;
use crate::access::scope::AccessScope;
use crate::engines::long_term::ServedLongTerm;
use crate::engines::set::Engines;
use crate::engines::short_term::ServedShortTerm;
use crate::error::Error;
use crate::error::failures::FailureContext;
use crate::runs::graphs::RunGraphs;
use crate::runs::limiter::RunLimiter;
use crate::runs::live::LiveRuns;
use crate::runs::observer::{Observer, Observers};
use crate::settings::layers::Settings;
use crate::settings::values::SettingValues;
use crate::storage::opening::OpenedStorage;
use crate::storage::{data_folder, opening};
use crate::stories::ends::EndCache;

/// The API for a single [`AccessScope`]. Cheap to clone; all clones share a database.
#[derive(Clone)]
pub struct Studio {
    shared: Arc<SharedStudio>,
    stores: Arc<UserStores>,
}

/// The state shared by all users.
struct SharedStudio {
    /// The layers of settings.
    settings: Settings,
    /// The effective settings without a project.
    values: SettingValues,
    path: PathBuf,
    database: Database,
    threads: Arc<dyn Store>,
    memory: UserMemories,
    sessions: Arc<dyn ShortTermMemory>,
    /// The servers of a team.
    engines: Engines,
    /// The graphs of all kinds of runs, for reading threads.
    looking: RunGraphs,
    /// Models overriding the configured models.
    given: Option<ModelOverride>,
    /// The runs of this process, and their subscribers.
    live: LiveRuns,
    /// The limit on concurrent runs.
    room: RunLimiter,
    observers: Observers,
    /// The ends of books before others.
    ends: EndCache,
    /// The request rate by key.
    pace: RequestRateLimiter,
    /// The event streams by key.
    ears: KeyListeners,
    /// The server ID, if this process is a server.
    server: OnceLock<ServerId>,
    /// The folder of the database copy, if the data folder is read-only; deleted on drop.
    _copy: Option<tempfile::TempDir>,
}

/// The memories of users.
enum UserMemories {
    /// In the database.
    Embedded(Arc<StoredLongTerm>),
    /// On a server.
    Served(Arc<ServedLongTerm>),
}

/// The tables of a user.
struct UserStores {
    scope: AccessScope,
    /// The session of the caller, if any.
    session: Option<Talk>,
    /// The caller's origin for the audit log, such as an address.
    origin: String,
    projects: Projects,
    stories: Stories,
    search: Search,
    runs: Runs,
}

impl UserStores {
    fn new(database: &Database, scope: AccessScope) -> Self {
        let user = scope.user();
        Self {
            projects: Projects::new(database, user),
            stories: Stories::new(database, user),
            search: Search::new(database, user),
            runs: Runs::new(database, user).with_key(scope.key()).with_parallel(scope.parallel_runs()),
            session: None,
            origin: "local".to_owned(),
            scope,
        }
    }
}

/// Models overriding the configured models.
#[derive(Debug, Clone)]
pub(crate) struct ModelOverride {
    /// The models.
    pub(crate) models: ModelRoutes,
    /// The recorded inputs of a replay.
    pub(crate) replay: Option<ReplayInputs>,
}

/// The inputs of a replay, as recorded.
#[derive(Debug, Clone)]
pub(crate) struct ReplayInputs {
    /// The prices of calls.
    pub(crate) prices: Prices,
    /// The prompts.
    pub(crate) prompts: Prompts,
    /// The author's preferences.
    pub(crate) preferences: Vec<String>,
    /// The ends of the books before the project.
    pub(crate) earlier: EarlierBooks,
    /// The recording, for what search servers found.
    pub(crate) recording: Arc<qingyu_llm::cassette::Recording>,
}

impl fmt::Debug for Studio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Studio")
            .field("settings", &self.shared.settings)
            .field("scope", &self.stores.scope)
            .finish_non_exhaustive()
    }
}

impl Studio {
    /// Opens the data folder, creating it if missing.
    ///
    /// Returns [`Error::Storage`] if the folder or its database is not usable. Several processes may share a folder.
    pub async fn open(settings: Settings) -> Result<Self, Error> {
        Self::assemble(settings, None).await
    }

    /// Opens the data folder with the caller's models instead of the configured models, for tests.
    #[cfg(any(test, feature = "testing"))]
    pub async fn open_with_models(settings: Settings, models: ModelRoutes) -> Result<Self, Error> {
        Self::assemble(settings, Some(ModelOverride { models, replay: None })).await
    }

    /// Opens the data folder; with `given`, its models replace the configured models.
    pub(crate) async fn assemble(settings: Settings, given: Option<ModelOverride>) -> Result<Self, Error> {
        data_folder::prepare(settings.home())?;
        data_folder::sweep(settings.home(), std::time::SystemTime::now());
        let path = settings.database();
        let place = FailureContext { database: &path, run: "" };
        let values = settings.values(None)?;
        let OpenedStorage { database, threads, copy } = opening::open(&values.storage, &path, settings.home()).await?;
        let bad = |error| place.memory(error);
        let memory = StoredLongTerm::open(database.clone(), Arc::new(SystemClock)).await.map_err(bad)?;
        let sessions = StoredShortTerm::open(database.clone(), Arc::new(SystemClock)).await.map_err(bad)?;
        // Copies on servers are recorded in the database.
        let engines = match copy {
            Some(_) => Engines::default(),
            None => Engines::new(&values.engines, settings.environment()),
        };
        let memory = Arc::new(memory);
        let memory = match &engines.long_term {
            Some(slot) => {
                let served = ServedLongTerm::open(Arc::clone(slot), memory).await.map_err(bad)?;
                UserMemories::Served(Arc::new(served))
            }
            None => UserMemories::Embedded(memory),
        };
        let sessions: Arc<dyn ShortTermMemory> = match &engines.short_term {
            Some(slot) => Arc::new(ServedShortTerm::new(Arc::clone(slot), sessions)),
            None => Arc::new(sessions),
        };
        if let (Some(_), Some(file)) = (&copy, database.as_sqlite()) {
            file.refuse_writes().await.map_err(|error| place.database(&error))?;
        }
        let stores = UserStores::new(&database, AccessScope::local());
        let shared = SharedStudio {
            settings,
            values,
            path,
            database,
            threads,
            memory,
            sessions,
            engines,
            looking: RunGraphs::new(),
            given,
            live: LiveRuns::default(),
            room: RunLimiter::default(),
            observers: Observers::default(),
            ends: EndCache::default(),
            pace: RequestRateLimiter::default(),
            ears: KeyListeners::default(),
            server: OnceLock::new(),
            _copy: copy,
        };
        Ok(Self { shared: Arc::new(shared), stores: Arc::new(stores) })
    }

    /// Returns the studio for another scope, restricted to its user's projects.
    #[must_use]
    pub fn of(&self, scope: &AccessScope) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            stores: Arc::new(UserStores::new(&self.shared.database, scope.clone())),
        }
    }

    /// Returns the data folder for the local user; empty for remote callers.
    pub(crate) fn told_folder(&self) -> PathBuf {
        let is_here = self.scope().user() == AccessScope::local().user();
        if is_here { self.settings().home().to_path_buf() } else { PathBuf::new() }
    }

    /// Returns the studio in a session of the caller.
    pub(crate) fn with_session(&self, session: Talk) -> Self {
        let stores = UserStores::new(&self.shared.database, self.scope().clone());
        let stores = UserStores { session: Some(session), origin: self.origin().to_owned(), ..stores };
        Self { shared: Arc::clone(&self.shared), stores: Arc::new(stores) }
    }

    /// Returns the studio with the caller's origin, such as an address, for the audit log.
    #[must_use]
    pub fn with_origin(&self, origin: &str) -> Self {
        let stores = UserStores::new(&self.shared.database, self.scope().clone());
        let stores = UserStores { session: self.session().cloned(), origin: origin.to_owned(), ..stores };
        Self { shared: Arc::clone(&self.shared), stores: Arc::new(stores) }
    }

    /// Returns the caller's origin for the audit log.
    pub(crate) fn origin(&self) -> &str {
        &self.stores.origin
    }

    /// Returns the session of the caller, if any.
    pub(crate) fn session(&self) -> Option<&Talk> {
        self.stores.session.as_ref()
    }

    /// Returns the caller's scope.
    pub fn scope(&self) -> &AccessScope {
        &self.stores.scope
    }

    /// Returns the folder of data and settings.
    pub fn home(&self) -> &std::path::Path {
        self.settings().home()
    }

    /// Returns the server settings.
    pub fn server_settings(&self) -> &crate::settings::values::Server {
        &self.shared.values.server
    }

    /// Returns the storage settings, as read at the start.
    pub(crate) fn storage(&self) -> &crate::settings::values::StorageSettings {
        &self.shared.values.storage
    }

    /// Returns the effective settings without a project, as read at the start.
    pub(crate) fn values_at_start(&self) -> &SettingValues {
        &self.shared.values
    }

    /// Returns the layers of settings.
    pub(crate) fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// Returns the engine's store of threads.
    pub(crate) fn threads(&self) -> &Arc<dyn Store> {
        &self.shared.threads
    }

    /// Returns the caller's runs.
    pub(crate) fn runs_table(&self) -> &Runs {
        &self.stores.runs
    }

    /// Returns the caller's projects.
    pub(crate) fn projects_table(&self) -> &Projects {
        &self.stores.projects
    }

    /// Returns the stories of the caller's projects.
    pub(crate) fn stories_table(&self) -> &Stories {
        &self.stores.stories
    }

    /// Returns the search indexes of the caller's projects.
    pub(crate) fn search_table(&self) -> &Search {
        &self.stores.search
    }

    /// Returns the long-term memories of users, embedded or on a server.
    pub(crate) fn memory(&self) -> &dyn LongTermMemory {
        match &self.shared.memory {
            UserMemories::Embedded(memory) => &**memory,
            UserMemories::Served(memory) => &**memory,
        }
    }

    /// Returns the memories on a server, if configured.
    pub(crate) fn served_memory(&self) -> Option<&ServedLongTerm> {
        match &self.shared.memory {
            UserMemories::Embedded(_) => None,
            UserMemories::Served(memory) => Some(memory),
        }
    }

    /// Returns the memories of sessions.
    pub(crate) fn session_memory(&self) -> &dyn ShortTermMemory {
        &*self.shared.sessions
    }

    /// Returns the servers of a team.
    pub(crate) fn engines(&self) -> &Engines {
        &self.shared.engines
    }

    /// Returns the models that override the configured models, if any.
    pub(crate) fn given_models(&self) -> Option<&ModelRoutes> {
        self.shared.given.as_ref().map(|given| &given.models)
    }

    /// Returns the recorded inputs if this studio replays a run.
    pub(crate) fn props(&self) -> Option<&ReplayInputs> {
        self.shared.given.as_ref().and_then(|given| given.replay.as_ref())
    }

    /// Returns the database.
    pub(crate) fn database(&self) -> &Database {
        &self.shared.database
    }

    /// Returns the limiter of requests by key.
    pub(crate) fn pace(&self) -> &RequestRateLimiter {
        &self.shared.pace
    }

    /// Returns the open event streams by key.
    pub(crate) fn ears(&self) -> &KeyListeners {
        &self.shared.ears
    }

    /// Returns the limiter of concurrent runs.
    pub(crate) fn room(&self) -> &RunLimiter {
        &self.shared.room
    }

    /// Returns the observers of runs.
    pub(crate) fn observers(&self) -> &Observers {
        &self.shared.observers
    }

    /// Returns the cached ends of earlier books.
    pub(crate) fn ends(&self) -> &EndCache {
        &self.shared.ends
    }

    /// Returns the runs of this process.
    pub(crate) fn live(&self) -> &LiveRuns {
        &self.shared.live
    }

    /// Returns the runs table with this process's server ID, if any.
    pub(crate) fn served_runs(&self) -> Runs {
        self.runs_table().clone().of_server(self.server())
    }

    /// Returns the server ID, if this process is a server.
    pub(crate) fn server(&self) -> Option<&ServerId> {
        self.shared.server.get()
    }

    /// Makes this process a server. Returns false if it is one already.
    pub(crate) fn become_server(&self, server: ServerId) -> bool {
        self.shared.server.set(server).is_ok()
    }

    /// Returns the servers table, independent of users.
    pub(crate) fn servers_table(&self) -> Servers {
        Servers::new(&self.shared.database)
    }

    /// Returns the graphs for reading threads; they are never executed.
    pub(crate) fn looking(&self) -> &RunGraphs {
        &self.shared.looking
    }

    /// Returns the error context of `run`.
    pub(crate) fn place<'a>(&'a self, run: &'a str) -> FailureContext<'a> {
        FailureContext { database: &self.shared.path, run }
    }

    /// Registers an observer for the runs of this process.
    pub fn observe(&self, observer: Arc<dyn Observer>) {
        self.observers().add(observer);
    }
}

impl Studio {
    /// Returns the studio with the ticket of an idempotent request. With `started`, the start of a run stores its answer
    /// in the same transaction; otherwise changes store a note of the changed project.
    pub(crate) fn with_ticket(&self, ticket: RequestTicket, started: Option<fn(&Run) -> Value>) -> Self {
        let UserStores { scope, projects, stories, search, runs, .. } =
            UserStores::new(&self.shared.database, self.scope().clone());
        let (session, origin) = (self.stores.session.clone(), self.origin().to_owned());
        let stores = match started {
            Some(started) => {
                UserStores { runs: runs.under(ticket, started), scope, session, origin, projects, stories, search }
            }
            None => UserStores {
                projects: projects.under(ticket.clone()),
                stories: stories.under(ticket),
                scope,
                session,
                origin,
                search,
                runs,
            },
        };
        Self { shared: Arc::clone(&self.shared), stores: Arc::new(stores) }
    }
}
