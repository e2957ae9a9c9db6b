//! What each scope has at this door: an engine, and sessions.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use qingyu_story::Language;
use qingyu_studio::{Error, Right, Scope, Studio};
use qingyu_tools::toolbox::Filter;
use qingyu_tools::{Caller, Permission, Tool};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::OnceCell;

use crate::mcp::Server;

/// How many scopes are remembered. Who was not here for longest is forgotten first, and has to begin its session anew.
const GUESTS: usize = 256;
/// How many sessions a scope may have open.
const SESSIONS: usize = 64;

/// The scopes that have been here.
#[derive(Debug, Default)]
pub(super) struct Guests {
    seats: Mutex<Vec<Seat>>,
    /// The tools of the servers that the settings name. These know nothing of who calls, so that one connection serves all.
    foreign: OnceCell<Vec<Arc<dyn Tool>>>,
}

#[derive(Debug)]
struct Seat {
    scope: Scope,
    guest: Arc<Guest>,
    seen: Instant,
}

/// What a scope has here.
#[derive(Default)]
pub(super) struct Guest {
    server: OnceCell<Server>,
    sessions: Arc<LocalSessionManager>,
}

impl std::fmt::Debug for Guest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Guest").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Guests {
    /// What the scope of that studio has here. Made when it is here for the first time.
    pub(super) async fn of(&self, studio: &Studio) -> Result<Arc<Guest>, Error> {
        let guest = self.seated(studio.scope());
        guest.server.get_or_try_init(|| self.server(studio)).await?;
        Ok(guest)
    }

    async fn server(&self, studio: &Studio) -> Result<Server, Error> {
        let mut engine = studio.engine(None);
        for tool in self.foreign.get_or_try_init(|| foreign(studio)).await? {
            if let Err(error) = engine.register(Arc::clone(tool)) {
                tracing::warn!(%error, "a tool of others cannot be offered");
            }
        }
        let allowance = match studio.scope().right() {
            Right::Read => Permission::Read,
            Right::Write => Permission::Write,
            Right::Admin => Permission::Admin,
        };
        Ok(Server::of_studio(studio, engine, Caller::new("mcp", allowance)))
    }

    fn seated(&self, scope: &Scope) -> Arc<Guest> {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seat) = seats.iter_mut().find(|seat| seat.scope == *scope) {
            seat.seen = Instant::now();
            return Arc::clone(&seat.guest);
        }
        if seats.len() >= GUESTS
            && let Some(oldest) = (0..seats.len()).min_by_key(|place| seats[*place].seen)
        {
            seats.swap_remove(oldest);
        }
        let guest = Arc::<Guest>::default();
        seats.push(Seat { scope: scope.clone(), guest: Arc::clone(&guest), seen: Instant::now() });
        guest
    }
}

impl Guest {
    /// The server, in that language, where that project is meant if none is named.
    pub(super) fn server(&self, language: Language, project: Option<String>) -> Server {
        let server = self.server.get().expect("guests are given away with a server").clone();
        let server = server.in_language(language);
        match project {
            Some(project) => server.with_project(&project),
            None => server,
        }
    }

    /// The sessions.
    pub(super) fn sessions(&self) -> &Arc<LocalSessionManager> {
        &self.sessions
    }

    /// Whether one more session may be begun.
    pub(super) async fn has_room(&self) -> bool {
        self.sessions.sessions.read().await.len() < SESSIONS
    }
}

async fn foreign(studio: &Studio) -> Result<Vec<Arc<dyn Tool>>, Error> {
    let (engine, missing) = studio.engine_with_servers().await?;
    for problem in missing {
        tracing::warn!(%problem, "a server of others could not be mounted");
    }
    let toolbox = engine.toolbox();
    let foreign = toolbox.list(Filter::default()).filter(|metadata| metadata.foreign.is_some());
    Ok(foreign.filter_map(|metadata| toolbox.find(&metadata.name)).map(|found| Arc::clone(found.tool())).collect())
}
