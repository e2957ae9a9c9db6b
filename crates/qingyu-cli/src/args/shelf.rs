//! Arguments of the commands that list projects, name them and put them away.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `projects`.
#[derive(Debug, Args)]
pub(crate) struct Projects {
    /// Those in the archive.
    #[arg(long, conflicts_with = "bin")]
    pub(crate) archived: bool,
    /// Those in the bin.
    #[arg(long)]
    pub(crate) bin: bool,
}

/// Arguments of `project`.
#[derive(Debug, Args)]
pub(crate) struct Project {
    /// What to do with it.
    #[command(subcommand)]
    pub(crate) action: ProjectAction,
}

/// What can be done with a project as a whole.
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectAction {
    /// Give it another title.
    Rename {
        /// The project.
        project: String,
        /// The new title.
        title: String,
    },
    /// Put it away, out of the list; it can be worked on as ever.
    Archive {
        /// The project.
        project: String,
    },
    /// Move a project to the bin, or permanently delete one that is in it.
    Delete {
        /// The project.
        project: String,
        /// Delete it for good, with its past and its runs; it must be in the bin.
        #[arg(long)]
        forever: bool,
        /// Do not ask before it is deleted for good.
        #[arg(long = "yes", id = "unasked", requires = "forever")]
        unasked: bool,
    },
    /// Take it out of the archive or the bin.
    Restore {
        /// The project.
        project: String,
    },
    /// Set, show or remove a project's cover picture.
    Cover {
        /// The project.
        project: String,
        /// The picture: PNG, JPEG or WebP of at most 2 MB.
        picture: Option<PathBuf>,
        /// Take the picture away.
        #[arg(long, conflicts_with = "picture")]
        remove: bool,
    },
}
