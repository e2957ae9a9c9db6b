//! The error type of the crate, sorted by how the caller can react.

use serde_json::{Value, json};

/// An error of an operation on fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The field does not exist.
    #[error("there is no field '{path}'")]
    UnknownField {
        /// The path given by the caller.
        path: String,
        /// Fields with a similar path or title, the most similar first.
        near: Vec<String>,
    },
    /// The phase does not exist.
    #[error("there is no phase '{name}'")]
    UnknownPhase {
        /// The name given by the caller.
        name: String,
        /// The existing phases.
        known: Vec<String>,
    },
    /// The project has no phases and fields.
    #[error("the project has no phases and fields")]
    NoProduction,
    /// A value does not fit the schema of its field.
    #[error("the value of '{path}' does not fit: {}", problems.join("; "))]
    Misfit {
        /// The field.
        path: String,
        /// The validation errors, each with its place in the value.
        problems: Vec<String>,
    },
    /// A list field has no value of its own.
    #[error("'{path}' stands for one field for each entry of a list; it has no value of its own")]
    Pattern {
        /// The field.
        path: String,
    },
    /// A field without a value cannot be confirmed.
    #[error("'{path}' has no value that could be confirmed")]
    Empty {
        /// The field.
        path: String,
    },
    /// Fields depend on each other in a cycle.
    #[error("fields are made from each other: {}", cycle.join(" → "))]
    Cycle {
        /// The fields, with the first again at the end.
        cycle: Vec<String>,
    },
    /// A field depends on an unknown field.
    #[error("'{path}' is made from '{dependency}', which does not exist")]
    UnknownDependency {
        /// The field.
        path: String,
        /// The unknown dependency.
        dependency: String,
    },
    /// A duplicate path.
    #[error("there are two fields '{path}'")]
    Twice {
        /// The path.
        path: String,
    },
    /// The schema of a field is invalid.
    #[error("the schema of '{path}' is invalid: {message}")]
    BadSchema {
        /// The field.
        path: String,
        /// Description of the error.
        message: String,
    },
    /// A template file cannot be parsed.
    #[error("the template '{name}' is invalid: {message}")]
    BadTemplate {
        /// The file.
        name: String,
        /// Description of the error, and its place.
        message: String,
    },
    /// The template does not exist.
    #[error("there is no template '{name}'")]
    UnknownTemplate {
        /// The name given by the caller.
        name: String,
        /// The existing templates.
        known: Vec<String>,
    },
    /// No client has a voice of this name.
    #[error("there is no voice '{name}'")]
    UnknownVoice {
        /// The name given by the caller.
        name: String,
        /// The existing voices.
        known: Vec<String>,
    },
    /// The file of a voice cannot be parsed.
    #[error("the voice '{name}' is invalid: {message}")]
    BadVoice {
        /// The name.
        name: String,
        /// Description of the error, and its place.
        message: String,
    },
    /// The channel does not exist.
    #[error("there is no channel '{name}'")]
    UnknownChannel {
        /// The name given by the caller.
        name: String,
        /// The existing channels.
        known: Vec<String>,
    },
    /// The content is not ready to be published.
    #[error("the content is not ready: {}", problems.join("; "))]
    NotReady {
        /// Open, stale, short and uncited parts, a line each, in the language of the work.
        problems: Vec<String>,
    },
    /// The text of a channel cannot be rendered.
    #[error("the text of channel '{name}' cannot be made: {message}")]
    BadChannel {
        /// The channel.
        name: String,
        /// Description of the error, and its place.
        message: String,
    },
}

impl Error {
    /// Returns a stable error code, for messages by the user interfaces.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::UnknownField { .. } => "unknown_field",
            Self::UnknownPhase { .. } => "unknown_phase",
            Self::NoProduction => "no_production",
            Self::Misfit { .. } => "misfit",
            Self::Pattern { .. } => "pattern",
            Self::Empty { .. } => "empty",
            Self::Cycle { .. } => "cycle",
            Self::UnknownDependency { .. } => "unknown_dependency",
            Self::Twice { .. } => "twice",
            Self::BadSchema { .. } => "bad_schema",
            Self::BadTemplate { .. } => "bad_template",
            Self::UnknownTemplate { .. } => "unknown_template",
            Self::UnknownVoice { .. } => "unknown_voice",
            Self::BadVoice { .. } => "bad_voice",
            Self::UnknownChannel { .. } => "unknown_channel",
            Self::BadChannel { .. } => "bad_channel",
            Self::NotReady { .. } => "not_ready",
        }
    }

    /// Returns the error's data as JSON: always the same members, unused members empty.
    pub fn data(&self) -> Value {
        let (given, others, message): (&str, Vec<String>, &str) = match self {
            Self::UnknownField { path, near } => (path, near.clone(), ""),
            Self::UnknownPhase { name, known }
            | Self::UnknownTemplate { name, known }
            | Self::UnknownVoice { name, known }
            | Self::UnknownChannel { name, known } => (name, known.clone(), ""),
            Self::NoProduction => ("", Vec::new(), ""),
            Self::Misfit { path, problems } => (path, problems.clone(), ""),
            Self::NotReady { problems } => ("", problems.clone(), ""),
            Self::Pattern { path } | Self::Empty { path } | Self::Twice { path } => (path, Vec::new(), ""),
            Self::Cycle { cycle } => ("", cycle.clone(), ""),
            Self::UnknownDependency { path, dependency } => (path, vec![dependency.clone()], ""),
            Self::BadSchema { path, message } => (path, Vec::new(), message),
            Self::BadTemplate { name, message }
            | Self::BadVoice { name, message }
            | Self::BadChannel { name, message } => (name, Vec::new(), message),
        };
        json!({"reason": self.reason(), "given": given, "others": others, "message": message})
    }
}
