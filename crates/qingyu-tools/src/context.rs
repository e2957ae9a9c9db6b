//! The caller of a tool, and the project.

use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_story::{Language, Provenance};
use uuid::Uuid;

use crate::tool::Permission;
use crate::{ToolError, Workspace, Workspaces};

/// The caller of a tool, with permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCaller {
    /// The agent, `person`, or the name of a foreign client; stored with every change.
    pub agent: String,
    /// The maximum permission.
    pub allowance: Permission,
    /// The allowed tools; defaults to all.
    pub tools: Option<BTreeSet<String>>,
    /// The language of tool output for the caller.
    pub language: Language,
    /// The caller's run, if any.
    pub run: Option<String>,
    /// Hash of the prompt, if the caller is a model.
    pub prompt_hash: Option<String>,
    /// The model, if the caller is a model.
    pub model: Option<String>,
    /// The tokens of the calls that led to the tool call; 0 for a caller without a model.
    pub tokens: u64,
}

impl ToolCaller {
    /// Returns a caller outside any run with access to all tools, in Chinese.
    pub fn new(agent: &str, allowance: Permission) -> Self {
        Self {
            agent: agent.to_owned(),
            allowance,
            tools: None,
            language: Language::Zh,
            run: None,
            prompt_hash: None,
            model: None,
            tokens: 0,
        }
    }

    /// Returns whether the caller may use the named tool at all.
    pub fn may_use(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.contains(tool))
    }
}

/// The context of a tool call besides its arguments.
#[derive(Debug, Clone)]
pub struct ToolContext {
    /// The caller.
    pub caller: ToolCaller,
    /// Id of the call; the same for all attempts.
    pub call: Uuid,
    /// The project version expected by a change, if the caller gave a version.
    pub expected_version: Option<u64>,
    /// The project, if the tool works on one.
    pub workspace: Option<Arc<dyn Workspace>>,
    /// All projects.
    pub workspaces: Arc<dyn Workspaces>,
}

impl ToolContext {
    /// Returns the project.
    ///
    /// Fails with [`ToolError::Internal`] if the tool did not declare a project.
    pub fn workspace(&self) -> Result<&Arc<dyn Workspace>, ToolError> {
        let missing = || ToolError::Internal { message: "the tool did not ask for a project".into() };
        self.workspace.as_ref().ok_or_else(missing)
    }

    /// Returns the provenance of changes made by the call.
    pub fn provenance(&self, tool: &str) -> Provenance {
        Provenance {
            agent: self.caller.agent.clone(),
            tool: tool.to_owned(),
            run: self.caller.run.clone(),
            prompt_hash: self.caller.prompt_hash.clone(),
            model: self.caller.model.clone(),
            tokens: self.caller.tokens,
            note: String::new(),
        }
    }
}
