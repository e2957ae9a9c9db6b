//! Resources of the writing.

use std::sync::Arc;

use qingyu_tools::{Engine, Workspace};

use crate::workshop::PipelineResources;

/// Resources of the writing. Cheap to clone.
#[derive(Debug, Clone)]
pub struct WritingResources {
    /// Models, prompts, prices, rules.
    pub workshop: PipelineResources,
    /// The project.
    pub workspace: Arc<dyn Workspace>,
    /// The tools; `workspace_context_tool` and `rag_tool` are called, if registered.
    pub tools: Arc<Engine>,
}
