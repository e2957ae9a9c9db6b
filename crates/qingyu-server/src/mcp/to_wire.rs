//! Conversion of our values to the protocol's types.

use std::sync::Arc;

use qingyu_story::Language;
use qingyu_tools::{Category, Metadata, Outcome, Permission, ToolCaller, ToolError, workspace};
use rmcp::model::{CallToolResult, ErrorData, MetaObject, PromptArgument, PromptMessage, Role, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::{prompts, texts};

/// Returns a tool as permitted to a caller.
pub(crate) fn tool(metadata: &Metadata, caller: &ToolCaller) -> Tool {
    let allowed = metadata.permission.min(caller.allowance);
    let reads = allowed == Permission::Read;
    let is_open = metadata.foreign.is_some() || metadata.category == Category::Research;
    let annotations = ToolAnnotations::new().read_only(reads).destructive(!reads).idempotent(reads).open_world(is_open);
    let schema = portable(&metadata.parameters).as_object().cloned().unwrap_or_default();
    let mut about = MetaObject::new();
    about.0.insert("qingyu/category".into(), json!(metadata.category));
    about.0.insert("qingyu/permission".into(), json!(metadata.permission));
    about.0.insert("qingyu/version".into(), json!(metadata.version));
    let description = metadata.description.of(caller.language).to_owned();
    Tool::new(metadata.name.clone(), description, Arc::new(schema)).with_annotations(annotations).with_meta(about)
}

/// Returns the schema without `"items": true`, which some clients cannot parse.
fn portable(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| match (name.as_str(), value) {
                ("items", Value::Bool(true)) => (name.clone(), json!({})),
                ("const" | "default" | "enum" | "examples", value) => (name.clone(), value.clone()),
                (_, value) => (name.clone(), portable(value)),
            };
            fields.iter().map(field).collect()
        }
        Value::Array(list) => list.iter().map(portable).collect(),
        other => other.clone(),
    }
}

/// Converts the outcome of a call: the result, or `code`, `message` and `path` of the error.
pub(crate) fn outcome(outcome: Outcome) -> CallToolResult {
    match (outcome.result, outcome.foreign) {
        (Err(error), _) => failure(&error),
        (Ok(answer), Some(source)) => {
            CallToolResult::structured(json!({"result": answer, "source": source, "untrusted": true}))
        }
        (Ok(answer @ Value::Object(_)), None) => CallToolResult::structured(answer),
        (Ok(answer), None) => CallToolResult::structured(json!({ "result": answer })),
    }
}

/// Converts an error to a call result, so that a model can read the error and retry.
pub(crate) fn failure(error: &ToolError) -> CallToolResult {
    CallToolResult::structured_error(json!({ "error": error.to_json() }))
}

/// Converts a run to a call result; a failed run is a failed call.
pub(crate) fn run(document: Value, is_error: bool) -> CallToolResult {
    if is_error { CallToolResult::structured_error(document) } else { CallToolResult::structured(document) }
}

/// Converts a prompt to a menu entry.
pub(crate) fn prompt(prompt: &prompts::Prompt, language: Language) -> rmcp::model::Prompt {
    let argument = |argument: &prompts::PromptParameter| {
        PromptArgument::new(&argument.name)
            .with_description(argument.description.of(language))
            .with_required(argument.is_needed)
    };
    let project =
        PromptArgument::new("project").with_description(texts::text(language, "prompt.project")).with_required(false);
    let arguments = prompt.arguments.iter().map(argument).chain([project]).collect();
    rmcp::model::Prompt::new(&prompt.name, Some(prompt.description.of(language)), Some(arguments))
        .with_title(prompt.title.of(language))
}

/// Returns a user message.
pub(crate) fn message(text: String) -> PromptMessage {
    PromptMessage::new_text(Role::User, text)
}

/// Converts the error of opening a project.
pub(crate) fn no_project(error: &workspace::Error) -> ErrorData {
    let code = match error {
        workspace::Error::UnknownProject { .. } | workspace::Error::NoProject => "no_project",
        workspace::Error::Unavailable { .. } => "unavailable",
        _ => "internal",
    };
    let data = Some(json!({ "code": code }));
    match error {
        workspace::Error::UnknownProject { .. } => ErrorData::resource_not_found(error.to_string(), data),
        workspace::Error::NoProject => ErrorData::invalid_params(error.to_string(), data),
        _ => ErrorData::internal_error(error.to_string(), data),
    }
}
