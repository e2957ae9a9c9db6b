//! Why a call failed: data for the caller, sorted by what can be done about it.

use std::time::Duration;

use qingyu_story::edit;
use serde::Serialize;
use serde_json::{Value, json};

use crate::tool::Permission;
use crate::workspace;

/// Why a tool could not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ToolError {
    /// No tool is called so.
    #[error("there is no tool '{name}'")]
    UnknownTool {
        /// What was asked for.
        name: String,
    },
    /// The arguments do not fit; call again with others.
    #[error("invalid arguments: {}", listed(problems))]
    Invalid {
        /// What is wrong, and where; at least one.
        problems: Vec<Problem>,
    },
    /// The arguments are larger than any sensible call.
    #[error("the arguments have {found} {what}, at most {limit} are allowed; split the call")]
    TooLarge {
        /// What there is too much of: `bytes` or `levels`.
        what: &'static str,
        /// How many there are, as far as was counted.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The caller is not allowed to.
    #[error("this needs the permission to {}, and the caller may only {}", word(*needed), word(*allowed))]
    Forbidden {
        /// What it takes.
        needed: Permission,
        /// What the caller may.
        allowed: Permission,
    },
    /// The caller may not use this tool at all.
    #[error("the caller may not use the tool '{name}'")]
    NotOffered {
        /// The tool.
        name: String,
    },
    /// There is no such project, or none was named and there is not just one.
    #[error("{message}")]
    NoProject {
        /// What is wrong.
        message: String,
    },
    /// Nothing is called so.
    #[error("no {kind} is called '{name}'")]
    NotFound {
        /// What was looked for, such as `character`.
        kind: String,
        /// What it was called.
        name: String,
        /// Where in the arguments.
        path: String,
    },
    /// Several are called so; name it by its id.
    #[error("'{name}' may be any of {count} pieces of kind {kind}")]
    Ambiguous {
        /// What was looked for.
        kind: String,
        /// What it was called.
        name: String,
        /// How many.
        count: usize,
        /// Where in the arguments.
        path: String,
    },
    /// It cannot be done to this story as it is.
    #[error("{message}")]
    Refused {
        /// Why.
        message: String,
    },
    /// Somebody changed the project in between.
    #[error("the project is at version {found}, not {expected}")]
    Conflict {
        /// The version the change was made for.
        expected: u64,
        /// The version it has.
        found: u64,
        /// Whether the caller named the version; then only the caller can decide to go on.
        named: bool,
    },
    /// Something it needs does not answer; later it may.
    #[error("not available: {message}")]
    Unavailable {
        /// What happened.
        message: String,
        /// How long to wait, if it is known.
        retry_after: Option<Duration>,
    },
    /// It took too long and was given up. A change may or may not have been made.
    #[error("no answer within {} s", after.as_secs_f32())]
    TimedOut {
        /// How long it was waited for.
        after: Duration,
        /// Whether it only reads, so that it can be asked again.
        reads: bool,
    },
    /// The tool itself is at fault.
    #[error("the tool failed: {message}")]
    Internal {
        /// What happened.
        message: String,
    },
    /// It was tried and cannot be done, for a reason of the tool's own.
    #[error("{message}")]
    Failed {
        /// A word for programs, such as `not_a_page`.
        code: String,
        /// What happened.
        message: String,
        /// Whether trying again may help.
        retryable: bool,
    },
}

/// What is wrong with one place of the arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where, as a JSON pointer: `/character_data/age`; `/` for the arguments as a whole.
    pub path: String,
    /// What was expected there.
    pub expected: String,
}

impl ToolError {
    /// One problem at one place.
    pub fn invalid(path: &str, expected: impl Into<String>) -> Self {
        Self::Invalid { problems: vec![Problem { path: path.to_owned(), expected: expected.into() }] }
    }

    /// The same, where all that it says of places is meant below `place`.
    pub(crate) fn below(self, place: &str) -> Self {
        match self {
            Self::Invalid { problems } => {
                let path = |path: String| format!("{place}{}", if path == "/" { "" } else { &path });
                let problems = problems.into_iter().map(|problem| Problem { path: path(problem.path), ..problem });
                Self::Invalid { problems: problems.collect() }
            }
            other => other,
        }
    }

    /// A word for programs; never changes its meaning.
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

    /// Whether the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Conflict { named, .. } => !named,
            Self::Unavailable { .. } => true,
            Self::TimedOut { reads, .. } => *reads,
            Self::Failed { retryable, .. } => *retryable,
            _ => false,
        }
    }

    /// Where in the arguments, if it is their fault.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Invalid { problems } => problems.first().map(|problem| problem.path.as_str()),
            Self::NotFound { path, .. } | Self::Ambiguous { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The error as callers get it: `code`, `message`, `retryable`, and where they are known `path`, `problems`,
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

    /// What an edit that does not fit means, where the piece's fields stand at `fields` in the arguments and its name
    /// at `target`.
    pub fn of_edit(error: edit::Error, fields: &str, target: &str) -> Self {
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

fn listed(problems: &[Problem]) -> String {
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
