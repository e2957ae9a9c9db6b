//! Fields, arguments and errors of a production, as tools show them.

use qingyu_production::{Error, FieldBoard, content, text};
use qingyu_story::Story;
use qingyu_story::production::Field;
use serde_json::{Value, json};

use crate::error::{ArgumentProblem, ToolError};

/// Returns a field with its value and state.
pub(super) fn shown(board: &FieldBoard<'_>, field: &Field) -> Value {
    let value = board.value(&field.path).unwrap_or_default();
    let dependents: Vec<&str> = board.dependents(&field.path).into_iter().map(|field| field.path.as_str()).collect();
    let status = board.statuses().get(field.path.as_str()).copied();
    json!({
        "field": {
            "path": field.path, "title": field.title, "phase": field.phase, "status": status,
            "version": field.version, "is_content": field.is_content, "guidance": field.guidance,
            "schema": field.schema, "depends_on": field.depends_on, "dependents": dependents,
        },
        "text": text::markdown(&value, &field.schema),
        "value": value,
    })
}

/// Returns the paths of content to read, validated against the project; defaults to all content.
pub(super) fn readable(story: &Story, given: Option<Vec<String>>) -> Result<Vec<String>, ToolError> {
    let given = given.unwrap_or_default();
    let found = content::contents(story, &given).map_err(|error| of_production(error, "/content"))?;
    if found.is_empty() {
        return Err(ToolError::Refused { message: "there is no content to read yet".into() });
    }
    Ok(given)
}

/// Returns a text of the caller's own, if given; it excludes `content` of the project.
pub(super) fn own_text(text: Option<String>, content: Option<&Vec<String>>) -> Result<Option<String>, ToolError> {
    match (text, content) {
        (Some(_), Some(content)) if !content.is_empty() => Err(ToolError::invalid("/text", "either text or content")),
        (Some(text), _) => said(&text, "/text").map(Some),
        (None, _) => Ok(None),
    }
}

/// Returns a non-empty text argument, or an error.
pub(super) fn said(argument: &str, path: &str) -> Result<String, ToolError> {
    match argument.trim() {
        "" => Err(ToolError::invalid(path, "words")),
        words => Ok(words.to_owned()),
    }
}

/// Converts an error about fields; `path` is the argument with the field's name or value.
pub(super) fn of_production(error: Error, path: &str) -> ToolError {
    let message = error.to_string();
    match error {
        Error::UnknownField { path: name, near } if near.is_empty() => {
            ToolError::NotFound { kind: "field".into(), name, path: path.into() }
        }
        Error::UnknownField { path: name, near } => {
            let count = near.len();
            let last = |near: &String| near.rsplit('/').next().is_some_and(|end| end == name);
            match near.iter().filter(|near| last(near)).count() {
                0 | 1 => ToolError::NotFound { kind: "field".into(), name, path: path.into() },
                _ => ToolError::Ambiguous { kind: "field".into(), name, count, path: path.into() },
            }
        }
        Error::Misfit { problems, .. } => {
            let problem = |expected: String| ArgumentProblem { path: path.to_owned(), expected };
            ToolError::Invalid { problems: problems.into_iter().map(problem).collect() }
        }
        Error::UnknownChannel { known, .. } => {
            let known: Vec<String> = ["md".to_owned(), "json".to_owned()].into_iter().chain(known).collect();
            ToolError::invalid(path, format!("one of {}", known.join(", ")))
        }
        Error::BadSchema { .. } => ToolError::invalid(path, message),
        _ => ToolError::Refused { message },
    }
}
