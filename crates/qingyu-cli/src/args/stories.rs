//! Arguments of the commands that check, ask and change a story.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// The code of a rule, such as QY101.
    pub(crate) code: Option<String>,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The project, or a story file ending in .json.
    pub(crate) project: String,
    /// Only rules whose codes begin so, such as QY2 or QS011; may be given often.
    #[arg(long, value_name = "CODE")]
    pub(crate) rule: Vec<String>,
    /// Carry out the remedies that are certain; `undo` takes them back.
    #[arg(long, conflicts_with = "sarif")]
    pub(crate) fix: bool,
    /// Print the findings in the format SARIF 2.1.0.
    #[arg(long, conflicts_with = "json")]
    pub(crate) sarif: bool,
}

/// Arguments of `waive`.
#[derive(Debug, Args)]
pub(crate) struct Waive {
    /// The project.
    pub(crate) project: String,
    /// The id of the finding, such as QY101-5f2a91, or the code of a rule for all its findings.
    pub(crate) finding: String,
    /// Why it may stand.
    #[arg(long)]
    pub(crate) reason: String,
    /// Who says so.
    #[arg(long, default_value = "author")]
    pub(crate) owner: String,
}

/// Arguments of `ask-facts`.
#[derive(Debug, Args)]
pub(crate) struct AskFacts {
    /// The project.
    pub(crate) project: String,
    /// Whom or what it is about: a name, an alias or an id.
    pub(crate) about: Option<String>,
    /// Only this predicate, such as location or 持有.
    #[arg(long)]
    pub(crate) predicate: Option<String>,
    /// As of when: an event, a time in the story's words, or a chapter, for what has been told by its end; such as
    /// chapter:2 or its title.
    #[arg(long, value_name = "WHEN")]
    pub(crate) as_of: Option<String>,
}

/// Arguments of `impact`.
#[derive(Debug, Args)]
pub(crate) struct Impact {
    /// The project.
    pub(crate) project: String,
    /// The piece that changes: its id, name or alias.
    pub(crate) piece: String,
    /// How many steps to follow; all without it.
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
    /// As it was after this change; 0 for before the first.
    #[arg(long, value_name = "CHANGE")]
    pub(crate) at: Option<u64>,
}

/// Arguments of `log`.
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The project.
    pub(crate) project: String,
}

/// Arguments of `undo`.
#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The project.
    pub(crate) project: String,
    /// The number of the change; the newest without it.
    pub(crate) change: Option<u64>,
}
