//! Roles, prompts and workflows: planner, specialists, review, meta-scheduler.
//!
//! The map:
//!
//! - [`plan`]: the execution plan, checked, scheduled and adjusted
//! - [`context`]: what each prompt is filled from
//! - [`output`]: what each agent must answer
//! - [`mod@pipeline`]: the creation pipeline as a graph
//! - [`specialist`]: the agents that make a part of the story
//! - [`tool_use`]: agents that act with tools
//! - [`service`]: the agents of the service behind one interface; [`orchestrator`]: who does which part of a task
//! - [`assistant`]: the agent that answers questions about a story
//! - [`direction`]: what a new book could become, to choose from
//! - [`preference`]: what the author's decisions say of the author
//! - [`mod@production`]: content that is no story, in phases, with the user
//! - [`requirement`]: whether a requirement can be worked on; [`wishes`]: what it asks for, and what becomes of that
//! - [`prompts`]: the prompt files, strict rendering, overrides
//! - [`review`]: what the rules and the reviewer found, in one report
//! - [`meta_scheduler`]: what follows from a report
//! - [`config`]: switches and borders of the pipeline
//! - [`archive`]: where finished work is kept
//! - [`mod@changes`]: what became different in a story
//! - [`notice`]: what a run says about its own decisions
//! - [`progress`]: what a run tells while it works
//! - [`estimate`]: what a plan will cost, before it runs; [`mod@forecast`]: what a command will
//! - [`mod@writing`]: writing the book chapter by chapter, as a graph
//! - [`error`]: failures, sorted by what the caller can do
//!
//! Deciding is apart from doing: plans, reports and what follows from them are values and pure functions; only
//! [`mod@pipeline`] and [`tool_use`] ask models.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use qingyu_agents::plan::{check, default_plan, ready};
//! use qingyu_story::Language;
//!
//! let plan = check(default_plan(Language::En).execution_plan).expect("the default plan can run").plan;
//! assert_eq!(plan.critical_path, [1, 2, 3, 4]);
//! let next = ready(&plan, &BTreeSet::from([1]));
//! assert_eq!(next[0].agent, "character_agent");
//! ```

pub mod archive;
pub mod assistant;
mod call;
pub mod changes;
pub mod config;
pub mod context;
pub mod direction;
pub mod error;
pub mod estimate;
pub mod forecast;
pub mod meta_scheduler;
pub mod notice;
pub mod orchestrator;
pub mod output;
pub mod pipeline;
pub mod plan;
pub mod preference;
pub mod production;
pub mod progress;
pub mod prompts;
pub mod requirement;
pub mod review;
pub mod service;
pub mod specialist;
pub mod tool_use;
pub mod wishes;
mod workshop;
pub mod writing;

pub use archive::{Archive, Provenance, Saved};
pub use call::CallRecord;
pub use changes::{PieceChange, changes};
pub use config::PipelineConfig;
pub use error::Error;
pub use orchestrator::{TaskOptions, TaskState, TaskStateUpdate, WriteAnswer, WriteRequest, Writes, task_graph};
pub use pipeline::{HumanAnswer, HumanReviewRequest, PipelineState, PipelineStateUpdate, pipeline};
pub use production::{
    ContentProductionState, ContentProductionStateUpdate, ProductionConfig, ProductionRoom, production,
};
pub use prompts::Prompts;
pub use service::{Agent, AgentResult, Agents, Service, Task};
pub use workshop::Workshop;
pub use writing::{
    AuthorAnswers, AuthorQuestions, WritingConfig, WritingRoom, WritingState, WritingStateUpdate, WritingTask, writing,
};
