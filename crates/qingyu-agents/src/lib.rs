//! Roles, prompts and workflows: planner, specialists, review, meta-scheduler.
//!
//! The map:
//!
//! - [`plan`]: validated, scheduled and adjusted execution plans
//! - [`context`]: typed contexts of the prompts
//! - [`output`]: answer types of the agents
//! - [`mod@pipeline`]: the creation pipeline as a graph
//! - `specialist`: agents for parts of the story
//! - [`levels`]: planning long books: volumes, arcs, and the chapters of the next arc
//! - `tool_use`: agents calling tools
//! - [`service`]: the agents of the service behind a common interface; [`orchestrator`]: distribution of a task over
//!   agents
//! - [`assistant`]: the agent for questions about a story
//! - [`direction`]: proposals for a new book
//! - [`preference`]: preferences learned from the author's decisions
//! - [`mod@production`]: other content than stories, produced in phases with the user
//! - `requirement`: validation of a requirement; `parameters`: genre, audience and number of chapters given beside the
//!   words; `wishes`: its wishes, and their state
//! - [`prompts`]: prompt files, strict rendering, overrides
//! - `review`: findings of rules and reviewer, merged into a report
//! - [`meta_scheduler`]: decisions from a report
//! - [`config`]: switches and limits of the pipeline
//! - `workshop`: the resources of a pipeline; `call`: model calls of nodes, stored and paid for once
//! - [`archive`]: storage of finished work
//! - `changes`: differences between stories; `labels`: headings and labels of stories in prompts
//! - [`notice`]: messages of a run about its decisions
//! - [`progress`]: progress events of a run
//! - [`estimate`]: cost estimates of a plan; [`mod@forecast`]: forecasts of a command
//! - [`mod@writing`]: writing the book chapter by chapter, as a graph
//! - [`error`]: errors, sorted by remedy
//!
//! From bottom to top: labels, records of calls, modes, steps of plans, parts of the writing; contexts and answer types;
//! progress; prompts; archive and resources; model calls; tool use; specialists and the agents of the service; the
//! graphs.
//!
//! Deciding is separate from doing: plans, reports and decisions are values and pure functions; only [`mod@pipeline`]
//! and `tool_use` call models.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use qingyu_agents::plan::{check, fixed_plan, ready};
//! use qingyu_story::Language;
//!
//! let (plan, _) = check(fixed_plan(Language::En).execution_plan).expect("the fixed plan can run");
//! assert_eq!(plan.critical_path, [1, 2, 3, 4]);
//! let next = ready(&plan, &BTreeSet::from([1]));
//! assert_eq!(next[0].agent, "character_agent");
//! ```

pub mod archive;
pub mod assistant;
mod call;
mod changes;
pub mod config;
pub mod context;
pub mod direction;
pub mod error;
pub mod estimate;
pub mod forecast;
mod labels;
pub mod levels;
pub mod meta_scheduler;
pub mod notice;
pub mod orchestrator;
pub mod output;
pub mod parameters;
pub mod pipeline;
pub mod plan;
pub mod preference;
pub mod production;
pub mod progress;
pub mod prompts;
mod requirement;
mod review;
pub mod service;
mod specialist;
#[cfg(test)]
mod tests;
mod tool_use;
mod wishes;
mod workshop;
pub mod writing;

pub use archive::{ArchivedWork, WorkArchive};
pub use call::CallRecord;
pub use config::PipelineConfig;
pub use error::Error;
pub use orchestrator::{
    AgentsRequest, TaskOptions, TaskState, TaskStateUpdate, WriteAnswer, WriteRequest, Writes, task_graph,
};
pub use parameters::OutlineParameters;
pub use pipeline::{HumanReviewAnswer, HumanReviewRequest, PipelineState, PipelineStateUpdate, pipeline};
pub use production::{
    ContentProductionState, ContentProductionStateUpdate, ProductionConfig, ProductionResources, production,
};
pub use prompts::Prompts;
pub use service::{AgentRegistry, AgentResult, AgentService, Task};
pub use workshop::PipelineResources;
pub use writing::{
    AuthorAnswers, AuthorQuestions, WritingConfig, WritingGate, WritingResources, WritingState, WritingStateUpdate,
    WritingTask, writing,
};
