//! Arguments of the commands about what runs cost, and of playing them again.

use clap::{Args, Subcommand, ValueEnum};
use qingyu_studio::SpendingBy;

use super::Chapters;

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The run (the beginning of its id is enough), or a cassette file.
    pub(crate) source: String,
    /// Ask this model for what was not recorded; ROLE=MODEL asks it in that role only.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Run with another prompt, such as outline/generate.zh.md=FILE; or a folder of prompts.
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) prompt: Vec<String>,
    /// Keep the project.
    #[arg(long)]
    pub(crate) keep: bool,
    /// The title of the project that is kept.
    #[arg(long, requires = "keep")]
    pub(crate) title: Option<String>,
}

/// Arguments of `estimate`.
#[derive(Debug, Args)]
pub(crate) struct Estimate {
    /// The command that would be given.
    pub(crate) command: Estimated,
    /// What it is about: a requirement, a project, a file or a task.
    pub(crate) subject: String,
    /// The project that `create` would extend.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// Which chapters, such as 1-3,7 (else all that have no text, or that no model has read).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<Chapters>,
    /// Characters (Chinese) or words (English) of a chapter (else the outline's).
    #[arg(long, value_name = "COUNT")]
    pub(crate) words: Option<u32>,
    /// The model for every role.
    #[arg(long)]
    pub(crate) model: Option<String>,
}

/// A command that can be estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Estimated {
    /// Making a story.
    Create,
    /// Writing chapters.
    Write,
    /// Having a model read chapters.
    Read,
    /// Analysing a text with --judge.
    Analyze,
    /// Reviewing a text before it is published, with --judge.
    Review,
    /// A task in your own words.
    Task,
}

/// Arguments of `cost`.
#[derive(Debug, Args)]
pub(crate) struct Cost {
    /// The project or run (else everything).
    pub(crate) of: Option<String>,
    /// By what it is told apart.
    #[arg(long, value_name = "WHAT")]
    pub(crate) by: Option<By>,
}

/// By what spending is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The run.
    Run,
    /// The project.
    Project,
    /// The chapter.
    Chapter,
    /// The agent.
    Agent,
    /// The purpose.
    Purpose,
    /// The model.
    Model,
    /// The day.
    Day,
}

/// Arguments of `models`.
#[derive(Debug, Args)]
pub(crate) struct Models {
    #[command(subcommand)]
    pub(crate) command: Option<ModelsCommand>,
    /// List the prices that are known instead.
    #[arg(long)]
    pub(crate) prices: bool,
    /// Ask the providers which models your keys can use, and keep what they list.
    #[arg(long)]
    pub(crate) refresh: bool,
}

/// What is done with models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Keep the key of a provider in the data folder; it is read from standard input and never shown.
    Key(ModelKey),
    /// Ask a model for a few words and a small JSON value, and tell what came back. Costs a few tokens.
    Try(TryModel),
}

/// Arguments of `models key`.
#[derive(Debug, Args)]
pub(crate) struct ModelKey {
    /// The provider, such as deepseek; `qingyu models` lists them.
    pub(crate) provider: String,
    /// Take the key out of the data folder instead.
    #[arg(long)]
    pub(crate) remove: bool,
}

/// Arguments of `models try`.
#[derive(Debug, Args)]
pub(crate) struct TryModel {
    /// The model, such as deepseek/usual (otherwise the one that serves by default).
    pub(crate) model: Option<String>,
}

impl From<By> for SpendingBy {
    fn from(by: By) -> Self {
        match by {
            By::Run => Self::Run,
            By::Project => Self::Project,
            By::Chapter => Self::Chapter,
            By::Agent => Self::Agent,
            By::Purpose => Self::Purpose,
            By::Model => Self::Model,
            By::Day => Self::Day,
        }
    }
}
