//! Arguments of the commands editing chapters by hand, in a mirror as well, and settling them again.

use std::path::PathBuf;

use clap::Args;

use super::writing::ChapterSelection;

/// Arguments of `edit`.
#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or position (`#4`).
    pub(crate) chapter: String,
    /// The whole text; `-` reads standard input (default: opens an editor).
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Save an empty text without asking for confirmation.
    #[arg(long = "yes", short = 'y')]
    pub(crate) unasked: bool,
}

/// Arguments of `reconcile`.
#[derive(Debug, Args)]
pub(crate) struct ReconcileArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The chapters, such as 1-3,7, a title or #4 for a position (default: all).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterSelection>,
    /// Save the difference (default: only show the difference).
    #[arg(long)]
    pub(crate) apply: bool,
    /// Derive from the prose with the rules alone, ignoring recorded data.
    #[arg(long)]
    pub(crate) rules: bool,
}

/// Arguments of `mirror`.
#[derive(Debug, Args)]
pub(crate) struct MirrorArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The folder of the book (default: below the folder of the setting mirror.folder; without it, a folder named by the
    /// title, here).
    #[arg(long, value_name = "FOLDER")]
    pub(crate) to: Option<PathBuf>,
    /// Keep the folder as a git repository, with a commit for this update.
    #[arg(long)]
    pub(crate) git: bool,
    /// First bring chapters and cards back that were edited in the folder.
    #[arg(long)]
    pub(crate) read: bool,
}
