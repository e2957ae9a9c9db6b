//! Arguments of the commands that count and review texts; a model is asked only with `--judge`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Watch;

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// A text file, or a project; `-` reads standard input.
    pub(crate) subject: String,
    /// A chapter of the project: its number, title or id (else the whole book).
    pub(crate) chapter: Option<String>,
    /// What to look at (else all).
    #[arg(long, value_name = "ASPECT", value_delimiter = ',')]
    pub(crate) aspect: Vec<Aspect>,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

/// What can be looked at in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Aspect {
    /// Sentences, paragraphs, dialogue.
    Style,
    /// What is felt, along the text.
    Emotion,
    /// How quick it is, along the text.
    Pace,
    /// Variety and readability.
    Quality,
}

/// Arguments of `review`.
#[derive(Debug, Args)]
pub(crate) struct Review {
    /// A text file, or a project; `-` reads standard input.
    pub(crate) subject: String,
    /// A chapter of the project: its number, title or id (else all).
    pub(crate) chapter: Option<String>,
    /// How strictly (else as the platform does).
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Option<Strictness>,
    /// Whose rules: general, qidian, fanqie, or a file ending in .toml.
    #[arg(long, value_name = "NAME")]
    pub(crate) platform: Option<String>,
    /// A text that nothing may be copied from; may be given often.
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

/// Whether a model judges on top of what is found, and which.
#[derive(Debug, Args)]
pub(crate) struct Judging {
    /// Have a model judge on top: a chapter of a project only.
    #[arg(long)]
    pub(crate) judge: bool,
    /// The model that judges, such as deepseek/usual.
    #[arg(long, requires = "judge")]
    pub(crate) model: Option<String>,
    /// Set any setting for this command, such as budget.tokens=50000; may be given often.
    #[arg(long, value_name = "KEY=VALUE", requires = "judge")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) watch: Watch,
}

/// How strictly a text is reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strictness {
    /// Only what no platform takes.
    Loose,
    /// What most platforms object to.
    Standard,
    /// Also what could be objected to.
    Strict,
}

/// Arguments of `stats`.
#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// The project.
    pub(crate) project: String,
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
