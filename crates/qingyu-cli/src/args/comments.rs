//! Arguments of `comments`.

use clap::Subcommand;

/// Commands for the comments on words of a project's chapters.
#[derive(Debug, Subcommand)]
pub(crate) enum CommentsCommand {
    /// List the open comments, with their words and replies.
    List {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// Only the comments of the given chapter: its number, title, id, or position (`#4`).
        chapter: Option<String>,
        /// Include resolved comments.
        #[arg(long)]
        all: bool,
    },
    /// Add a comment on words of a chapter.
    Add {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The chapter: its number, title, id, or position (`#4`).
        chapter: String,
        /// The words to comment on, as they are in the chapter.
        quote: String,
        /// The remark.
        remark: String,
        /// Text directly before the words, if the words occur several times.
        #[arg(long, value_name = "TEXT")]
        before: Option<String>,
        /// Text directly after the words, if the words occur several times.
        #[arg(long, value_name = "TEXT")]
        after: Option<String>,
    },
    /// Suggest other words for words of a chapter.
    Suggest {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The chapter: its number, title, id, or position (`#4`).
        chapter: String,
        /// The words to replace, as they are in the chapter.
        quote: String,
        /// The suggested words; an empty text suggests a deletion.
        words: String,
        /// A remark on the suggestion.
        #[arg(long, value_name = "TEXT")]
        remark: Option<String>,
        /// Text directly before the words, if the words occur several times.
        #[arg(long, value_name = "TEXT")]
        before: Option<String>,
        /// Text directly after the words, if the words occur several times.
        #[arg(long, value_name = "TEXT")]
        after: Option<String>,
    },
    /// Put the suggested words of a comment into the chapter.
    Accept {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The id of the comment, such as comment-3.
        comment: String,
    },
    /// Reply to a comment.
    Reply {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The id of the comment, such as comment-3.
        comment: String,
        /// The remark.
        text: String,
    },
    /// Resolve a comment.
    Resolve {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The id of the comment, such as comment-3.
        comment: String,
        /// Open the comment again instead.
        #[arg(long)]
        reopen: bool,
    },
    /// Delete a comment with its replies; `undo` restores the comment.
    Remove {
        /// The project.
        #[arg(value_name = "PROJECT")]
        book: String,
        /// The id of the comment, such as comment-3.
        comment: String,
    },
}
