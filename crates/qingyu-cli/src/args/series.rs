//! Arguments of `series`.

use clap::Subcommand;

/// Commands for the books before a book.
#[derive(Debug, Subcommand)]
pub(crate) enum SeriesCommand {
    /// Show the books before a book, with the characters who are in both.
    Show {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
    },
    /// Add books before a book, after those already there.
    Add {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The earlier books, in order: projects.
        #[arg(required = true, value_name = "EARLIER")]
        earlier: Vec<String>,
        /// They are canon: the original of fan fiction, or the description of a world.
        #[arg(long)]
        canon: bool,
        /// The story time from their end to the beginning of the next book, such as "ten years".
        #[arg(long, value_name = "TIME")]
        gap: Option<String>,
    },
    /// Move an earlier book to another place in the order.
    Move {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The earlier book: its project, title, or place in the order.
        earlier: String,
        /// The new place, from 1 on.
        #[arg(value_name = "PLACE")]
        to: usize,
    },
    /// Remove an earlier book from the order; the project itself stays.
    Remove {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The earlier book: its project, title, or place in the order.
        earlier: String,
    },
}
