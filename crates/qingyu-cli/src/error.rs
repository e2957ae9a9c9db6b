//! What can go wrong for the command, and the one place that gives it an exit code.

use std::path::PathBuf;

use qingyu_studio::{Failure, RunStatus};
use serde_json::{Value, json};

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The arguments do not fit.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The studio cannot do it.
    #[error(transparent)]
    Studio(#[from] qingyu_studio::Error),
    /// A file or standard input that an argument names cannot be read.
    #[error("{} cannot be read: {message}", path.display())]
    Unreadable { path: PathBuf, message: String },
    /// A file that an argument names cannot be written.
    #[error("{} cannot be written: {message}", path.display())]
    Unwritable { path: PathBuf, message: String },
    /// What an argument names is no text.
    #[error("{} is no text in any encoding that was tried", path.display())]
    NotText { path: PathBuf },
    /// A folder has no file that can be a manuscript.
    #[error("{} has no manuscripts", path.display())]
    NoManuscripts { path: PathBuf },
    /// A model was to judge what is no chapter of a project.
    #[error("a model judges one chapter of a project, and {subject} is none")]
    NothingToJudge { subject: String },
    /// A `--set` is not `key=value`.
    #[error("{given} is not KEY=VALUE")]
    BadSetting { given: String },
    /// A `--autonomy` is not `phase=auto` or `phase=wait`.
    #[error("{given} is not PHASE=auto or PHASE=wait")]
    BadAutonomy { given: String },
    /// The value of a field that is no text is no JSON.
    #[error("the value of {path} is no JSON: {message}")]
    NotJson { project: String, path: String, message: String },
    /// A story file was to be mended in place.
    #[error("{} is a file; only projects are mended", path.display())]
    FixOfFile { path: PathBuf },
    /// No tool has this name.
    #[error("there is no tool {name}")]
    UnknownTool { name: String },
    /// The arguments of a tool are no JSON.
    #[error("the arguments of {tool} are no JSON: {message}")]
    BadArguments { project: String, tool: String, message: String },
    /// Everything was to be forgotten, and nobody can be asked whether that is meant.
    #[error("nothing is forgotten unless --yes says so")]
    Unconfirmed,
    /// A file is where a book was to be written.
    #[error("{} is there already", path.display())]
    FileExists { path: PathBuf },
    /// What is where a file was to be written is no file, or may not be written.
    #[error("{} is not replaced: it is no regular file, or may not be written", path.display())]
    NotReplaceable { path: PathBuf },
    /// A variable of ours, or the folder of data, is no Unicode text.
    #[error("{name} is no Unicode text")]
    NotUnicode { name: String },
    /// The machine's clock stands before 1970.
    #[error("the clock of this machine stands before 1970")]
    Clock,
    /// A platform was named, and a format that no platform takes.
    #[error("platforms take plain text only")]
    PlatformOfText,
    /// A branch was to be worked on, and none was named.
    #[error("no branch is named")]
    NoBranchName { project: String },
    /// A branch was to be deleted, and nobody has said that this is meant.
    #[error("{name} is not deleted unless --yes says so")]
    BranchUnconfirmed { name: String },
    /// A project was to be deleted for good, and nobody has said that this is meant.
    #[error("{project} is not deleted unless --yes says so")]
    ProjectUnconfirmed { project: String },
    /// The server does not start.
    #[cfg(feature = "server")]
    #[error(transparent)]
    Server(#[from] qingyu_server::serve::Error),
    /// What needs the machine where the data is was asked of a server.
    #[error("{what} works only on the machine where the data is")]
    OnlyHere { what: String },
    /// The command is not part of this build.
    #[cfg(not(feature = "server"))]
    #[error("this build has no {what}")]
    NotInBuild { what: String },
    /// A client did not keep to its protocol.
    #[error("{0}")]
    Protocol(String),
    /// The editor failed or could not be started.
    #[error("{editor} failed: {message}")]
    Editor { editor: String, message: String },
    /// The system does not let the command hear its signals.
    #[error("signals cannot be heard: {0}")]
    Signals(std::io::Error),
    /// Standard output cannot be written, and not because its reader went away.
    #[error("standard output cannot be written: {0}")]
    Output(std::io::Error),
}

/// What the studio, here or on a server, calls words in the command that cannot be meant.
const WRONG_WORDS: [&str; 16] = [
    "requirement_empty",
    "requirement_too_long",
    "requirement_control",
    "unknown_rule",
    "bad_memory",
    "bad_user",
    "bad_key",
    "question_empty",
    "question_too_long",
    "unknown_kind",
    "unknown_platform",
    "bad_condition",
    "bad_pattern",
    "bad_branch",
    "bad_cover",
    "no_reason",
];

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Waiting = 3,
    /// The checker found something that must be mended.
    Findings = 4,
    Interrupted = 130,
}

impl Error {
    /// The exit code. Wrong words in the command are usage; everything else is a failure.
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
            | Self::PlatformOfText
            | Self::NoBranchName { .. }
            | Self::BranchUnconfirmed { .. }
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
            | Self::Protocol(_)
            | Self::Editor { .. }
            | Self::Signals(_)
            | Self::Output(_) => Exit::Failed,
            #[cfg(feature = "server")]
            Self::Server(_) => Exit::Failed,
            #[cfg(not(feature = "server"))]
            Self::NotInBuild { .. } => Exit::Usage,
        }
    }

    /// The failure as plain data, to be worded and printed like those of runs.
    pub(crate) fn failure(&self) -> Failure {
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
            Self::PlatformOfText => ("platform_of_text", json!({})),
            Self::NoBranchName { project } => ("no_branch_name", json!({"project": project})),
            Self::ProjectUnconfirmed { project } => ("project_unconfirmed", json!({"project": project})),
            Self::BranchUnconfirmed { name } => ("branch_unconfirmed", json!({"name": name})),
            #[cfg(feature = "server")]
            Self::Server(error) => match server_failure(error) {
                Ok(failure) => failure,
                Err(error) => return error.failure(),
            },
            Self::OnlyHere { what } => ("only_here", json!({"what": what})),
            #[cfg(not(feature = "server"))]
            Self::NotInBuild { what } => ("not_in_build", json!({"what": what})),
            Self::Protocol(message) => ("protocol", json!({"message": message})),
            Self::FixOfFile { path } => ("fix_of_file", json!({"path": path})),
            Self::Editor { editor, message } => ("editor", json!({"editor": editor, "message": message})),
            Self::Signals(error) => ("signals", json!({"message": error.to_string()})),
            Self::Output(error) => ("output", json!({"message": error.to_string()})),
        };
        let Value::Object(fields) = data else { unreachable!("every arm is an object") };
        Failure { code: code.into(), message: self.to_string(), data: fields.into_iter().collect() }
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
