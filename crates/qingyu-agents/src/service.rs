//! The agents of the service, behind a common interface.
//!
//! - `agent`: the `ServiceAgent` trait: understand, plan, execute a step, summarise
//! - [`task`]: tasks and results of agents, with the field names of the design
//! - `work`: an agent's access to paid model calls, tools and the story
//! - `driver`: runs any agent on a task
//! - [`agents`]: the registry of agents; an agent each: `creative`, `analysis`, `text_review`, `data_analysis`, `assistant`,
//!   `checker`
//! - [`proposal`]: a proposed change of a text; [`target`]: the text of a task
//! - [`figures`]: computed figures, and validation of statements about them
//! - [`mod@yardstick`]: lists and rules to count and review texts by
//! - [`failure`]: reasons of failed tasks
//!
//! An agent is a file here, a folder in `prompts/`, declared in `prompts/declared.rs`, and a line in [`agents`].
//! Everything an agent does is a step of the engine, so a run resumed after a crash repeats no call and no write.
//!
//! From bottom to top: the values of a task; `work`; `agent`; [`target`]; the agents; [`agents`]; [`AgentService`].

use std::sync::Arc;

use qingyu_tools::Engine;

pub(crate) mod agent;
pub mod agents;
pub mod analysis;
pub mod assistant;
pub mod checker;
pub(crate) mod creative;
pub mod data_analysis;
pub(crate) mod driver;
pub mod failure;
pub mod figures;
pub mod proposal;
pub mod target;
pub mod task;
pub mod text_review;
pub(crate) mod work;
pub mod yardstick;

pub use agents::AgentRegistry;
pub use failure::Failure;
pub use proposal::{Proposal, Span};
pub use task::{AgentResult, Check, Given, Metadata, Task};
pub use yardstick::Yardstick;

use self::agent::ServiceAgent;
use self::work::AgentAccess;
use crate::workshop::PipelineResources;

/// Resources of the agents. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AgentService {
    /// Models, prompts, prices and rules.
    pub workshop: PipelineResources,
    /// The tools, with access to projects.
    pub tools: Arc<Engine>,
    /// Registered agents.
    pub agents: AgentRegistry,
    /// Lists and rules for counting and review; `None` uses the built-in ones.
    pub yardstick: Option<Arc<Yardstick>>,
}

impl AgentService {
    /// Returns a service with the built-in agents, the resources of `workshop` and `tools`.
    pub fn new(workshop: PipelineResources, tools: Arc<Engine>) -> Self {
        Self { workshop, tools, agents: AgentRegistry::builtin(), yardstick: None }
    }

    /// Returns what `agent` may use.
    pub(crate) fn access(&self, agent: &dyn ServiceAgent) -> AgentAccess<'_> {
        AgentAccess {
            agent: agent.name(),
            folder: agent.prompts(),
            allowed: agent.tools(),
            workshop: &self.workshop,
            tools: &self.tools,
            yardstick: match &self.yardstick {
                Some(own) => own,
                None => Yardstick::builtin(),
            },
        }
    }
}
