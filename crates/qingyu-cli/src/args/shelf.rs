//! Arguments of the commands listing, renaming, archiving and deleting projects, and of pictures.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `projects`.
#[derive(Debug, Args)]
pub(crate) struct Projects {
    /// The archived projects.
    #[arg(long, conflicts_with = "bin")]
    pub(crate) archived: bool,
    /// The projects in the bin.
    #[arg(long)]
    pub(crate) bin: bool,
}

/// Arguments of `project`.
#[derive(Debug, Args)]
pub(crate) struct ProjectArgs {
    /// The action.
    #[command(subcommand)]
    pub(crate) action: ProjectAction,
}

/// An action on a whole project.
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectAction {
    /// Rename a project.
    Rename {
        /// The project.
        project: String,
        /// The new title.
        title: String,
    },
    /// Archive a project: hidden from the list, but usable as before.
    Archive {
        /// The project.
        project: String,
    },
    /// Move a project to the bin, or permanently delete a project in the bin.
    Delete {
        /// The project.
        project: String,
        /// Delete a project in the bin permanently, with its history and its runs.
        #[arg(long)]
        forever: bool,
        /// Delete permanently without asking for confirmation.
        #[arg(long = "yes", id = "unasked", requires = "forever")]
        unasked: bool,
    },
    /// Restore a project from the archive or the bin.
    Restore {
        /// The project.
        project: String,
    },
    /// Set, show or remove a project's cover image.
    Cover {
        /// The project.
        project: String,
        /// The image: PNG, JPEG or WebP, at most 2 MB.
        picture: Option<PathBuf>,
        /// Remove the image.
        #[arg(long, conflicts_with = "picture")]
        remove: bool,
    },
}

/// Arguments of `picture`.
#[derive(Debug, Args)]
pub(crate) struct PictureArgs {
    /// The project.
    pub(crate) project: String,
    /// The name or id of a character, place, item or organisation (default: list all pictures).
    pub(crate) card: Option<String>,
    /// The image: PNG, JPEG or WebP, at most 2 MB (default: show the present one).
    pub(crate) picture: Option<PathBuf>,
    /// The description for readers who do not see the image; without an image, of the present one.
    #[arg(long, value_name = "TEXT", requires = "card")]
    pub(crate) alt: Option<String>,
    /// Remove the image.
    #[arg(long, requires = "card", conflicts_with_all = ["picture", "alt"])]
    pub(crate) remove: bool,
}
