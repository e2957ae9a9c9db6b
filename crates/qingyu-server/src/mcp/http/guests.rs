//! The state of each scope: an engine and sessions.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use qingyu_story::Language;
use qingyu_studio::{AccessScope, Error, Studio};
use qingyu_tools::toolbox::ToolFilter;
use qingyu_tools::{Tool, ToolCaller};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::OnceCell;

use crate::mcp::McpService;

/// Maximum number of cached scopes. The least recently used scope is evicted first, and must start a new session.
const GUESTS: usize = 256;
/// Maximum number of open sessions per scope.
const SESSIONS: usize = 64;

/// The cached scopes.
#[derive(Debug, Default)]
pub(super) struct McpScopes {
    seats: Mutex<Vec<McpScopeEntry>>,
    /// The tools of the configured MCP servers. The tools are independent of the caller, so all scopes share one
    /// connection.
    foreign: OnceCell<Vec<Arc<dyn Tool>>>,
}

#[derive(Debug)]
struct McpScopeEntry {
    scope: AccessScope,
    guest: Arc<McpScope>,
    seen: Instant,
}

/// The state of a scope.
#[derive(Default)]
pub(super) struct McpScope {
    server: OnceCell<McpService>,
    sessions: Arc<LocalSessionManager>,
}

impl std::fmt::Debug for McpScope {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Guest").field("server", &self.server).finish_non_exhaustive()
    }
}

impl McpScopes {
    /// Returns the state of the studio's scope, creating a new state on first use.
    pub(super) async fn of(&self, studio: &Studio) -> Result<Arc<McpScope>, Error> {
        let guest = self.seated(studio.scope());
        guest.server.get_or_try_init(|| self.server(studio)).await?;
        Ok(guest)
    }

    async fn server(&self, studio: &Studio) -> Result<McpService, Error> {
        let mut engine = studio.engine(None);
        for tool in self.foreign.get_or_try_init(|| foreign(studio)).await? {
            if let Err(error) = engine.register(Arc::clone(tool)) {
                tracing::warn!(%error, "failed to offer a tool of an mcp server");
            }
        }
        Ok(McpService::of_studio(studio, engine, ToolCaller::new("mcp", studio.allowance())))
    }

    fn seated(&self, scope: &AccessScope) -> Arc<McpScope> {
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
        let guest = Arc::<McpScope>::default();
        seats.push(McpScopeEntry { scope: scope.clone(), guest: Arc::clone(&guest), seen: Instant::now() });
        guest
    }
}

impl McpScope {
    /// Returns the server with a language and default project.
    pub(super) fn server(&self, language: Language, project: Option<String>) -> McpService {
        let server = self.server.get().expect("guests are given away with a server").clone();
        let server = server.in_language(language);
        match project {
            Some(project) => server.with_project(&project),
            None => server,
        }
    }

    /// Returns the sessions.
    pub(super) fn sessions(&self) -> &Arc<LocalSessionManager> {
        &self.sessions
    }

    /// Returns whether another session may be started.
    pub(super) async fn has_room(&self) -> bool {
        self.sessions.sessions.read().await.len() < SESSIONS
    }
}

async fn foreign(studio: &Studio) -> Result<Vec<Arc<dyn Tool>>, Error> {
    let (engine, missing) = studio.engine_with_servers().await?;
    for problem in missing {
        tracing::warn!(%problem, "failed to mount the tools of an mcp server");
    }
    let toolbox = engine.toolbox();
    let foreign = toolbox.list(ToolFilter::default()).filter(|metadata| metadata.foreign.is_some());
    Ok(foreign.filter_map(|metadata| toolbox.find(&metadata.name)).cloned().collect())
}
