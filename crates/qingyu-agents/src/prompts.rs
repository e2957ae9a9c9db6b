//! Prompts: files compiled in, rendered strictly, with overrides of the same file name.
//!
//! A prompt is named by agent and part, such as `outline/generate`, and exists in both languages as
//! `prompts/outline/generate.zh.md` and `.en.md`. System prompts hold constant text; the requirement, the material and
//! the task follow in that order, so that the provider's cache finds the longest known prefix.
//!
//! - `declared`: the folders of the service's agents; `name`: names of prompts; `files`: the files
//! - `templates`: all prompts, ready to render
//! - `material`, `filled`: typed values for the prompts of the pipeline
//! - `variables`: the variables of every prompt, from the contexts of all agents; `overrides`: an author's own files
//!
//! Agents import everything up to `filled`; `variables` and `overrides` import the agents.

mod declared;
mod files;
mod filled;
mod material;
mod name;
mod overrides;
mod templates;
#[cfg(test)]
mod tests;
mod variables;

pub(crate) use declared::{ANALYSIS, ASSISTANT, CREATIVE, DATA_ANALYSIS, ORCHESTRATOR, PromptFolder, TEXT_REVIEW};
pub use filled::WorkPrompt;
pub(crate) use filled::{AnswerPrompt, DirectionsPrompt, MAX_REQUIREMENT, PlanPrompt, ReviewPrompt, UnderstandPrompt};
pub(crate) use material::escaped;
pub use material::{MaterialForm, PromptMaterial};
pub use name::PromptName;
pub(crate) use name::folder;
pub use templates::Prompts;
pub use variables::bare;
