//! Arguments of the commands that change chapters by hand and settle them again.

use std::path::PathBuf;

use clap::Args;

use super::Chapters;

/// Arguments of `edit`.
#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or place (`#4`).
    pub(crate) chapter: String,
    /// The whole text; `-` reads standard input (else an editor is opened).
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// Arguments of `reconcile`.
#[derive(Debug, Args)]
pub(crate) struct Reconcile {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Which chapters, such as 1-3,7, a title or #4 for a place (else all).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<Chapters>,
    /// Save the difference; without it, it is only shown.
    #[arg(long)]
    pub(crate) apply: bool,
    /// Read the prose with the rules alone, without what is on record.
    #[arg(long)]
    pub(crate) rules: bool,
}
