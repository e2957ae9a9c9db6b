//! Who calls a tool, and on which project.

use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_story::Language;
use uuid::Uuid;

use crate::tool::Permission;
use crate::workspace::Provenance;
use crate::{ToolError, Workspace, Workspaces};

/// Who calls, and what they may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The agent, `person`, or the name of a foreign client; kept with every change.
    pub agent: String,
    /// The most they may do.
    pub allowance: Permission,
    /// The tools they may use; all if none are named.
    pub tools: Option<BTreeSet<String>>,
    /// The language in which tools speak to them.
    pub language: Language,
    /// The run in which they work, if any.
    pub run: Option<String>,
    /// The hash of the prompt they answer, if they are a model.
    pub prompt_hash: Option<String>,
    /// The model.
    pub model: Option<String>,
}

impl Caller {
    /// A caller outside any run who may use all tools, in Chinese.
    pub fn new(agent: &str, allowance: Permission) -> Self {
        Self {
            agent: agent.to_owned(),
            allowance,
            tools: None,
            language: Language::Zh,
            run: None,
            prompt_hash: None,
            model: None,
        }
    }

    /// Whether they may use the tool of that name at all.
    pub fn may_use(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.contains(tool))
    }
}

/// What a tool is given beside its arguments.
#[derive(Debug, Clone)]
pub struct Context {
    /// Who calls.
    pub caller: Caller,
    /// The call; the same for all attempts of it.
    pub call: Uuid,
    /// The version of the project that a change is made for, if the caller named one.
    pub expected_version: Option<u64>,
    /// The project, if the tool works on one.
    pub workspace: Option<Arc<dyn Workspace>>,
    /// All projects.
    pub workspaces: Arc<dyn Workspaces>,
}

impl Context {
    /// The project.
    ///
    /// Fails with [`ToolError::Internal`] if the tool did not say that it needs one.
    pub fn workspace(&self) -> Result<&Arc<dyn Workspace>, ToolError> {
        let missing = || ToolError::Internal { message: "the tool did not ask for a project".into() };
        self.workspace.as_ref().ok_or_else(missing)
    }

    /// Who makes a change of this call.
    pub fn provenance(&self, tool: &str) -> Provenance {
        Provenance {
            agent: self.caller.agent.clone(),
            tool: tool.to_owned(),
            run: self.caller.run.clone(),
            prompt_hash: self.caller.prompt_hash.clone(),
            model: self.caller.model.clone(),
            note: String::new(),
        }
    }
}
