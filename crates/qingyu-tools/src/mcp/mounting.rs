//! Fetches the tools of servers and registers them in a toolbox.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::join_all;

use super::connection::McpConnection;
use super::error::Error;
use super::settings::{McpServer, McpServers};
use super::tool::{self, ForeignTool};
use crate::Toolbox;

/// Fetches the tools of all servers concurrently and registers them in `toolbox`. Returns the errors of servers and
/// tools not mounted.
///
/// `environment` is the whole environment of started programs, such as `PATH` and `HOME`. The programs run as long as
/// the toolbox or a clone holds a tool of the server.
pub async fn mount(servers: &McpServers, environment: &BTreeMap<String, String>, toolbox: &mut Toolbox) -> Vec<Error> {
    let asking = servers.0.iter().map(|(name, settings)| ask(name, settings, environment));
    let mut errors = Vec::new();
    for answer in join_all(asking).await {
        match answer {
            Err(error) => errors.push(error),
            Ok((server, tools)) => {
                for tool in tools {
                    if let Err(source) = toolbox.register(Arc::new(tool)) {
                        errors.push(Error::Tool { server: server.clone(), source });
                    }
                }
            }
        }
    }
    for (server, settings) in &servers.0 {
        let is_mounted = |tool: &String| toolbox.find(&tool::name(server, tool)).is_some();
        let is_known_bad = errors.iter().any(|error| error.server() == server);
        let missing = settings.allow.iter().flatten().filter(|tool| !is_known_bad && !is_mounted(tool));
        let missing: Vec<Error> =
            missing.map(|tool| Error::NoSuchTool { server: server.clone(), tool: tool.clone() }).collect();
        errors.extend(missing);
    }
    errors
}

async fn ask(
    name: &str,
    settings: &McpServer,
    environment: &BTreeMap<String, String>,
) -> Result<(String, Vec<ForeignTool>), Error> {
    let unusable = |message: &str| Error::Settings { server: name.to_owned(), message: message.to_owned() };
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if name.is_empty() || !is_plain || name.contains("__") {
        return Err(unusable("its name has other signs than letters, digits, - and single _"));
    }
    if settings.command.is_some() == settings.url.is_some() {
        return Err(unusable("it needs either a command or a url"));
    }
    let connection = Arc::new(McpConnection::new(name, settings.clone(), environment.clone()));
    let listed = connection.list().await.map_err(|source| Error::Server { server: name.to_owned(), source })?;
    let is_allowed = |tool: &rmcp::model::Tool| {
        settings.allow.as_ref().is_none_or(|allowed| allowed.iter().any(|name| *name == tool.name))
    };
    let tools = listed.into_iter().filter(is_allowed).map(|listed| ForeignTool::new(&connection, &listed));
    Ok((name.to_owned(), tools.collect()))
}
