//! Roles, prompts and workflows: planner, specialists, review, meta-scheduler.
//!
//! The map:
//!
//! - [`plan`]: the execution plan
//! - [`context`]: what each prompt is filled from
//! - [`output`]: what each agent must answer
//! - [`progress`]: what a run tells while it works

pub mod context;
pub mod output;
pub mod plan;
pub mod progress;
