//! Servers of other programs with additional tools.

use std::collections::BTreeMap;

use qingyu_tools::mcp;
use qingyu_tools::mcp::McpServers;
use qingyu_tools::toolbox::{ToolFilter, Toolbox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};
use crate::studio::Studio;

/// The environment variables passed to tool server programs; keys of models are excluded.
const ENVIRONMENT: [&str; 8] = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SystemRoot", "USERPROFILE"];

/// The check of a tool server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServerCheck {
    /// The name in the settings.
    pub server: String,
    /// The server's tools, by their local names.
    pub tools: Vec<String>,
    /// The errors of the server or of single tools.
    pub problems: Vec<String>,
}

impl Studio {
    /// Starts or connects to a configured tool server, lists its tools, and disconnects.
    pub(crate) async fn check_server(&self, name: &str) -> Result<ServerCheck, Error> {
        self.scope().demand_machine()?;
        let mut servers = self.settings().values(None)?.mcp_servers;
        let Some(server) = servers.0.remove(name) else { return Err(Error::unknown(Noun::ToolServer, name)) };
        let one = McpServers(BTreeMap::from([(name.to_owned(), server)]));
        let mut toolbox = Toolbox::default();
        let problems = mcp::mount(&one, &self.seen_environment(), &mut toolbox).await;
        Ok(ServerCheck {
            server: name.to_owned(),
            tools: toolbox.list(ToolFilter::default()).map(|metadata| metadata.name.clone()).collect(),
            problems: problems.iter().map(ToString::to_string).collect(),
        })
    }

    /// Returns the environment variables passed to tool server programs.
    pub(crate) fn seen_environment(&self) -> BTreeMap<String, String> {
        let environment = self.settings().environment();
        ENVIRONMENT.iter().filter_map(|name| Some(((*name).to_owned(), environment.get(name)?.to_owned()))).collect()
    }
}
