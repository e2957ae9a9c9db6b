//! What whoever looks after an installation changes while it works: its settings, and the servers whose tools it uses.

use std::collections::BTreeMap;

use qingyu_tools::mcp::{self, McpServers};
use qingyu_tools::toolbox::{Filter, Toolbox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::settings::{SettingChange, Wish};
use crate::{Error, Studio};

/// What programs of other servers see of our environment; keys of models are not among it.
const ENVIRONMENT: [&str; 8] = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SystemRoot", "USERPROFILE"];

/// A server of tools that was tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServerCheck {
    /// Its name in the settings.
    pub server: String,
    /// The tools that it brings, by the names that they have here.
    pub tools: Vec<String>,
    /// Why it, or a tool of it, cannot be used.
    pub problems: Vec<String>,
}

impl Studio {
    /// Changes a setting in the user's file, or in that of a project; takes it out without a value. What is asked from now on
    /// goes by it; a run that is at work goes on as it was begun.
    ///
    /// Fails with [`Error::BadSettings`] if the settings could not be read any more, and with [`Error::Forbidden`] if the
    /// setting starts programs, names files or says where keys are sent, and who asks does not work at this machine.
    pub async fn change_setting(
        &self,
        key: &str,
        value: Option<Value>,
        project: Option<&str>,
    ) -> Result<SettingChange, Error> {
        let wish = Wish::new(key, value)?;
        if wish.is_of_the_machine() {
            self.scope().demand_machine()?;
        }
        let project = match project {
            Some(given) => Some(self.find_project(given).await?.id),
            None => None,
        };
        self.settings().write(project.as_deref(), &wish)
    }

    /// Starts or reaches a server of tools that the settings name, and asks what it has. It is let go afterwards.
    pub async fn check_server(&self, name: &str) -> Result<ServerCheck, Error> {
        self.scope().demand_machine()?;
        let mut servers = self.settings().values(None)?.mcp_servers;
        let Some(server) = servers.0.remove(name) else { return Err(Error::UnknownServer { given: name.into() }) };
        let one = McpServers(BTreeMap::from([(name.to_owned(), server)]));
        let mut toolbox = Toolbox::default();
        let problems = mcp::mount(&one, &self.seen_environment(), &mut toolbox).await;
        Ok(ServerCheck {
            server: name.to_owned(),
            tools: toolbox.list(Filter::default()).map(|metadata| metadata.name.clone()).collect(),
            problems: problems.iter().map(ToString::to_string).collect(),
        })
    }

    /// What programs of other servers see of our environment.
    pub(crate) fn seen_environment(&self) -> BTreeMap<String, String> {
        let environment = self.settings().environment();
        ENVIRONMENT.iter().filter_map(|name| Some(((*name).to_owned(), environment.get(name)?.to_owned()))).collect()
    }
}

#[cfg(test)]
mod tests;
