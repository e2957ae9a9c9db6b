//! The tools of other servers, mounted as ours by the Model Context Protocol.
//!
//! - [`McpServers`]: which servers, with what they may do
//! - [`mount`]: asks them for their tools, and puts these into a toolbox
//!
//! What a foreign tool says is passed on up to 64 KiB, and its outcome is marked as untrusted; prompts fence it.
//! A server that cannot be had, hangs or dies is an error of its own calls only; it is started anew at the next call.

#[cfg(feature = "mcp")]
mod child;
#[cfg(feature = "mcp")]
mod connection;
#[cfg(feature = "mcp")]
mod material;
#[cfg(feature = "mcp")]
mod mounting;
#[cfg(feature = "mcp")]
mod tool;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(not(feature = "mcp"))]
use crate::Toolbox;
use crate::tool::Permission;
use crate::{ToolError, toolbox};

#[cfg(feature = "mcp")]
pub use mounting::mount;

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
    /// Variables of its environment, beside those of ours that every program gets, such as `PATH` and `HOME`.
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
    /// This build mounts no servers.
    #[error("this build was made without the feature `mcp`, which mounts the server '{server}'")]
    NotInBuild {
        /// The server.
        server: String,
    },
}

/// Mounts nothing: returns an [`Error::NotInBuild`] for each server.
#[cfg(not(feature = "mcp"))]
pub async fn mount(servers: &McpServers, _: &BTreeMap<String, String>, _: &mut Toolbox) -> Vec<Error> {
    servers.0.keys().map(|server| Error::NotInBuild { server: server.clone() }).collect()
}

impl Error {
    /// The server.
    pub fn server(&self) -> &str {
        match self {
            Self::Settings { server, .. }
            | Self::Server { server, .. }
            | Self::Tool { server, .. }
            | Self::NoSuchTool { server, .. }
            | Self::NotInBuild { server } => server,
        }
    }
}
