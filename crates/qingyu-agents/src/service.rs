//! The agents of the service, all behind one interface.
//!
//! - [`agent`]: the [`Agent`] trait: understand, plan, execute a step, summarise
//! - [`task`]: what an agent is given and what it gives back, with the field names of the design
//! - [`work`]: an agent's hands while it works: paid calls of models, calls of tools, the story
//! - [`driver`]: runs any agent on a task
//! - [`agents`]: which agents there are
//! - [`proposal`]: a change of a text, before anybody agreed to it; [`target`]: the text that a task is about
//! - [`figures`]: figures that were computed, and whether words rest on them
//! - [`mod@yardstick`]: the lists and rules by which texts are counted and reviewed
//! - [`failure`]: why a task could not be done
//!
//! An agent is a file here, a folder in `prompts/` and a line in [`agents`]. Everything it does is a step of the engine, so
//! that a run that died goes on without asking or writing anything twice.

use std::sync::Arc;

use qingyu_tools::Engine;

use crate::Workshop;

pub mod agent;
pub mod agents;
pub mod analysis;
pub mod assistant;
pub mod checker;
pub mod creative;
pub mod data_analysis;
pub mod driver;
pub mod failure;
pub mod figures;
pub mod proposal;
pub mod target;
pub mod task;
pub mod text_review;
pub mod work;
pub mod yardstick;

pub use agent::{Agent, Course, Done, Skills, Step, Understanding};
pub use agents::Agents;
pub use failure::{Failure, Halt};
pub use proposal::{Proposal, Span};
pub use task::{AgentResult, Check, Given, Metadata, Task, ToolUse};
pub use work::Work;
pub use yardstick::Yardstick;

/// What the agents work with. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Service {
    /// Models, prompts, prices and rules.
    pub workshop: Workshop,
    /// The tools, and through them the projects.
    pub tools: Arc<Engine>,
    /// Who works.
    pub agents: Agents,
    /// What texts are counted and reviewed by; the built-in lists and rules if it is none.
    pub yardstick: Option<Arc<Yardstick>>,
}

impl Service {
    /// The agents that are built in, at work in `workshop` with `tools`.
    pub fn new(workshop: Workshop, tools: Arc<Engine>) -> Self {
        Self { workshop, tools, agents: Agents::builtin(), yardstick: None }
    }

    /// The same with other lists and rules.
    pub fn with_yardstick(self, yardstick: Arc<Yardstick>) -> Self {
        Self { yardstick: Some(yardstick), ..self }
    }

    /// The same with other agents; their prompts are added to those of the workshop.
    ///
    /// Fails with [`crate::Error::Prompt`] if a prompt of theirs cannot be read.
    pub fn with_agents(mut self, agents: Agents) -> Result<Self, crate::Error> {
        let folders = agents.iter().filter_map(|agent| agent.prompts()).collect::<Vec<_>>();
        self.workshop.prompts = Arc::new(self.workshop.prompts.with_folders(&folders)?);
        self.agents = agents;
        Ok(self)
    }
}
