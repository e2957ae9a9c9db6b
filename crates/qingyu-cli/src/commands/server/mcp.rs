//! `qingyu mcp`.

use std::time::Duration;

use qingyu_server::mcp::{Server, serve_stdio};
use qingyu_studio::Studio;
use qingyu_studio::tools::{Caller, Permission};
use tokio_util::sync::CancellationToken;

use crate::args::{Allow, Mcp};
use crate::error::{Error, Exit};
use crate::screen::Screen;

/// How long it is until vectors are looked after again.
const PAUSE: Duration = Duration::from_secs(30);

/// Serves until the client goes. Standard output belongs to the protocol; what could not be mounted is told beside it.
pub(in crate::commands) async fn mcp(studio: &Studio, screen: &Screen, arguments: Mcp) -> Result<Exit, Error> {
    let Mcp { project, allow } = arguments;
    let project = match &project {
        Some(given) => Some(studio.project(given).await?.project),
        None => None,
    };
    let (engine, missing) = studio.engine_with_servers().await?;
    for problem in missing {
        screen.note(&format!("{problem}\n"));
    }
    let allowance = match allow {
        Allow::Read => Permission::Read,
        Allow::Write => Permission::Write,
        Allow::Admin => Permission::Admin,
    };
    let caller = Caller { language: screen.texts().language(), ..Caller::new("mcp", allowance) };
    let mut server = Server::of_studio(studio, engine, caller);
    if let Some(project) = &project {
        server = server.with_project(project);
    }
    tokio::select! {
        served = serve_stdio(server, CancellationToken::new()) => {
            served.map_err(|error| Error::Protocol(error.to_string()))?;
        }
        () = studio.tend_vectors(PAUSE) => {}
    }
    Ok(Exit::Done)
}
