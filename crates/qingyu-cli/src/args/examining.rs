//! Arguments of the commands measuring and reviewing texts; a model is called only with `--judge`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::runs::WatchArgs;

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// A text file, or a project; `-` reads standard input.
    pub(crate) subject: String,
    /// A chapter of the project: its number, title or id (default: the whole book).
    pub(crate) chapter: Option<String>,
    /// The aspects to measure (default: all).
    #[arg(long, value_name = "ASPECT", value_delimiter = ',')]
    pub(crate) aspect: Vec<Aspect>,
    #[command(flatten)]
    pub(crate) judging: JudgeArgs,
}

/// A measured aspect of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Aspect {
    /// Sentences, paragraphs, dialogue.
    Style,
    /// The emotions along the text.
    Emotion,
    /// The pace along the text.
    Pace,
    /// Variety and readability.
    Quality,
}

/// Arguments of `teardown`.
#[derive(Debug, Args)]
pub(crate) struct TeardownArgs {
    /// The reference: .txt, .md, .docx, .odt, .rtf, .epub or .html; several files or a folder, in natural order.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Save the structure as a genre of this name, to plan a book with.
    #[arg(long, value_name = "NAME")]
    pub(crate) genre: Option<String>,
    /// Replace a genre of the same name.
    #[arg(long, requires = "genre")]
    pub(crate) replace: bool,
    /// The encoding of a plain text, such as gbk (default: detected).
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// Split a text without headings at the first gap after the given number of characters.
    #[arg(long, value_name = "CHARACTERS")]
    pub(crate) cut: Option<usize>,
    /// A regular expression for heading lines, matched from the start of the line.
    #[arg(long, value_name = "PATTERN", conflicts_with = "cut")]
    pub(crate) heading: Option<String>,
}

/// Arguments of `review`.
#[derive(Debug, Args)]
pub(crate) struct ReviewArgs {
    /// A text file, or a project; `-` reads standard input.
    pub(crate) subject: String,
    /// A chapter of the project: its number, title or id (default: all).
    pub(crate) chapter: Option<String>,
    /// The strictness (default: the platform's own).
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<Strictness>,
    /// The rules to apply: general, qidian, fanqie, or a file ending in .toml.
    #[arg(long, value_name = "NAME")]
    pub(crate) platform: Option<String>,
    /// A source text to check for copied passages; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) judging: JudgeArgs,
}

/// Options for an additional judgement by a model.
#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    /// Add a model's judgement; for a chapter of a project only.
    #[arg(long)]
    pub(crate) judge: bool,
    /// The judging model, such as deepseek/usual.
    #[arg(long, requires = "judge")]
    pub(crate) model: Option<String>,
    /// Override any setting for the command, such as budget.tokens=50000; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", requires = "judge")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

/// The strictness of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strictness {
    /// Only content rejected by every platform.
    Loose,
    /// Content rejected by most platforms.
    Standard,
    /// Also questionable content.
    Strict,
}

/// Arguments of `stats`.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// The project.
    pub(crate) project: String,
}

/// Arguments of `goals`.
#[derive(Debug, Args)]
pub(crate) struct GoalsArgs {
    /// The project.
    pub(crate) project: String,
    /// Set the length to write in a day; 0 removes the goal.
    #[arg(long, value_name = "LENGTH")]
    pub(crate) day: Option<u32>,
    /// Set the length of the finished book; 0 removes the goal.
    #[arg(long, value_name = "LENGTH")]
    pub(crate) book: Option<u32>,
}

impl From<Strictness> for qingyu_studio::text::Level {
    fn from(strictness: Strictness) -> Self {
        match strictness {
            Strictness::Loose => Self::Loose,
            Strictness::Standard => Self::Standard,
            Strictness::Strict => Self::Strict,
        }
    }
}
