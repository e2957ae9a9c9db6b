//! Arguments of the commands for costs, models and replays.

use clap::{Args, Subcommand, ValueEnum};
use qingyu_studio::SpendingBy;

use super::writing::ChapterSelection;

/// Arguments of `replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The run (an id prefix is enough), or a cassette file.
    pub(crate) source: String,
    /// The model for unrecorded calls; ROLE=MODEL applies to a single role.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Override a prompt, such as outline/generate.zh.md=FILE, or all prompts of a folder.
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) prompt: Vec<String>,
    /// Keep the resulting project.
    #[arg(long)]
    pub(crate) keep: bool,
    /// The title of the kept project.
    #[arg(long, requires = "keep")]
    pub(crate) title: Option<String>,
}

/// Arguments of `estimate`.
#[derive(Debug, Args)]
pub(crate) struct EstimateArgs {
    /// The command to estimate.
    pub(crate) command: EstimableCommand,
    /// The subject of the command: a requirement, a project, a file or a task.
    pub(crate) subject: String,
    /// The project `create` would extend.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// The chapters, such as 1-3,7 (default: all without a text, or not yet read by a model).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterSelection>,
    /// Characters (Chinese) or words (English) per chapter (default: from the outline).
    #[arg(long, value_name = "COUNT")]
    pub(crate) words: Option<u32>,
    /// The model for every role.
    #[arg(long)]
    pub(crate) model: Option<String>,
}

/// A command with an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EstimableCommand {
    /// Creating a story.
    Create,
    /// Writing chapters.
    Write,
    /// Reading chapters with a model.
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
pub(crate) struct CostArgs {
    /// The project or run (default: everything).
    pub(crate) of: Option<String>,
    /// The grouping of the costs.
    #[arg(long, value_name = "WHAT")]
    pub(crate) by: Option<SpendingGrouping>,
}

/// A grouping of costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpendingGrouping {
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
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ModelsCommand>,
    /// List the known prices instead.
    #[arg(long)]
    pub(crate) prices: bool,
    /// Fetch the models available to your keys from the providers, and store the lists.
    #[arg(long)]
    pub(crate) refresh: bool,
}

/// Actions on models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Store the key of a provider in the data folder, read from standard input and never shown.
    Key(ModelKey),
    /// Test a model with a short text and a small JSON value, and show the responses. Costs a few tokens.
    Try(TryModel),
}

/// Arguments of `models key`.
#[derive(Debug, Args)]
pub(crate) struct ModelKey {
    /// The provider, such as deepseek (see qingyu models).
    pub(crate) provider: String,
    /// Delete the key from the data folder instead.
    #[arg(long)]
    pub(crate) remove: bool,
}

/// Arguments of `models try`.
#[derive(Debug, Args)]
pub(crate) struct TryModel {
    /// The model, such as deepseek/usual (default: the default model).
    pub(crate) model: Option<String>,
}

impl From<SpendingGrouping> for SpendingBy {
    fn from(by: SpendingGrouping) -> Self {
        match by {
            SpendingGrouping::Run => Self::Run,
            SpendingGrouping::Project => Self::Project,
            SpendingGrouping::Chapter => Self::Chapter,
            SpendingGrouping::Agent => Self::Agent,
            SpendingGrouping::Purpose => Self::Purpose,
            SpendingGrouping::Model => Self::Model,
            SpendingGrouping::Day => Self::Day,
        }
    }
}
