//! The settings of other servers.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool::Permission;

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
    /// Omits values that may be secret.
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

#[cfg(feature = "mcp")]
impl McpServer {
    pub(crate) fn patience(&self) -> std::time::Duration {
        std::time::Duration::from_secs(self.timeout.max(1))
    }
}
