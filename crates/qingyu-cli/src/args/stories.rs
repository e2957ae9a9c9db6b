//! Arguments of the commands checking, querying and changing a story.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// The code of a rule, such as QY101.
    pub(crate) code: Option<String>,
}

/// Arguments of `genres`.
#[derive(Debug, Args)]
pub(crate) struct GenresArgs {
    /// The id or name of a genre, such as xuanyi or 悬疑.
    pub(crate) genre: Option<String>,
    /// Print its file, to save as genres/NAME.toml in the home and change.
    #[arg(long, requires = "genre", conflicts_with = "json")]
    pub(crate) file: bool,
    /// Add its ladders to a project; a ladder whose name the project has stays as it is.
    #[arg(long, value_name = "PROJECT", requires = "genre", conflicts_with = "file")]
    pub(crate) take_ladders: Option<String>,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The project, or a story file ending in .json.
    pub(crate) project: String,
    /// Only rules with the given code prefix, such as QY2 or QS011, or the findings whose id begins so; may be repeated.
    #[arg(long, value_name = "CODE")]
    pub(crate) rule: Vec<String>,
    /// Apply the certain fixes; `undo` reverts them.
    #[arg(long, conflicts_with = "sarif")]
    pub(crate) fix: bool,
    /// Print the findings as SARIF 2.1.0.
    #[arg(long, conflicts_with = "json")]
    pub(crate) sarif: bool,
}

/// Arguments of `waive`.
#[derive(Debug, Args)]
pub(crate) struct WaiveArgs {
    /// The project.
    pub(crate) project: String,
    /// The id of the finding, such as QY101-5f2a91, or a rule code for all findings of the rule.
    pub(crate) finding: String,
    /// The reason for the waiver.
    #[arg(long)]
    pub(crate) reason: String,
    /// The person responsible for the waiver.
    #[arg(long, default_value = "author")]
    pub(crate) owner: String,
    /// The chapter by which it is to be mended, such as 30; once that chapter is written, the finding counts again.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) until: Option<String>,
}

/// Arguments of `ask-facts`.
#[derive(Debug, Args)]
pub(crate) struct AskFacts {
    /// The project.
    pub(crate) project: String,
    /// The subject: a name, an alias or an id.
    pub(crate) about: Option<String>,
    /// Only the given predicate, such as location or 持有.
    #[arg(long)]
    pub(crate) predicate: Option<String>,
    /// The point in time: an event, a time in the story's words, or a chapter, meaning its end, such as chapter:2 or a
    /// chapter title.
    #[arg(long, value_name = "WHEN")]
    pub(crate) as_of: Option<String>,
}

/// Arguments of `impact`.
#[derive(Debug, Args)]
pub(crate) struct ImpactArgs {
    /// The project.
    pub(crate) project: String,
    /// The changed piece: its id, name or alias.
    pub(crate) piece: String,
    /// Maximum number of steps to follow (default: no limit).
    #[arg(long)]
    pub(crate) steps: Option<usize>,
}

/// Arguments of `import-story`.
#[derive(Debug, Args)]
pub(crate) struct ImportStory {
    /// The file (see docs/story-format.md); `-` reads standard input.
    pub(crate) file: PathBuf,
    /// The title of the project.
    #[arg(long)]
    pub(crate) title: Option<String>,
}

/// Arguments of `export-story`.
#[derive(Debug, Args)]
pub(crate) struct ExportStory {
    /// The project.
    pub(crate) project: String,
    /// The version after the given change; 0 for the initial version.
    #[arg(long, value_name = "CHANGE")]
    pub(crate) at: Option<u64>,
}

/// Arguments of `log`.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// The project.
    pub(crate) project: String,
}

/// Arguments of `undo`.
#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// The project.
    pub(crate) project: String,
    /// The number of the change (default: the newest).
    pub(crate) change: Option<u64>,
}
