//! Errors of tool calls, as data for the caller, grouped by the possible reaction.

use std::time::Duration;

use qingyu_story::edit;
use serde::Serialize;
use serde_json::{Value, json};

use crate::tool::Permission;
use crate::workspace;

/// The error of a tool call.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ToolError {
    /// No tool has the name.
    #[error("there is no tool '{name}'")]
    UnknownTool {
        /// The requested name.
        name: String,
    },
    /// The arguments are invalid; call again with other arguments.
    #[error("invalid arguments: {}", listed(problems))]
    Invalid {
        /// The problems with their paths; at least 1.
        problems: Vec<ArgumentProblem>,
    },
    /// The arguments are larger than any sensible call.
    #[error("the arguments have {found} {what}, at most {limit} are allowed; split the call")]
    TooLarge {
        /// The exceeded unit: `bytes` or `levels`.
        what: &'static str,
        /// The count, as far as counted.
        found: usize,
        /// The maximum.
        limit: usize,
    },
    /// The caller lacks the permission.
    #[error("this needs the permission to {}, and the caller may only {}", word(*needed), word(*allowed))]
    Forbidden {
        /// The required permission.
        needed: Permission,
        /// The caller's permission.
        allowed: Permission,
    },
    /// The caller has no access to the tool.
    #[error("the caller may not use the tool '{name}'")]
    NotOffered {
        /// The tool.
        name: String,
    },
    /// Unknown project, or no project named and not exactly one exists.
    #[error("{message}")]
    NoProject {
        /// Description of the error.
        message: String,
    },
    /// Nothing matches the name.
    #[error("no {kind} is called '{name}'")]
    NotFound {
        /// The kind searched for, such as `character`.
        kind: String,
        /// The requested name.
        name: String,
        /// Path in the arguments.
        path: String,
    },
    /// Several pieces match the name; use the id.
    #[error("'{name}' may be any of {count} pieces of kind {kind}")]
    Ambiguous {
        /// The kind searched for.
        kind: String,
        /// The requested name.
        name: String,
        /// Number of matches.
        count: usize,
        /// Path in the arguments.
        path: String,
    },
    /// The operation is impossible in the story's current state.
    #[error("{message}")]
    Refused {
        /// The reason.
        message: String,
    },
    /// The project was changed concurrently.
    #[error("the project is at version {found}, not {expected}")]
    Conflict {
        /// The expected version.
        expected: u64,
        /// The current version.
        found: u64,
        /// Whether the caller gave the version; then only the caller can decide to continue.
        named: bool,
    },
    /// A dependency is unavailable; a retry may succeed.
    #[error("not available: {message}")]
    Unavailable {
        /// Description of the failure.
        message: String,
        /// Wait before a retry, if known.
        retry_after: Option<Duration>,
    },
    /// The call timed out. A change may or may not have been saved.
    #[error("no answer within {} s", after.as_secs_f32())]
    TimedOut {
        /// The timeout.
        after: Duration,
        /// Whether the call only reads, so that a retry is safe.
        reads: bool,
    },
    /// A bug in the tool.
    #[error("the tool failed: {message}")]
    Internal {
        /// Description of the failure.
        message: String,
    },
    /// The tool failed for a reason of its own.
    #[error("{message}")]
    Failed {
        /// A code for programs, such as `not_a_page`.
        code: String,
        /// Description of the failure.
        message: String,
        /// Whether a retry may help.
        retryable: bool,
    },
}

/// A problem at a path of the arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArgumentProblem {
    /// A JSON pointer: `/character_data/age`; `/` for the arguments as a whole.
    pub path: String,
    /// The expected value.
    pub expected: String,
}

impl ToolError {
    /// Returns an error with a single problem.
    pub fn invalid(path: &str, expected: impl Into<String>) -> Self {
        Self::Invalid { problems: vec![ArgumentProblem { path: path.to_owned(), expected: expected.into() }] }
    }

    /// Returns the error with all paths prefixed by `place`.
    pub(crate) fn below(self, place: &str) -> Self {
        match self {
            Self::Invalid { problems } => {
                let path = |path: String| format!("{place}{}", if path == "/" { "" } else { &path });
                let problems =
                    problems.into_iter().map(|problem| ArgumentProblem { path: path(problem.path), ..problem });
                Self::Invalid { problems: problems.collect() }
            }
            other => other,
        }
    }

