//! Tools, called by name.

use qingyu_story::Language;
use qingyu_tools::toolbox::ToolFilter;
use qingyu_tools::{Metadata, ToolCaller};
use serde_json::Value;

use crate::error::Error;
use crate::operations::operation::operations;

/// The agent name of manual tool calls.
const PERSON: &str = "person";

operations! {
    /// Returns the tools, with their parameter schemas.
    Read Get "/tools"
    ListTools as "list_tools" {
        /// A single tool, by any of its names; all tools by default.
        #[serde(default)]
        name: Option<String>,
    } -> Vec<Metadata>
        = |studio, it| {
            let engine = studio.engine(None);
            let toolbox = engine.toolbox();
            Ok(match it.name {
                Some(name) => toolbox.find(&name).map(|tool| tool.metadata().clone()).into_iter().collect(),
                None => toolbox.list(ToolFilter::default()).cloned().collect(),
            })
        };

    /// Calls a tool on a project. A failure of the tool is returned as data, not as an error; a tool requiring a higher
    /// right refuses.
    Read Post "/projects/{project}/tools/{tool}"
    CallTool as "call_tool" {
        /// The project.
        project: String,
        /// The tool.
        tool: String,
        /// The arguments.
        #[serde(default)]
        arguments: Value,
        /// The language of the response.
        #[serde(default)]
        language: Language,
    } -> Value
        = |studio, it| {
            let project = studio.project(&it.project).await?.project;
            let caller = ToolCaller { language: it.language, ..ToolCaller::new(PERSON, studio.allowance()) };
            let engine = studio.engine_for(&it.tool, Some(project)).await?;
            let outcome = engine.call(&it.tool, it.arguments, &caller).await;
            Ok::<_, Error>(outcome.to_json())
        };
}
