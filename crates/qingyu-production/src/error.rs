//! Failures, sorted by what the caller can do.

use serde_json::{Value, json};

/// Why something cannot be done with fields.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// There is no such field.
    #[error("there is no field '{path}'")]
    UnknownField {
        /// What was asked for.
        path: String,
        /// The fields whose path or title is alike, the most alike first.
        near: Vec<String>,
    },
    /// There is no such phase.
    #[error("there is no phase '{name}'")]
    UnknownPhase {
        /// What was asked for.
        name: String,
        /// The phases there are.
        known: Vec<String>,
    },
    /// The project has no phases and fields.
    #[error("the project has no phases and fields")]
    NoProduction,
    /// A value does not have the shape that its field asks for.
    #[error("the value of '{path}' does not fit: {}", problems.join("; "))]
    Misfit {
        /// The field.
        path: String,
        /// What is wrong, each with its place in the value.
        problems: Vec<String>,
    },
    /// A field stands for the entries of a list and has no value itself.
    #[error("'{path}' stands for one field for each entry of a list; it has no value of its own")]
    Pattern {
        /// The field.
        path: String,
    },
    /// A field without a value was to be confirmed.
    #[error("'{path}' has no value that could be confirmed")]
    Empty {
        /// The field.
        path: String,
    },
    /// Fields are made from each other.
    #[error("fields are made from each other: {}", cycle.join(" → "))]
    Cycle {
        /// The fields, the first one again at the end.
        cycle: Vec<String>,
    },
    /// A field is made from something that does not exist.
    #[error("'{path}' is made from '{dependency}', which does not exist")]
    UnknownDependency {
        /// The field.
        path: String,
        /// What it names.
        dependency: String,
    },
    /// Two fields have one path.
    #[error("there are two fields '{path}'")]
    Twice {
        /// The path.
        path: String,
    },
    /// The schema of a field is none.
    #[error("the schema of '{path}' is none: {message}")]
    BadSchema {
        /// The field.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// A template file cannot be read as one.
    #[error("the template '{name}' is none: {message}")]
    BadTemplate {
        /// The file.
        name: String,
        /// What is wrong, and where.
        message: String,
    },
    /// There is no such template.
    #[error("there is no template '{name}'")]
    UnknownTemplate {
        /// What was asked for.
        name: String,
        /// The templates there are.
        known: Vec<String>,
    },
    /// There is no such channel.
    #[error("there is no channel '{name}'")]
    UnknownChannel {
        /// What was asked for.
        name: String,
        /// The channels there are.
        known: Vec<String>,
    },
    /// A channel's text cannot be made.
    #[error("the text of channel '{name}' cannot be made: {message}")]
    BadChannel {
        /// The channel.
        name: String,
        /// What is wrong, and where.
        message: String,
    },
}

impl Error {
    /// A stable word for it, for doors to word it by.
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
            Self::UnknownChannel { .. } => "unknown_channel",
            Self::BadChannel { .. } => "bad_channel",
        }
    }

    /// What it is made of: always the same members, those that say nothing empty.
    pub fn data(&self) -> Value {
        let (given, others, message): (&str, Vec<String>, &str) = match self {
            Self::UnknownField { path, near } => (path, near.clone(), ""),
            Self::UnknownPhase { name, known }
            | Self::UnknownTemplate { name, known }
            | Self::UnknownChannel { name, known } => (name, known.clone(), ""),
            Self::NoProduction => ("", Vec::new(), ""),
            Self::Misfit { path, problems } => (path, problems.clone(), ""),
            Self::Pattern { path } | Self::Empty { path } | Self::Twice { path } => (path, Vec::new(), ""),
            Self::Cycle { cycle } => ("", cycle.clone(), ""),
            Self::UnknownDependency { path, dependency } => (path, vec![dependency.clone()], ""),
            Self::BadSchema { path, message } => (path, Vec::new(), message),
            Self::BadTemplate { name, message } | Self::BadChannel { name, message } => (name, Vec::new(), message),
        };
        json!({"reason": self.reason(), "given": given, "others": others, "message": message})
    }
}