    /// Returns a code for programs with a stable meaning.
    pub fn code(&self) -> &str {
        match self {
            Self::UnknownTool { .. } => "unknown_tool",
            Self::Invalid { .. } => "invalid_arguments",
            Self::TooLarge { .. } => "arguments_too_large",
            Self::Forbidden { .. } | Self::NotOffered { .. } => "forbidden",
            Self::NoProject { .. } => "no_project",
            Self::NotFound { .. } => "not_found",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Refused { .. } => "refused",
            Self::Conflict { .. } => "conflict",
            Self::Unavailable { .. } => "unavailable",
            Self::TimedOut { .. } => "timeout",
            Self::Internal { .. } => "internal",
            Self::Failed { code, .. } => code,
        }
    }

    /// Returns whether a retry of the same call may succeed.
    pub(crate) fn is_retryable(&self) -> bool {
        match self {
            Self::Conflict { named, .. } => !named,
            Self::Unavailable { .. } => true,
            Self::TimedOut { reads, .. } => *reads,
            Self::Failed { retryable, .. } => *retryable,
            _ => false,
        }
    }

    /// Returns the path in the arguments, if the arguments are at fault.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Invalid { problems } => problems.first().map(|problem| problem.path.as_str()),
            Self::NotFound { path, .. } | Self::Ambiguous { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns the error for callers: `code`, `message`, `retryable`, and where known `path`, `problems`,
    /// `retry_after_ms`, `expected_version` and `found_version`.
    pub fn to_json(&self) -> Value {
        let mut error = json!({"code": self.code(), "message": self.to_string(), "retryable": self.is_retryable()});
        if let Some(path) = self.path() {
            error["path"] = path.into();
        }
        match self {
            Self::Invalid { problems } => error["problems"] = json!(problems),
            Self::Unavailable { retry_after: Some(wait), .. } => {
                error["retry_after_ms"] = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).into();
            }
            Self::Conflict { expected, found, .. } => {
                error["expected_version"] = (*expected).into();
                error["found_version"] = (*found).into();
            }
            _ => {}
        }
        error
    }

    /// Converts the error of an invalid edit; `fields` and `target` are the paths of the piece's fields and of its
    /// name.
    pub(crate) fn of_edit(error: edit::Error, fields: &str, target: &str) -> Self {
        let placed = |path: &str| format!("{fields}/{}", path.strip_prefix("parameters/").unwrap_or(path));
        let message = error.to_string();
        match error {
            edit::Error::NotFound { kind, target: name } => {
                Self::NotFound { kind: kind.name().into(), name, path: target.into() }
            }
            edit::Error::Ambiguous { kind, target: name, count } => {
                Self::Ambiguous { kind: kind.name().into(), name, count, path: target.into() }
            }
            edit::Error::NoName { .. } => Self::invalid(fields, "a name or title"),
            edit::Error::NotAnObject => Self::invalid(fields, "an object"),
            edit::Error::NoTarget { .. } => Self::invalid(target, message),
            edit::Error::UnknownField { path } => Self::invalid(&placed(&path), "no such field"),
            edit::Error::InvalidField { path, reason } => Self::invalid(&placed(&path), reason),
            edit::Error::IdIsFixed { path } => Self::invalid(&placed(&path), "the piece's own id, or none"),
            edit::Error::NameTaken { .. } | edit::Error::NotEmpty { .. } | edit::Error::Conflict { .. } => {
                Self::Refused { message }
            }
        }
    }
}

impl From<workspace::Error> for ToolError {
    fn from(error: workspace::Error) -> Self {
        let message = error.to_string();
        match error {
            workspace::Error::UnknownProject { .. } | workspace::Error::NoProject => Self::NoProject { message },
            workspace::Error::Conflict { expected, found } => Self::Conflict { expected, found, named: false },
            workspace::Error::Unavailable { message, retry_after } => Self::Unavailable { message, retry_after },
            workspace::Error::Refused { .. } => Self::Refused { message },
            workspace::Error::PartlySaved { .. } => {
                Self::Failed { code: "partly_saved".into(), message, retryable: false }
            }
            workspace::Error::Damaged { .. } => Self::Internal { message },
        }
    }
}

fn listed(problems: &[ArgumentProblem]) -> String {
    let lines = problems.iter().map(|problem| format!("{}: {}", problem.path, problem.expected));
    lines.collect::<Vec<_>>().join("; ")
}

fn word(permission: Permission) -> &'static str {
    match permission {
        Permission::Read => "read",
        Permission::Write => "write",
        Permission::Admin => "administer",
    }
}
