//! The tools as a page for people.

use std::fmt::Write;

use serde_json::Value;

use super::{Filter, Toolbox};
use crate::tool::{Metadata, Permission};

impl Toolbox {
    /// All tools as a page in Markdown, in both languages. `docs/tools.md` in the repository is a copy of the page of
    /// [`Toolbox::writing`].
    pub fn page(&self) -> String {
        let mut page = String::from(INTRODUCTION);
        for metadata in self.list(Filter::default()) {
            section(&mut page, metadata).expect("a string takes everything");
        }
        page
    }
}

const INTRODUCTION: &str = "\
# Tools · 工具

Named operations on a story, for agents, people and other programs alike. Arguments are JSON and are checked against a schema;
an answer is `{\"ok\": true, \"result\": …}`, with the project's `version`, and `changed` if something changed. A failure is
`{\"ok\": false, \"error\": {\"code\", \"message\", \"path\"?, \"retryable\"}}`; `path` is the place in the arguments that is
at fault. Every tool takes `project_id`; those that write also take `expected_version`, and then fail if the project has changed
since.

故事上的命名操作，供智能体、人和其他程序使用。参数是 JSON，按 schema 校验；回答是 `{\"ok\": true, \"result\": …}`，带项目的 `version`，有改动时带
`changed`。失败是 `{\"ok\": false, \"error\": {\"code\", \"message\", \"path\"?, \"retryable\"}}`，`path` 指出参数里哪一处有问题。每个工具都接受
`project_id`；会写入的还接受 `expected_version`，项目此后若有改动则拒绝。

This page is made by `cargo run -p qingyu-tools --example tool_page > docs/tools.md`.
";

fn section(page: &mut String, metadata: &Metadata) -> std::fmt::Result {
    writeln!(page, "\n## `{}`\n", metadata.name)?;
    writeln!(page, "{}\n\n{}\n", metadata.description.en, metadata.description.zh)?;
    let word = |permission: Permission| match permission {
        Permission::Read => "read",
        Permission::Write => "write",
        Permission::Admin => "admin",
    };
    if metadata.actions.is_empty() {
        writeln!(page, "Permission: {}.", word(metadata.permission))?;
    } else {
        let action = |action: &crate::Action| format!("`{}` ({})", action.name, word(action.permission));
        let actions: Vec<String> = metadata.actions.iter().map(action).collect();
        writeln!(page, "Actions: {}.", actions.join(", "))?;
    }
    writeln!(page, "\n| argument | | |\n|---|---|---|")?;
    let required: Vec<&Value> = metadata.parameters["required"].as_array().into_iter().flatten().collect();
    let properties = metadata.parameters["properties"].as_object().into_iter().flatten();
    for (name, schema) in properties.filter(|(name, _)| !matches!(name.as_str(), "project_id" | "expected_version")) {
        let need = if required.contains(&&Value::from(name.as_str())) { "required" } else { "" };
        let text = schema["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        writeln!(page, "| `{name}` | {need} | {text} |")?;
    }
    Ok(())
}
