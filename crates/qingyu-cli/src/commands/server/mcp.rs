//! The command `qingyu mcp`.

use std::time::Duration;

use qingyu_server::mcp::{McpService, serve_stdio};
use qingyu_studio::Studio;
use qingyu_studio::tools::{Permission, ToolCaller};
use tokio_util::sync::CancellationToken;

use crate::args::{ClientPermission, McpArgs};
use crate::error::{Error, Exit};
use crate::screen::Screen;

/// Interval between updates of the search vectors.
const PAUSE: Duration = Duration::from_secs(30);

/// Serves until the client disconnects. Standard output is reserved for the protocol; mount failures go to standard
/// error.
pub(in crate::commands) async fn mcp(studio: &Studio, screen: &Screen, arguments: McpArgs) -> Result<Exit, Error> {
    let McpArgs { project, allow } = arguments;
    let project = match &project {
        Some(given) => Some(studio.project(given).await?.project),
        None => None,
    };
    let (engine, missing) = studio.engine_with_servers().await?;
    for problem in missing {
        screen.note(&format!("{problem}\n"));
    }
    let allowance = match allow {
        ClientPermission::Read => Permission::Read,
        ClientPermission::Write => Permission::Write,
        ClientPermission::Admin => Permission::Admin,
    };
    let caller = ToolCaller { language: screen.texts().language(), ..ToolCaller::new("mcp", allowance) };
    let mut server = McpService::of_studio(studio, engine, caller);
    if let Some(project) = &project {
        server = server.with_project(project);
    }
    tokio::select! {
        served = serve_stdio(server, CancellationToken::new()) => {
            served.map_err(|error| Error::Protocol(error.to_string()))?;
        }
        () = studio.tend_indexes(PAUSE) => {}
    }
    Ok(Exit::Done)
}
