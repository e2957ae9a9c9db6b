//! The registry of tools.

mod page;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jsonschema::Validator;
use qingyu_llm::ToolSpec;
use qingyu_story::Language;
use serde_json::{Value, json};

use crate::tool::{Category, Metadata, Permission, Tool};

/// Tools by name. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Toolbox {
    tools: BTreeMap<String, Arc<Registered>>,
    aliases: BTreeMap<String, String>,
}

/// A tool in a toolbox.
pub struct Registered {
    tool: Arc<dyn Tool>,
    validator: Validator,
}

/// Which tools are meant. What is left out is not restricted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Filter {
    /// Of that category.
    pub category: Option<Category>,
    /// Of which at least one action needs no more than this.
    pub allowance: Option<Permission>,
}

/// Why a tool cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The name is taken.
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
    /// The schema of the arguments is none, or not one of an object.
    #[error("the parameters of '{name}' are no schema of an object: {message}")]
    BadSchema {
        /// The tool.
        name: String,
        /// What is wrong.
        message: String,
    },
}

impl Toolbox {
    /// An empty toolbox.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool. It is found by its name, and by its other names and ways to write them (`OutlineTool`) as long as
    /// no tool before it is called so.
    pub fn register(&mut self, tool: Arc<dyn Tool>) -> Result<(), Error> {
        let metadata = tool.metadata();
        let name = metadata.name.clone();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
            return Err(Error::BadName { name });
        }
        if self.tools.contains_key(&name) {
            return Err(Error::NameTaken { name });
        }
        let bad_schema = |message: String| Error::BadSchema { name: name.clone(), message };
        if metadata.parameters.get("type").and_then(Value::as_str) != Some("object") {
            return Err(bad_schema("the type is not object".into()));
        }
        let validator =
            jsonschema::validator_for(&metadata.parameters).map_err(|error| bad_schema(error.to_string()))?;
        for other in [&name].into_iter().chain(&metadata.aliases) {
            self.aliases.entry(key(other)).or_insert_with(|| name.clone());
        }
        self.tools.insert(name, Arc::new(Registered { tool, validator }));
        Ok(())
    }

    /// Takes a tool out again, such as those of a server that has gone. Whether it was there.
    pub fn unregister(&mut self, name: &str) -> bool {
        self.aliases.retain(|_, target| target != name);
        self.tools.remove(name).is_some()
    }

    /// The tool of that name.
    pub fn find(&self, name: &str) -> Option<&Arc<Registered>> {
        self.tools.get(name).or_else(|| self.tools.get(self.aliases.get(&key(name))?))
    }

    /// What the tools say of themselves, by name.
    pub fn list(&self, filter: Filter) -> impl Iterator<Item = &Metadata> {
        let fits = move |metadata: &&Metadata| {
            filter.category.is_none_or(|category| metadata.category == category)
                && filter.allowance.is_none_or(|allowance| metadata.least_permission() <= allowance)
        };
        self.tools.values().map(|registered| registered.metadata()).filter(fits)
    }

    /// All that tools say of themselves, as a JSON list.
    pub fn metadata(&self, filter: Filter) -> Value {
        json!(self.list(filter).collect::<Vec<_>>())
    }

    /// The tools as a model's request takes them.
    pub fn specs(&self, filter: Filter, language: Language) -> Vec<ToolSpec> {
        self.list(filter).map(|metadata| metadata.spec(language)).collect()
    }

    /// The tools as a list for a prompt: a line each, with name and purpose.
    pub fn describe(&self, filter: Filter, language: Language) -> String {
        let line = |metadata: &Metadata| match language {
            Language::Zh => format!("- {}：{}\n", metadata.name, metadata.description.zh),
            Language::En => format!("- {}: {}\n", metadata.name, metadata.description.en),
        };
        self.list(filter).map(line).collect()
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl Registered {
    /// What it says of itself.
    pub fn metadata(&self) -> &Metadata {
        self.tool.metadata()
    }

    /// The tool.
    pub fn tool(&self) -> &Arc<dyn Tool> {
        &self.tool
    }

    /// What its arguments are checked against.
    pub(crate) fn validator(&self) -> &Validator {
        &self.validator
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registered").field(&self.tool).finish()
    }
}

/// A name without case, `_` and `-`: `OutlineTool` and `outline_tool` are one.
fn key(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
