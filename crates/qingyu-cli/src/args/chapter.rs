//! Arguments of `chapter`.

use std::path::PathBuf;

use clap::Subcommand;

/// What can be done with the chapters of a project.
#[derive(Debug, Subcommand)]
pub(crate) enum ChapterCommand {
    /// List the chapters, planned ones among them, with the names that mean each alone.
    Show {
        /// The project.
        project: String,
    },
    /// Give a chapter another title, in the outline and in the book.
    Rename {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or place (`#4`).
        chapter: String,
        /// The new title, with its number if it is to have one.
        title: String,
    },
    /// Put a chapter behind another, with its scenes and its text.
    Move {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or place (`#4`).
        chapter: String,
        /// Behind which chapter; to the beginning of the book without it.
        #[arg(long, value_name = "CHAPTER")]
        after: Option<String>,
    },
    /// Add a chapter.
    Insert {
        /// The project.
        project: String,
        /// The title, with its number if it is to have one.
        title: String,
        /// Behind which chapter; at the beginning of the book without it.
        #[arg(long, value_name = "CHAPTER")]
        after: Option<String>,
        /// The text; `-` reads standard input (else the chapter is only planned).
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Make two chapters of one.
    Split {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or place (`#4`).
        chapter: String,
        /// The words with which the second begins; they must stand in the chapter once.
        at: String,
        /// The title of the second.
        title: String,
    },
    /// Add the next chapter to the end of a chapter.
    Join {
        /// The project.
        project: String,
        /// The first of the two: its number, title, id, or place (`#4`).
        chapter: String,
    },
    /// Delete a chapter: its place in the outline, its scenes and its text; `undo` takes it back.
    Delete {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or place (`#4`).
        chapter: String,
    },
}
