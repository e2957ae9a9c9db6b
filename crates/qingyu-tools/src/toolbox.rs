//! The registry of tools.

mod page;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use qingyu_llm::ToolSpec;
use qingyu_story::Language;
use serde_json::{Value, json};

use crate::tool::{Category, Metadata, Permission, Tool};

/// A registry of tools by name. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Toolbox {
    tools: BTreeMap<String, Arc<RegisteredTool>>,
    aliases: BTreeMap<String, String>,
}

/// A tool in a toolbox.
pub(crate) struct RegisteredTool {
    tool: Arc<dyn Tool>,
    /// Empty until the first call for a tool of ours.
    validator: OnceLock<Validator>,
}

/// A filter of tools. Absent fields do not restrict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolFilter {
    /// The category.
    pub category: Option<Category>,
    /// The maximum permission of at least one action.
    pub allowance: Option<Permission>,
}

/// The error of registering a tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The name is already registered.
    #[error("there is already a tool '{name}'")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Models and protocols do not accept the name.
    #[error("'{name}' is no name of a tool: letters, digits, _ and -, at most 64")]
    BadName {
        /// The name.
        name: String,
    },
    /// The schema of the arguments is invalid, or not an object schema.
    #[error("the parameters of '{name}' are no schema of an object: {message}")]
    BadSchema {
        /// The tool.
        name: String,
        /// Description of the error.
        message: String,
    },
}

impl Toolbox {
    /// Returns an empty toolbox.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a tool under its name, and under its aliases and spelling variants (`OutlineTool`) unless an earlier
    /// tool has the name.
    pub fn register(&mut self, tool: Arc<dyn Tool>) -> Result<(), Error> {
        let Metadata { name, parameters, .. } = tool.metadata();
        self.refuse(name, parameters)?;
        let validator = jsonschema::validator_for(parameters)
            .map_err(|error| Error::BadSchema { name: name.clone(), message: error.to_string() })?;
        self.insert(tool, validator.into());
        Ok(())
    }

    /// Registers a tool of ours. Its schema is compiled at its first call, since most processes call few tools.
    ///
    /// Panics if the name is registered already; our schemas are tested.
    pub(crate) fn register_ours(&mut self, tool: Arc<dyn Tool>) {
        let Metadata { name, parameters, .. } = tool.metadata();
        self.refuse(name, parameters).expect("our tools have different names and schemas of objects");
        self.insert(tool, OnceLock::new());
    }

    /// Fails if no tool can have this name and these parameters here.
    fn refuse(&self, name: &str, parameters: &Value) -> Result<(), Error> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            return Err(Error::BadName { name: name.to_owned() });
        }
        if self.tools.contains_key(name) {
            return Err(Error::NameTaken { name: name.to_owned() });
        }
        if parameters.get("type").and_then(Value::as_str) != Some("object") {
            return Err(Error::BadSchema { name: name.to_owned(), message: "the type is not object".into() });
        }
        Ok(())
    }

    fn insert(&mut self, tool: Arc<dyn Tool>, validator: OnceLock<Validator>) {
        let Metadata { name, aliases, .. } = tool.metadata();
        let name = name.clone();
        for other in [&name].into_iter().chain(aliases) {
            self.aliases.entry(key(other)).or_insert_with(|| name.clone());
        }
        self.tools.insert(name, Arc::new(RegisteredTool { tool, validator }));
    }

    /// Removes a tool, such as a tool of a lost server. Returns whether the tool was registered.
    pub fn unregister(&mut self, name: &str) -> bool {
        self.aliases.retain(|_, target| target != name);
        self.tools.remove(name).is_some()
    }

    /// Returns the tool registered under this name or under a variant of it.
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.registered(name).map(|registered| &registered.tool)
    }

    /// Returns the same tool with the validator of its arguments.
    pub(crate) fn registered(&self, name: &str) -> Option<&Arc<RegisteredTool>> {
        self.tools.get(name).or_else(|| self.tools.get(self.aliases.get(&key(name))?))
    }

    /// Iterates over the metadata of the tools, by name.
    pub fn list(&self, filter: ToolFilter) -> impl Iterator<Item = &Metadata> {
        let fits = move |metadata: &&Metadata| {
            filter.category.is_none_or(|category| metadata.category == category)
                && filter.allowance.is_none_or(|allowance| metadata.least_permission() <= allowance)
        };
        self.tools.values().map(|registered| registered.metadata()).filter(fits)
    }

    /// Returns the metadata of all tools as a JSON list.
    pub fn metadata(&self, filter: ToolFilter) -> Value {
        json!(self.list(filter).collect::<Vec<_>>())
    }

    /// Returns the tools for a model request.
    pub fn specs(&self, filter: ToolFilter, language: Language) -> Vec<ToolSpec> {
        self.list(filter).map(|metadata| metadata.spec(language)).collect()
    }

    /// Returns the tools as a list for a prompt: a line each, with name and purpose.
    pub fn describe(&self, filter: ToolFilter, language: Language) -> String {
        let line = |metadata: &Metadata| match language {
            Language::Zh => format!("- {}：{}\n", metadata.name, metadata.description.zh),
            Language::En => format!("- {}: {}\n", metadata.name, metadata.description.en),
        };
        self.list(filter).map(line).collect()
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Returns whether there are no tools.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl RegisteredTool {
    /// Returns the metadata.
    pub(crate) fn metadata(&self) -> &Metadata {
        self.tool.metadata()
    }

    /// Returns the tool.
    pub(crate) fn tool(&self) -> &Arc<dyn Tool> {
        &self.tool
    }

    /// Returns the validator of the arguments.
    pub(crate) fn validator(&self) -> &Validator {
        let compile = || jsonschema::validator_for(&self.metadata().parameters).expect("our schemas are tested");
        self.validator.get_or_init(compile)
    }
}

impl fmt::Debug for RegisteredTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registered").field(&self.tool).finish()
    }
}

/// Returns the name without case, `_` and `-`: `OutlineTool` and `outline_tool` are equal.
fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::NoProducer;

    #[test]
    fn the_schemas_of_our_tools_compile() {
        let toolbox = Toolbox::writing().with_content(Arc::new(NoProducer), None).with_projects();
        for metadata in toolbox.list(ToolFilter::default()) {
            assert!(jsonschema::validator_for(&metadata.parameters).is_ok(), "{}", metadata.name);
        }
    }
}
