//! Errors of the command, and their mapping to exit codes.

use std::path::PathBuf;

use qingyu_studio::{FailureRecord, RunStatus};
use serde_json::{Value, json};

/// An error of the command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Invalid arguments.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The studio returned an error.
    #[error(transparent)]
    Studio(#[from] qingyu_studio::Error),
    /// Reading a file argument or standard input failed.
    #[error("{} cannot be read: {message}", path.display())]
    Unreadable { path: PathBuf, message: String },
    /// Writing a file argument failed.
    #[error("{} cannot be written: {message}", path.display())]
    Unwritable { path: PathBuf, message: String },
    /// A file argument does not contain text.
    #[error("{} is no text in any encoding that was tried", path.display())]
    NotText { path: PathBuf },
    /// A folder contains no supported manuscript file.
    #[error("{} has no manuscripts", path.display())]
    NoManuscripts { path: PathBuf },
    /// `--judge` was given without a chapter of a project.
    #[error("a model judges one chapter of a project, and {subject} is none")]
    NothingToJudge { subject: String },
    /// A `--set` is not `key=value`.
    #[error("{given} is not KEY=VALUE")]
    BadSetting { given: String },
    /// A `--autonomy` is not `phase=auto` or `phase=wait`.
    #[error("{given} is not PHASE=auto or PHASE=wait")]
    BadAutonomy { given: String },
    /// The value for a non-text field is not valid JSON.
    #[error("the value of {path} is no JSON: {message}")]
    NotJson { project: String, path: String, message: String },
    /// `--fix` was given for a story file; only projects can be fixed.
    #[error("{} is a file; only projects are mended", path.display())]
    FixOfFile { path: PathBuf },
    /// The tool name is unknown.
    #[error("there is no tool {name}")]
    UnknownTool { name: String },
    /// The arguments of a tool are not valid JSON.
    #[error("the arguments of {tool} are no JSON: {message}")]
    BadArguments { project: String, tool: String, message: String },
    /// Forgetting everything was requested without a terminal to ask for confirmation.
    #[error("nothing is forgotten unless --yes says so")]
    Unconfirmed,
    /// The output file of an export already exists.
    #[error("{} is there already", path.display())]
    FileExists { path: PathBuf },
    /// The output path exists and is not a regular, writable file.
    #[error("{} is not replaced: it is no regular file, or may not be written", path.display())]
    NotReplaceable { path: PathBuf },
    /// An environment variable of ours, or the data folder, is not valid Unicode.
    #[error("{name} is no Unicode text")]
    NotUnicode { name: String },
    /// The system clock is before 1970.
    #[error("the clock of this machine is set before 1970")]
    Clock,
    /// A platform was given with another format than its own.
    #[error("this platform needs the format {wanted}")]
    PlatformFormat { wanted: &'static str },
    /// A graph was wanted as PNG.
    #[error("graphs are drawn as SVG, not as PNG")]
    PictureFormat,
    /// The branch name is missing.
    #[error("no branch is named")]
    NoBranchName { project: String },
    /// Deleting a branch was not confirmed.
    #[error("{name} is not deleted unless --yes says so")]
    BranchUnconfirmed { name: String },
    /// Replacing the text of a chapter by an empty one was not confirmed.
    #[error("{title} is not emptied unless --yes says so")]
    EmptyUnconfirmed { title: String },
    /// Permanently deleting a project was not confirmed.
    #[error("{project} is not deleted unless --yes says so")]
    ProjectUnconfirmed { project: String },
    /// The server does not start.
    #[cfg(feature = "server")]
    #[error(transparent)]
    Server(#[from] qingyu_server::serve::Error),
    /// The command must run on the machine holding the data, but a server was given.
    #[error("{what} works only on the machine where the data is")]
    OnlyHere { what: String },
    /// The command is not part of the build.
    #[cfg(not(feature = "server"))]
    #[error("this build has no {what}")]
    NotInBuild { what: String },
    /// A client violated its protocol.
    #[cfg(feature = "server")]
    #[error("{0}")]
    Protocol(String),
    /// The editor failed or could not be started.
    #[error("{editor} failed: {message}")]
    Editor { editor: String, message: String },
    /// Installing the signal handlers failed.
    #[error("signals cannot be received: {0}")]
    Signals(std::io::Error),
    /// Writing standard output failed, other than by a closed pipe.
    #[error("standard output cannot be written: {0}")]
    Output(std::io::Error),
}

/// Error codes of the studio, local or remote, caused by invalid input of the user.
const WRONG_WORDS: [&str; 24] = [
    "requirement_empty",
    "requirement_too_long",
    "requirement_control",
    "unknown_rule",
    "unknown_finding",
    "unknown_genre",
    "bad_memory",
    "bad_user",
    "bad_key",
    "question_empty",
    "question_too_long",
    "unknown_field",
    "unknown_kind",
    "unknown_agent",
    "unknown_node",
    "unknown_platform",
    "bad_condition",
    "unknown_search_field",
    "bad_pattern",
    "bad_branch",
    "bad_picture",
    "series_circle",
    "no_reason",
    "bad_comment",
];

/// Exit codes of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Waiting = 3,
    /// The checker has findings that must be fixed.
    Findings = 4,
    Interrupted = 130,
}

impl Error {
    /// Returns the exit code: usage for invalid input, failure for all other errors.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_)
            | Self::BadSetting { .. }
            | Self::BadAutonomy { .. }
            | Self::NotJson { .. }
            | Self::NotText { .. }
            | Self::NoManuscripts { .. }
            | Self::NothingToJudge { .. }
            | Self::OnlyHere { .. }
            | Self::FixOfFile { .. }
            | Self::UnknownTool { .. }
            | Self::Unconfirmed
            | Self::PlatformFormat { .. }
            | Self::PictureFormat
            | Self::NoBranchName { .. }
            | Self::BranchUnconfirmed { .. }
            | Self::EmptyUnconfirmed { .. }
            | Self::ProjectUnconfirmed { .. }
            | Self::BadArguments { .. } => Exit::Usage,
            Self::Studio(error) if WRONG_WORDS.contains(&error.code()) => Exit::Usage,
            Self::Studio(_)
            | Self::Unreadable { .. }
            | Self::Unwritable { .. }
            | Self::FileExists { .. }
            | Self::NotReplaceable { .. }
            | Self::NotUnicode { .. }
            | Self::Clock
            | Self::Editor { .. }
            | Self::Signals(_)
            | Self::Output(_) => Exit::Failed,
            #[cfg(feature = "server")]
            Self::Server(_) | Self::Protocol(_) => Exit::Failed,
            #[cfg(not(feature = "server"))]
            Self::NotInBuild { .. } => Exit::Usage,
        }
    }

    /// Returns the error as plain data, worded and printed like the failures of runs.
    pub(crate) fn failure(&self) -> FailureRecord {
        let (code, data) = match self {
            Self::Usage(_) => ("usage", json!({})),
            Self::Studio(error) => return error.failure(),
            Self::Unreadable { path, message } => ("unreadable", json!({"path": path, "message": message})),
            Self::Unwritable { path, message } => ("unwritable", json!({"path": path, "message": message})),
            Self::NotText { path } => ("not_text", json!({"path": path})),
            Self::NoManuscripts { path } => ("no_manuscripts", json!({"path": path})),
            Self::NothingToJudge { subject } => ("nothing_to_judge", json!({"subject": subject})),
            Self::BadSetting { given } => ("bad_setting", json!({"given": given})),
            Self::BadAutonomy { given } => ("bad_autonomy", json!({"given": given})),
            Self::NotJson { project, path, message } => {
                ("not_json", json!({"project": project, "path": path, "message": message}))
            }
            Self::UnknownTool { name } => ("unknown_tool", json!({"name": name})),
            Self::BadArguments { project, tool, message } => {
                ("bad_arguments", json!({"project": project, "tool": tool, "message": message}))
            }
            Self::Unconfirmed => ("unconfirmed", json!({})),
            Self::FileExists { path } => ("file_exists", json!({"path": path})),
            Self::NotUnicode { name } => ("not_unicode", json!({"name": name})),
            Self::Clock => ("clock", json!({})),
            Self::NotReplaceable { path } => ("not_replaceable", json!({"path": path})),
            Self::PlatformFormat { wanted } => ("platform_format", json!({"wanted": wanted})),
            Self::PictureFormat => ("picture_format", json!({})),
            Self::NoBranchName { project } => ("no_branch_name", json!({"project": project})),
            Self::ProjectUnconfirmed { project } => ("project_unconfirmed", json!({"project": project})),
            Self::EmptyUnconfirmed { title } => ("empty_unconfirmed", json!({"title": title})),
            Self::BranchUnconfirmed { name } => ("branch_unconfirmed", json!({"name": name})),
            #[cfg(feature = "server")]
            Self::Server(error) => match server_failure(error) {
                Ok(failure) => failure,
                Err(error) => return error.failure(),
            },
            Self::OnlyHere { what } => ("only_here", json!({"what": what})),
            #[cfg(not(feature = "server"))]
            Self::NotInBuild { what } => ("not_in_build", json!({"what": what})),
            #[cfg(feature = "server")]
            Self::Protocol(message) => ("protocol", json!({"message": message})),
            Self::FixOfFile { path } => ("fix_of_file", json!({"path": path})),
            Self::Editor { editor, message } => ("editor", json!({"editor": editor, "message": message})),
            Self::Signals(error) => ("signals", json!({"message": error.to_string()})),
            Self::Output(error) => ("output", json!({"message": error.to_string()})),
        };
        let Value::Object(fields) = data else { unreachable!("every arm is an object") };
        FailureRecord { code: code.into(), message: self.to_string(), data: fields.into_iter().collect() }
    }
}

/// Returns the code and data of a server that does not start, or the error of its studio.
#[cfg(feature = "server")]
fn server_failure(error: &qingyu_server::serve::Error) -> Result<(&'static str, Value), &qingyu_studio::Error> {
    use qingyu_server::serve::Error as Server;
    Ok(match error {
        Server::Studio(error) => return Err(error),
        Server::NoKey { address } => ("no_server_key", json!({"address": address})),
        Server::NoTls { address } => ("no_tls", json!({"address": address})),
        Server::Webhooks { message } => ("bad_webhooks", json!({"message": message})),
        Server::Traces { message } => ("bad_traces", json!({"message": message})),
        Server::Address { address, message } => ("bad_address", json!({"address": address, "message": message})),
    })
}

impl From<RunStatus> for Exit {
    fn from(status: RunStatus) -> Self {
        match status {
            RunStatus::Done => Self::Done,
            RunStatus::Waiting => Self::Waiting,
            RunStatus::Interrupted => Self::Interrupted,
            RunStatus::Failed | RunStatus::Running => Self::Failed,
        }
    }
}
