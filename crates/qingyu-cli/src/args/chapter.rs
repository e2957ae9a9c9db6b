//! Arguments of `chapter`.

use std::path::PathBuf;

use clap::Subcommand;

/// Commands for the chapters of a project.
#[derive(Debug, Subcommand)]
pub(crate) enum ChapterCommand {
    /// List the chapters, including planned chapters, with their unambiguous names.
    Show {
        /// The project.
        project: String,
    },
    /// Rename a chapter, in the outline and in the book.
    Rename {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or position (`#4`).
        chapter: String,
        /// The new title, including a number if wanted.
        title: String,
    },
    /// Move a chapter after another, with its scenes and its text.
    Move {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or position (`#4`).
        chapter: String,
        /// The preceding chapter (default: the beginning of the book).
        #[arg(long, value_name = "CHAPTER")]
        after: Option<String>,
        /// The volume or arc that takes it, by name or id: behind --after if that stands in it, else at its beginning
        /// (default: the one of --after).
        #[arg(long, value_name = "PART")]
        into: Option<String>,
    },
    /// Insert a chapter.
    Insert {
        /// The project.
        project: String,
        /// The title, including a number if wanted.
        title: String,
        /// The preceding chapter (default: the beginning of the book).
        #[arg(long, value_name = "CHAPTER")]
        after: Option<String>,
        /// The text; `-` reads standard input (default: the chapter is only planned).
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Split a chapter into two.
    Split {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or position (`#4`).
        chapter: String,
        /// The first words of the second part; they must occur exactly once in the chapter.
        at: String,
        /// The title of the second part.
        title: String,
    },
    /// Append the next chapter to a chapter.
    Join {
        /// The project.
        project: String,
        /// The first of the two: its number, title, id, or position (`#4`).
        chapter: String,
    },
    /// Delete a chapter: its outline node, scenes and text; `undo` restores the chapter.
    Delete {
        /// The project.
        project: String,
        /// The chapter: its number, title, id, or position (`#4`).
        chapter: String,
    },
}
