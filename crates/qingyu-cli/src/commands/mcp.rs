//! `qingyu mcp`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use qingyu_server::mcp::prompts::{Argument, Prompt};
use qingyu_server::mcp::{Prompts, Server, serve_stdio};
use qingyu_studio::Studio;
use qingyu_studio::story::{Agent, Language, Story};
use qingyu_studio::tools::texts::Text;
use qingyu_studio::tools::{Caller, Permission};
use tokio_util::sync::CancellationToken;

use crate::args::{Allow, Mcp};
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::texts::Texts;

/// How long it is until vectors are looked after again.
const PAUSE: Duration = Duration::from_secs(30);

/// Serves until the client goes. Standard output belongs to the protocol; what could not be mounted is told beside it.
pub(super) async fn mcp(studio: &Studio, screen: &Screen, arguments: Mcp) -> Result<Exit, Error> {
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
    let prompts = AgentPrompts { studio: studio.clone() };
    let mut server = Server::new(Arc::new(engine), caller).with_prompts(Arc::new(prompts));
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

/// The prompts of the agents, for a person to choose in a client.
#[derive(Debug)]
struct AgentPrompts {
    studio: Studio,
}

impl Prompts for AgentPrompts {
    fn list(&self) -> Vec<Prompt> {
        Agent::ALL.into_iter().map(prompt).collect()
    }

    fn fill(
        &self,
        name: &str,
        arguments: &BTreeMap<String, String>,
        story: &Story,
        language: Language,
    ) -> Option<Result<String, String>> {
        let agent = Agent::ALL.into_iter().find(|agent| name_of(*agent) == name)?;
        let argument = |name: &str| arguments.get(name).map_or("", String::as_str);
        let requirement = match argument("requirement") {
            "" => &story.premise,
            requirement => requirement,
        };
        let story = Story { language, ..story.clone() };
        Some(self.studio.prompt(agent, requirement, argument("task"), &story).map_err(|error| error.to_string()))
    }
}

fn name_of(agent: Agent) -> String {
    format!("{}_generate", agent.name())
}

fn prompt(agent: Agent) -> Prompt {
    let (zh, en) = (Texts::new(Language::Zh), Texts::new(Language::En));
    let both = |key: &str| Text { zh: zh.get(key), en: en.get(key) };
    let title = Text { zh: zh.word("agent", agent), en: en.word("agent", agent) };
    let argument = |name: &str, key: &str, is_needed| Argument { name: name.into(), description: both(key), is_needed };
    Prompt {
        name: name_of(agent),
        title,
        description: both("mcp-prompt"),
        arguments: vec![
            argument("requirement", "mcp-prompt-requirement", false),
            argument("task", "mcp-prompt-task", false),
        ],
    }
}
