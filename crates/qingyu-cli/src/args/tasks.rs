//! Arguments of the commands for agent tasks.

use std::path::PathBuf;

use clap::Args;

use super::writing::RunControlArgs;

/// Arguments of `task`.
#[derive(Debug, Args)]
pub(crate) struct TaskArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The task, in your own words; `-` reads standard input.
    pub(crate) task: String,
    /// The agent for the whole task, such as checker (default: selected from your words).
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The agents that do the task one after the other, such as analysis,creative; each gets the result before it.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "agent")]
    pub(crate) agents: Vec<String>,
    /// The chapter to work on: a number or a title.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) chapter: Option<String>,
    /// The text to work on; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "chapter")]
    pub(crate) text: Option<PathBuf>,
    /// Timeout of each part, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,
    /// Change the texts of the project without asking.
    #[arg(long, conflicts_with = "dry")]
    pub(crate) save: bool,
    /// Show the changes without saving.
    #[arg(long)]
    pub(crate) dry: bool,
    /// The session: what was said in it within the last hour is told to the model.
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `continue`.
#[derive(Debug, Args)]
pub(crate) struct ContinueArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The chapter to continue: a number or a title (default: the last chapter with a text).
    pub(crate) chapter: Option<String>,
    /// The next events, in your own words (default: following from the chapter).
    #[arg(long, value_name = "TEXT")]
    pub(crate) with: Option<String>,
    #[command(flatten)]
    pub(crate) piece: ProseArgs,
}

/// Arguments of `dialogue`.
#[derive(Debug, Args)]
pub(crate) struct DialogueArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The speakers and their subject, in your own words; `-` reads standard input.
    pub(crate) about: String,
    /// The chapter of the dialogue: a number or a title.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) chapter: Option<String>,
    #[command(flatten)]
    pub(crate) piece: ProseArgs,
}

/// Arguments of `scene`.
#[derive(Debug, Args)]
pub(crate) struct SceneArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The content of the scene, in your own words; `-` reads standard input.
    pub(crate) about: String,
    /// The chapter of the scene: a number or a title.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) chapter: Option<String>,
    /// The place and time of the scene.
    #[arg(long, value_name = "TEXT")]
    pub(crate) setting: Option<String>,
    #[command(flatten)]
    pub(crate) piece: ProseArgs,
}

/// Options of the commands writing a piece of prose.
#[derive(Debug, Args)]
pub(crate) struct ProseArgs {
    /// The characters taking part, such as 林深,苏曼 (default: the chapter's characters).
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) characters: Vec<String>,
    /// Target length in characters (Chinese) or words (English).
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(20..=20_000))]
    pub(crate) words: Option<u32>,
    /// Append the text to the chapter (default: only print the text).
    #[arg(long)]
    pub(crate) save: bool,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}
