//! Size limits and validation of arguments before a call.

use jsonschema::Validator;
use jsonschema::error::{ValidationError, ValidationErrorKind};
use serde_json::Value;

use super::limits::EngineLimits;
use crate::error::{ArgumentProblem, ToolError};

/// Maximum reported problems.
const PROBLEMS: usize = 8;

/// Returns the approximate bytes of `arguments` as text, without escapes of special characters.
///
/// Fails with [`ToolError::TooLarge`] as soon as a limit is exceeded, so that a huge value costs no more than the
/// limit.
pub(crate) fn measure(arguments: &Value, limits: &EngineLimits) -> Result<usize, ToolError> {
    let mut bytes = 0;
    let mut open = vec![(arguments, 1)];
    while let Some((value, depth)) = open.pop() {
        if depth > limits.argument_depth {
            return Err(ToolError::TooLarge { what: "levels", found: depth, limit: limits.argument_depth });
        }
        bytes += match value {
            Value::Null | Value::Bool(_) => 4,
            Value::Number(_) => 8,
            Value::String(text) => text.len() + 2,
            Value::Array(list) => list.len() + 1,
            Value::Object(fields) => fields.keys().map(|key| key.len() + 4).sum::<usize>() + 1,
        };
        if bytes > limits.argument_bytes {
            return Err(ToolError::TooLarge { what: "bytes", found: bytes, limit: limits.argument_bytes });
        }
        match value {
            Value::Array(list) => open.extend(list.iter().map(|value| (value, depth + 1))),
            Value::Object(fields) => open.extend(fields.values().map(|value| (value, depth + 1))),
            _ => {}
        }
    }
    Ok(bytes)
}

/// Validates `arguments` against a schema; the error lists each path with the expected value.
pub(crate) fn validate(validator: &Validator, arguments: &Value) -> Result<(), ToolError> {
    let mut problems: Vec<ArgumentProblem> =
        validator.iter_errors(arguments).take(PROBLEMS).map(|error| problem(&error)).collect();
    problems.dedup();
    if problems.is_empty() { Ok(()) } else { Err(ToolError::Invalid { problems }) }
}

/// Returns the problem without quoting the value: the value may be long, and the caller has it.
fn problem(error: &ValidationError<'_>) -> ArgumentProblem {
    let told = match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => choices(context),
        _ => None,
    };
    told.unwrap_or_else(|| ArgumentProblem { path: path(error), expected: expected(error) })
}

/// Returns the problem of a value with several allowed shapes: the problem of the best-matching shape, or all allowed
/// values.
fn choices(context: &[Vec<ValidationError<'static>>]) -> Option<ArgumentProblem> {
    let problems: Vec<ArgumentProblem> = context.iter().filter_map(|branch| branch.first()).map(problem).collect();
    let first = problems.first()?.path.clone();
    let deepest = problems.iter().max_by_key(|problem| problem.path.matches('/').count())?;
    if deepest.path.len() > first.len() || problems.iter().any(|problem| problem.path != first) {
        return Some(deepest.clone());
    }
    let mut allowed: Vec<&str> = problems.iter().map(|problem| problem.expected.as_str()).collect();
    allowed.dedup();
    Some(ArgumentProblem { path: first, expected: allowed.join(" or ") })
}

fn path(error: &ValidationError<'_>) -> String {
    let parent = error.instance_path().as_str();
    let inner = match error.kind() {
        ValidationErrorKind::Required { property } => property.as_str(),
        ValidationErrorKind::AdditionalProperties { unexpected } => unexpected.first().map(String::as_str),
        _ => None,
    };
    match inner {
        Some(name) => format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1")),
        None if parent.is_empty() => "/".to_owned(),
        None => parent.to_owned(),
    }
}

fn expected(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::Required { .. } => "a value; it is required".to_owned(),
        ValidationErrorKind::AdditionalProperties { .. } => "no such field".to_owned(),
        ValidationErrorKind::Enum { options } => format!("one of {options}"),
        ValidationErrorKind::Constant { expected_value } => expected_value.to_string(),
        _ => error.masked_with("the value").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(arguments: &Value) -> Vec<String> {
        let schema = json!({
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["get", "create"]},
                "data": {"anyOf": [
                    {
                        "type": "object",
                        "properties": {"age": {"type": ["integer", "null"]}},
                        "additionalProperties": false,
                    },
                    {"type": "null"},
                ]},
                "kind": {"anyOf": [{"const": "act"}, {"const": "scene"}]},
                "strength": {"type": "number", "maximum": 1},
            },
            "required": ["action"],
            "additionalProperties": false,
        });
        match validate(&jsonschema::validator_for(&schema).unwrap(), arguments) {
            Ok(()) => Vec::new(),
            Err(ToolError::Invalid { problems }) => {
                problems.iter().map(|problem| format!("{}: {}", problem.path, problem.expected)).collect()
            }
            Err(other) => vec![other.to_string()],
        }
    }

    #[test]
    fn a_problem_names_the_place_and_what_was_expected_there() {
        for (arguments, expected) in [
            (json!({"action": "get"}), vec![]),
            (json!({}), vec!["/action: a value; it is required"]),
            (json!([]), vec![r#"/: the value is not of type "object""#]),
            (json!({"action": "burn"}), vec![r#"/action: one of ["get","create"]"#]),
            (
                json!({"action": "get", "data": {"age": "ten"}}),
                vec![r#"/data/age: the value is not of types "null", "integer""#],
            ),
            (json!({"action": "get", "data": {"a/ge": 1}}), vec!["/data/a~1ge: no such field"]),
            (
                json!({"action": "get", "data": 7}),
                vec![r#"/data: the value is not of type "object" or the value is not of type "null""#],
            ),
            (json!({"action": "get", "kind": "book"}), vec![r#"/kind: "act" or "scene""#]),
            (json!({"action": "get", "strength": 2}), vec!["/strength: the value is greater than the maximum of 1"]),
        ] {
            assert_eq!(problems(&arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn what_is_too_large_is_refused_before_it_is_looked_at() {
        let limits = EngineLimits { argument_bytes: 100, argument_depth: 4, ..EngineLimits::default() };
        assert_eq!(measure(&json!({"text": "四个汉字"}), &limits), Ok(1 + 8 + 14));
        let long = measure(&json!({"text": "字".repeat(50)}), &limits).unwrap_err();
        assert_eq!(long.code(), "arguments_too_large");
        let deep = measure(&json!([[[[[]]]]]), &limits).unwrap_err();
        assert_eq!(deep, ToolError::TooLarge { what: "levels", found: 5, limit: 4 });
    }
}
