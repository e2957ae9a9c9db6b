//! The Model Context Protocol: the tools of an engine, a project's pieces and the prompts, for any MCP client.
//!
//! - [`McpService`]: the offered features and the caller's permissions
//! - [`serve`] and [`serve_stdio`]: serve until the peer disconnects
//! - [`http`]: the same for the callers of a web server
//! - [`prompts`]: prompts for a person to choose from
//! - `resources`: URIs of a project's pieces
//! - `consent`: calls needing a person's consent
//!
//! Both generations of the protocol are supported, with and without a handshake; the client chooses.

mod calls;
mod consent;
mod handler;
pub mod http;
mod lines;
pub mod prompts;
pub(crate) mod resources;
mod runs;
mod texts;
mod to_wire;

use std::sync::Arc;

use qingyu_story::Language;
use qingyu_studio::Studio;
use qingyu_tools::texts::Text;
use qingyu_tools::{Engine, ToolCaller};
use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use prompts::{AgentPrompts, PlainPrompts, Prompt, PromptSource};

/// The offered tools, projects and prompts, for one caller. Cheap to clone.
#[derive(Debug, Clone)]
pub struct McpService {
    engine: Arc<Engine>,
    caller: ToolCaller,
    prompts: Arc<dyn PromptSource>,
    runs: Option<runs::McpRuns>,
    project: Option<String>,
    asked: Arc<consent::OpenQuestions>,
}

/// A reason why serving ended before the peer disconnected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The peer's initialization violates the protocol.
    #[error("the client did not begin with the handshake of the protocol")]
    Beginning(#[source] Box<ServerInitializeError>),
    /// The serving task panicked or was aborted.
    #[error("serving was interrupted")]
    BrokenOff(#[source] tokio::task::JoinError),
}

impl McpService {
    /// Offers the tools of `engine` permitted to `caller`, and the projects of its workspaces. The log of changes
    /// records the caller's name followed by the client's name.
    pub fn new(engine: Arc<Engine>, caller: ToolCaller) -> Self {
        let prompts = Arc::new(PlainPrompts::default());
        Self { engine, caller, prompts, runs: None, project: None, asked: Arc::default() }
    }

    /// Offers everything of a studio: the tools of its `engine`, its runs, and the prompts of its agents.
    pub fn of_studio(studio: &Studio, mut engine: Engine, caller: ToolCaller) -> Self {
        let runs = Some(runs::McpRuns::new(studio, &mut engine));
        let prompts = Arc::new(AgentPrompts::new(studio));
        Self { runs, prompts, ..Self::new(Arc::new(engine), caller) }
    }

    /// Sets the prompts: each with a text in both languages, where `{word}` is replaced by an argument.
    pub fn with_prompts(self, prompts: Vec<(Prompt, Text)>) -> Self {
        Self { prompts: Arc::new(PlainPrompts(prompts)), ..self }
    }

    /// Sets the default project. Other projects can still be named, if the engine's workspaces open them.
    pub fn with_project(self, project: &str) -> Self {
        Self { project: Some(project.to_owned()), ..self }
    }

    /// Sets the language.
    pub(crate) fn in_language(mut self, language: Language) -> Self {
        self.caller.language = language;
        self
    }
}

/// Serves over a pair of streams, one message per line, until the peer closes its side or `stop` is cancelled.
///
/// Fails if the peer's initialization violates the protocol. A peer disconnecting before initialization is not an
/// error.
pub async fn serve<R, W>(server: McpService, read: R, write: W, stop: CancellationToken) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let running = match server.serve_with_ct(lines::LineTransport::new(read, write), stop).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(Error::Beginning(Box::new(error))),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(Error::BrokenOff(error)),
        Ok(_) => Ok(()),
    }
}

/// Serves over standard input and output; no other code may use them meanwhile. Otherwise as [`serve`].
pub async fn serve_stdio(server: McpService, stop: CancellationToken) -> Result<(), Error> {
    let (read, write) = rmcp::transport::io::stdio_pipes();
    serve(server, read, write, stop).await
}
