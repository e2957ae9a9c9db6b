//! The tool trait and its metadata.

mod permission;

use std::fmt::Debug;
use std::time::Duration;

use futures::future::BoxFuture;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::texts::Text;
use crate::{ToolContext, ToolError};

pub use permission::Permission;

/// A named operation. Called through an engine, which enforces its [`Metadata`].
pub trait Tool: Debug + Send + Sync {
    /// Returns the name, description, needs and permissions. Always the same.
    fn metadata(&self) -> &Metadata;

    /// Runs the tool.
    ///
    /// `arguments` is an object valid for [`Metadata::parameters`], without `project_id` and `expected_version`, which
    /// are in `context`. A call may be dropped at any await, and may be retried after an error that
    /// [`ToolError::to_json`] marks as `retryable`; such an error must leave everything unchanged. A failure is an error,
    /// never a panic.
    fn call<'a>(&'a self, arguments: Value, context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>>;

    /// Returns whether the answer of a pure call may be kept. It may not if something else than the project took part.
    fn may_keep(&self, _answer: &Value) -> bool {
        true
    }
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

/// The demand of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallDemand {
    /// The required permission.
    pub permission: Permission,
    /// Whether the answer may be cached.
    pub pure: bool,
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

/// Default timeout of an attempt.
const TIMEOUT: Duration = Duration::from_secs(30);

impl Metadata {
    /// Returns the metadata of a built-in tool on a project, with the named text. Parameters are those of `A`,
    /// `project_id`, and, if an action writes, `expected_version`.
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

    /// Returns the metadata of a tool without a project and without changes, with arguments valid for `parameters`.
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

    /// Returns the demand of a call with `arguments`; the highest demand of all actions for an unknown action.
    pub fn demand(&self, arguments: &Value) -> CallDemand {
        let action = match arguments.get("action") {
            Some(word) => self.actions.iter().find(|action| word.as_str() == Some(&action.name)),
            None => self.actions.first().filter(|_| !self.requires("action")),
        };
        match action {
            Some(action) => CallDemand { permission: action.permission, pure: action.pure },
            None => CallDemand { permission: self.permission, pure: self.pure },
        }
    }

    /// Returns whether the schema requires the argument.
    fn requires(&self, argument: &str) -> bool {
        let required = self.parameters["required"].as_array();
        required.is_some_and(|required| required.iter().any(|name| name == argument))
    }

    /// Returns the lowest permission any call needs.
    pub(crate) fn least_permission(&self) -> Permission {
        self.actions.iter().map(|action| action.permission).min().unwrap_or(self.permission)
    }

    /// Returns the tool's specification for a model.
    pub fn spec(&self, language: Language) -> qingyu_llm::ToolSpec {
        qingyu_llm::ToolSpec {
            name: self.name.clone(),
            description: self.description.of(language).to_owned(),
            parameters: self.parameters.clone(),
        }
    }
}

impl Action {
    /// Returns an action without changes, with a cacheable answer.
    pub fn read(name: &str) -> Self {
        Self { name: name.to_owned(), permission: Permission::Read, pure: true }
    }

    /// Returns an action that changes the project.
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
