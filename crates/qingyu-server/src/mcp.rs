//! The Model Context Protocol: the tools of an engine, a project's pieces and the prompts, for any client of it.
//!
//! - [`Server`]: what is offered, and to whom
//! - [`serve`] and [`serve_stdio`]: carry it out until the peer goes
//! - [`http`]: the same for the callers of a web server
//! - [`prompts`]: where prompts come from
//! - [`resources`]: the addresses of a project's pieces
//! - [`consent`]: which calls a person is asked about first
//!
//! Both generations of the protocol are spoken, with and without a handshake; the client decides.

mod calls;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod consent;
mod handler;
pub mod http;
mod lines;
pub mod prompts;
pub mod resources;
mod runs;
mod texts;
mod to_wire;

use std::sync::Arc;

use qingyu_story::Language;
use qingyu_studio::Studio;
use qingyu_tools::{Caller, Engine};
use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

pub use consent::Consent;
pub use prompts::{AgentPrompts, NoPrompts, Prompts};

/// What is offered, and to whom. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Server {
    engine: Arc<Engine>,
    caller: Caller,
    prompts: Arc<dyn Prompts>,
    runs: Option<runs::Runs>,
    project: Option<String>,
    consent: Consent,
    asked: Arc<consent::Asked>,
}

/// Why serving ended before the peer went.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The peer does not begin as the protocol wants it.
    #[error("the client did not begin as the protocol wants it")]
    Beginning(#[source] Box<ServerInitializeError>),
    /// The task that serves was lost.
    #[error("serving was broken off")]
    BrokenOff(#[source] tokio::task::JoinError),
}

impl Server {
    /// Offers the tools of `engine` that `caller` may use, and the projects of its workspaces. The caller's name is put
    /// before that of the client in what is logged of changes.
    pub fn new(engine: Arc<Engine>, caller: Caller) -> Self {
        Self {
            engine,
            caller,
            prompts: Arc::new(NoPrompts),
            runs: None,
            project: None,
            consent: Consent::default(),
            asked: Arc::default(),
        }
    }

    /// Offers all that a studio has: the tools of its `engine`, its runs, and the prompts of its agents.
    pub fn of_studio(studio: &Studio, mut engine: Engine, caller: Caller) -> Self {
        let runs = Some(runs::Runs::new(studio, &mut engine));
        let prompts = Arc::new(AgentPrompts::new(studio));
        Self { runs, ..Self::new(Arc::new(engine), caller).with_prompts(prompts) }
    }

    /// The server with prompts.
    pub fn with_prompts(self, prompts: Arc<dyn Prompts>) -> Self {
        Self { prompts, ..self }
    }

    /// The server with the project that is meant where none is named. Others can still be named, if the engine's
    /// workspaces open them.
    pub fn with_project(self, project: &str) -> Self {
        Self { project: Some(project.to_owned()), ..self }
    }

    /// The server for somebody who reads another language.
    pub fn in_language(mut self, language: Language) -> Self {
        self.caller.language = language;
        self
    }

    /// The server with other rules for what a person is asked about.
    pub fn with_consent(self, consent: Consent) -> Self {
        Self { consent, ..self }
    }
}

/// Serves over a pair of streams, a message a line, until the peer closes its side or `stop` is cancelled.
///
/// Fails if the peer does not begin as the protocol wants it. A peer that goes away before it has begun is no failure.
pub async fn serve<R, W>(server: Server, read: R, write: W, stop: CancellationToken) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let running = match server.serve_with_ct(lines::Lines::new(read, write), stop).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(Error::Beginning(Box::new(error))),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(Error::BrokenOff(error)),
        Ok(_) => Ok(()),
    }
}

/// Serves over standard input and output; nothing else may write to them meanwhile. Otherwise as [`serve`].
pub async fn serve_stdio(server: Server, stop: CancellationToken) -> Result<(), Error> {
    let (read, write) = rmcp::transport::io::stdio_pipes();
    serve(server, read, write, stop).await
}
