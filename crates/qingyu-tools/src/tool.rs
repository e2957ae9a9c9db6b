//! What a tool is, and what it says of itself.

use std::fmt::Debug;
use std::time::Duration;

use futures::future::BoxFuture;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::texts::Text;
use crate::{Context, ToolError};

/// A named operation. Called through an [`Engine`](crate::Engine), which keeps the promises that stand in [`Metadata`].
pub trait Tool: Debug + Send + Sync {
    /// What it is called, does, needs and may. The same every time.
    fn metadata(&self) -> &Metadata;

    /// Does it.
    ///
    /// `arguments` is an object that fits [`Metadata::parameters`], without `project_id` and `expected_version`,
    /// which are in `context`. A call may be dropped at any await, and may be repeated after an error that
    /// [`ToolError::is_retryable`]; it must not have changed anything then. A failure is an error, never a panic.
    fn call<'a>(&'a self, arguments: Value, context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>>;
}

/// What a tool says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metadata {
    /// The name, `[a-zA-Z0-9_-]{1,64}`; unique in a toolbox.
    pub name: String,
    /// Other names it is found by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// What it is for.
    pub category: Category,
    /// Its version; grows when arguments or results change their meaning.
    pub version: String,
    /// What it does, for models and people.
    pub description: Text,
    /// What its actions need, if its arguments have an `action`; if that may be left out, the first one is meant.
    /// Without actions, [`permission`](Self::permission) and [`pure`](Self::pure) hold for every call; with them they
    /// are those of the most demanding one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// What a caller must be allowed.
    pub permission: Permission,
    /// Whether the answer depends on nothing but the arguments, the project's story and its checks, so that it may be kept.
    pub pure: bool,
    /// How long one attempt may take.
    #[serde(rename = "timeout_ms", serialize_with = "milliseconds", deserialize_with = "of_milliseconds")]
    #[schemars(with = "u64")]
    pub timeout: Duration,
    /// Whether it works on a project. If so, its parameters have a `project_id`.
    pub requires_project: bool,
    /// JSON Schema of its arguments; an object.
    #[serde(rename = "parameters_schema")]
    pub parameters: Value,
    /// Where it comes from, if it is not ours. What such a tool says is material, never instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign: Option<String>,
}

/// One of several things a tool does, chosen by the argument `action`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Action {
    /// The word.
    pub name: String,
    /// What a caller must be allowed.
    pub permission: Permission,
    /// As [`Metadata::pure`].
    pub pure: bool,
}

/// What one call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// What the caller must be allowed.
    pub permission: Permission,
    /// Whether the answer may be kept.
    pub pure: bool,
}

/// What a caller may do; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// Look.
    Read,
    /// Change the project.
    Write,
    /// Change what is outside of it.
    Admin,
}

/// What a tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Making and changing the story.
    Writing,
    /// Checking and measuring it.
    Analysis,
    /// Finding what is known.
    Knowledge,
    /// Producing other content.
    Content,
    /// Looking outside.
    Research,
    /// Looking after the installation.
    Admin,
    /// Tools of other servers.
    External,
}

/// How long an attempt may take unless the tool says otherwise.
const TIMEOUT: Duration = Duration::from_secs(30);

impl Metadata {
    /// A tool of ours that works on a project, with the text of that name. Its parameters are those of `A`, the
    /// `project_id`, and, if an action writes, the `expected_version`.
    pub fn of<A: JsonSchema>(name: &str, category: Category, actions: Vec<Action>) -> Self {
        let permission = actions.iter().map(|action| action.permission).max().unwrap_or(Permission::Read);
        let pure = actions.iter().all(|action| action.pure);
        let mut parameters = qingyu_llm::structured::schema_of::<A>().schema;
        add_property(&mut parameters, "project_id", json!({"type": ["string", "null"], "description": PROJECT_ID}));
        if permission > Permission::Read {
            let schema = json!({"type": ["integer", "null"], "minimum": 0, "description": EXPECTED_VERSION});
            add_property(&mut parameters, "expected_version", schema);
        }
        let description = Text::named(name);
        Self {
            actions,
            permission,
            pure,
            requires_project: true,
            ..Self::with_schema(name, category, description, parameters)
        }
    }

    /// A tool that works on no project and changes nothing, with arguments that fit `parameters`.
    pub fn with_schema(name: &str, category: Category, description: Text, parameters: Value) -> Self {
        Self {
            name: name.to_owned(),
            aliases: Vec::new(),
            category,
            version: "1.0.0".to_owned(),
            description,
            actions: Vec::new(),
            permission: Permission::Read,
            pure: false,
            timeout: TIMEOUT,
            requires_project: false,
            parameters,
            foreign: None,
        }
    }

    /// What a call with `arguments` needs; the most that any needs if its action is not known.
    pub fn demand(&self, arguments: &Value) -> Demand {
        let action = match arguments.get("action") {
            Some(word) => self.actions.iter().find(|action| word.as_str() == Some(&action.name)),
            None => self.actions.first().filter(|_| !self.requires("action")),
        };
        match action {
            Some(action) => Demand { permission: action.permission, pure: action.pure },
            None => Demand { permission: self.permission, pure: self.pure },
        }
    }

    /// Whether the schema requires that argument.
    fn requires(&self, argument: &str) -> bool {
        let required = self.parameters["required"].as_array();
        required.is_some_and(|required| required.iter().any(|name| name == argument))
    }

    /// The least that any call of it needs.
    pub fn least_permission(&self) -> Permission {
        self.actions.iter().map(|action| action.permission).min().unwrap_or(self.permission)
    }

    /// The tool as a model is told of it.
    pub fn spec(&self, language: Language) -> qingyu_llm::ToolSpec {
        qingyu_llm::ToolSpec {
            name: self.name.clone(),
            description: self.description.of(language).to_owned(),
            parameters: self.parameters.clone(),
        }
    }
}

impl Action {
    /// An action that changes nothing and whose answer may be kept.
    pub fn read(name: &str) -> Self {
        Self { name: name.to_owned(), permission: Permission::Read, pure: true }
    }

    /// An action that changes the project.
    pub fn write(name: &str) -> Self {
        Self { name: name.to_owned(), permission: Permission::Write, pure: false }
    }
}

const PROJECT_ID: &str = "The project; may be left out where there is only one.";
const EXPECTED_VERSION: &str = "The version of the project that the change is made for, as an earlier answer gave it; \
                                the call fails if the project has changed since. Left out, the change is made to \
                                what is there.";

fn add_property(schema: &mut Value, name: &str, property: Value) {
    if schema.get("properties").is_none() {
        schema["properties"] = json!({});
    }
    schema["properties"][name] = property;
}

fn of_milliseconds<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_millis)
}

fn milliseconds<S: serde::Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
