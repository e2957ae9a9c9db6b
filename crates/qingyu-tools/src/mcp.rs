//! The tools of other servers, mounted as ours by the Model Context Protocol.
//!
//! - [`McpServers`]: which servers, with what they may do
//! - [`mount`]: asks them for their tools, and puts these into a toolbox
//!
//! What a foreign tool says is passed on up to 64 KiB, and its outcome is marked as untrusted; prompts fence it.
//! A server that cannot be had, hangs or dies is an error of its own calls only; it is started anew at the next call.

mod child;
mod connection;
mod material;
mod tool;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::Permission;
use crate::{ToolError, Toolbox, toolbox};
use connection::Connection;
use tool::ForeignTool;

/// Servers by name. The name goes before those of their tools: `time__convert_time`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct McpServers(pub BTreeMap<String, McpServer>);

/// One server: a program that is started, or an address.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct McpServer {
    /// The program to start; it speaks over its standard input and output.
    pub command: Option<String>,
    /// What the program is started with.
    pub args: Vec<String>,
    /// What its environment has beside what [`mount`] is given.
    pub env: BTreeMap<String, String>,
    /// Where the server is, if it runs already; it speaks streamable HTTP.
    pub url: Option<String>,
    /// What goes with every request to `url`, such as `authorization`.
    pub headers: BTreeMap<String, String>,
    /// The tools that are mounted, by the server's own names; all if left out.
    pub allow: Option<Vec<String>>,
    /// What a caller must be allowed to use its tools. What a server does is outside of the project, so `admin` unless
    /// the author trusts it with less.
    pub permission: Permission,
    /// How many seconds it may take to start, and each call.
    pub timeout: u64,
}

impl Default for McpServer {
    fn default() -> Self {
        Self {
            command: None,
            args: Vec::new(),
            env: BTreeMap::new(),
            url: None,
            headers: BTreeMap::new(),
            allow: None,
            permission: Permission::Admin,
            timeout: 30,
        }
    }
}

impl fmt::Debug for McpServer {
    /// Without the values that may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer")
            .field("command", &self.command)
            .field("args", &self.args)
            .field("env", &self.env.keys())
            .field("url", &self.url)
            .field("headers", &self.headers.keys())
            .field("allow", &self.allow)
            .field("permission", &self.permission)
            .field("timeout", &self.timeout)
            .finish()
    }
}

impl McpServer {
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(self.timeout.max(1))
    }
}

/// Why a server, or one of its tools, is not mounted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The settings do not make a server.
    #[error("the server '{server}' is not well described: {message}")]
    Settings {
        /// The server.
        server: String,
        /// What is wrong.
        message: String,
    },
    /// It cannot be started or reached, or does not list its tools.
    #[error("the server '{server}' cannot be had: {source}")]
    Server {
        /// The server.
        server: String,
        /// What happened.
        source: ToolError,
    },
    /// A tool of it cannot be registered. The others are.
    #[error("a tool of the server '{server}' cannot be mounted: {source}")]
    Tool {
        /// The server.
        server: String,
        /// What is wrong.
        source: toolbox::Error,
    },
    /// A tool is allowed that the server does not have.
    #[error("the server '{server}' has no tool '{tool}'")]
    NoSuchTool {
        /// The server.
        server: String,
        /// What is allowed.
        tool: String,
    },
}

/// Asks all servers at once for their tools, and puts these into `toolbox`. Gives what could not be mounted.
///
/// `environment` is all that started programs see of ours, such as `PATH` and `HOME`. The programs run as long as the
/// toolbox or a clone of it has a tool of theirs.
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

impl Error {
    /// The server.
    pub fn server(&self) -> &str {
        match self {
            Self::Settings { server, .. }
            | Self::Server { server, .. }
            | Self::Tool { server, .. }
            | Self::NoSuchTool { server, .. } => server,
        }
    }
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
    let connection = Arc::new(Connection::new(name, settings.clone(), environment.clone()));
    let listed = connection.list().await.map_err(|source| Error::Server { server: name.to_owned(), source })?;
    let is_allowed = |tool: &rmcp::model::Tool| {
        settings.allow.as_ref().is_none_or(|allowed| allowed.iter().any(|name| *name == tool.name))
    };
    let tools = listed.into_iter().filter(is_allowed).map(|listed| ForeignTool::new(&connection, &listed));
    Ok((name.to_owned(), tools.collect()))
}
