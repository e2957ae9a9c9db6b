//! Roles, prompts and workflows: planner, specialists, review, meta-scheduler.
//!
//! The map:
//!
//! - [`plan`]: the execution plan
//! - [`context`]: what each prompt is filled from
//! - [`output`]: what each agent must answer

pub mod context;
pub mod output;
pub mod plan;
