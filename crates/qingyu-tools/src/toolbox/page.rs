//! The reference page of the tools.

use std::fmt::Write;

use serde_json::Value;

use super::{ToolFilter, Toolbox};
use crate::tool::{Metadata, Permission};

impl Toolbox {
    /// Returns the page of all tools in Markdown, in both languages. `docs/tools.md` in the repository is a copy of the
    /// page of [`Toolbox::writing`] with [`Toolbox::with_projects`] and [`Toolbox::with_content`].
    pub fn page(&self) -> String {
        let mut page = String::from(INTRODUCTION);
        for metadata in self.list(ToolFilter::default()) {
            section(&mut page, metadata).expect("a string takes everything");
        }
        page
    }
}

const INTRODUCTION: &str = include_str!("page.md");

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
