//! The tools, called by name.

use qingyu_story::Language;
use qingyu_tools::toolbox::Filter;
use qingyu_tools::{Caller, Metadata, Permission};
use serde_json::Value;

use super::operations;
use crate::access::Right;
use crate::{Error, Studio};

/// Who calls tools by hand.
const PERSON: &str = "person";

impl Studio {
    /// What who asks may do with tools.
    pub fn allowance(&self) -> Permission {
        match self.scope().right() {
            Right::Read => Permission::Read,
            Right::Write => Permission::Write,
            Right::Admin => Permission::Admin,
        }
    }
}

operations! {
    /// The tools, with the schemas of their parameters.
    Read Get "/tools"
    ListTools as "list_tools" {
        /// One tool, by any of its names; all without it.
        #[serde(default)]
        name: Option<String>,
    } -> Vec<Metadata>
        = |studio, it| {
            let engine = studio.engine(None);
            let toolbox = engine.toolbox();
            Ok(match it.name {
                Some(name) => toolbox.find(&name).map(|tool| tool.metadata().clone()).into_iter().collect(),
                None => toolbox.list(Filter::default()).cloned().collect(),
            })
        };

    /// Calls a tool on a project. A failure of the tool is data, not an error; a tool that needs a higher right refuses.
    Read Post "/projects/{project}/tools/{tool}"
    CallTool as "call_tool" {
        /// The project.
        project: String,
        /// The tool.
        tool: String,
        /// Its arguments.
        #[serde(default)]
        arguments: Value,
        /// The language it answers in.
        #[serde(default)]
        language: Language,
    } -> Value
        = |studio, it| {
            let project = studio.project(&it.project).await?.project;
            let caller = Caller { language: it.language, ..Caller::new(PERSON, studio.allowance()) };
            let engine = studio.engine_for(&it.tool, Some(project)).await?;
            let outcome = engine.call(&it.tool, it.arguments, &caller).await;
            Ok::<_, Error>(outcome.to_json())
        };
}
