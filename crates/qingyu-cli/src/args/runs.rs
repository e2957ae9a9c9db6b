//! Arguments of the commands that make a story, and look at what was made.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Tongue;

/// Arguments of `create`.
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// What to write, in your own words; `-` reads standard input, `@FILE` a file.
    pub(crate) requirement: String,
    /// The language of the work (else that of the requirement).
    #[arg(long, value_name = "LANG")]
    pub(crate) lang: Option<Tongue>,
    /// Extend or change this project instead of beginning a new one.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// The title of a new project.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The model for every role, such as deepseek/usual or offline-rules-1.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Offer three directions of a new book to choose from before it is planned.
    #[arg(long)]
    pub(crate) directions: bool,
    /// The most correction rounds before a person is asked.
    #[arg(long, value_name = "ROUNDS")]
    pub(crate) max_iterations: Option<u32>,
    /// Use the default plan instead of asking the planner.
    #[arg(long)]
    pub(crate) no_planner: bool,
    /// Review once, correct nothing: what does not pass waits for you.
    #[arg(long, conflicts_with = "max_iterations")]
    pub(crate) no_meta_scheduler: bool,
    /// Show the agents no material beside what their step depends on.
    #[arg(long)]
    pub(crate) no_workspace_context: bool,
    /// Look up no passages.
    #[arg(long)]
    pub(crate) no_rag: bool,
    /// Look up no connections.
    #[arg(long)]
    pub(crate) no_knowledge_graph: bool,
    /// Set any setting for this command, such as pipeline.max_iterations=2; may be given often.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) watch: Watch,
}

/// Arguments of `runs`.
#[derive(Debug, Args)]
pub(crate) struct Runs {
    /// Only those of this project.
    pub(crate) project: Option<String>,
    /// Only those that are worked on or wait for you.
    #[arg(long)]
    pub(crate) open: bool,
    /// How many at most.
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) limit: u32,
    /// Only those that come after this run in the list.
    #[arg(long, value_name = "RUN")]
    pub(crate) after: Option<String>,
}

/// How a run is watched.
#[derive(Debug, Clone, Args)]
pub(crate) struct Watch {
    /// Print each event as a line of JSON.
    #[arg(long, conflicts_with = "json")]
    pub(crate) events: bool,
    /// Never ask: stop where a person must decide (exit code 3).
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Say only what came of it.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The project, or one of its runs; the beginning of the id is enough.
    pub(crate) project: String,
    /// The view; an overview without one.
    pub(crate) view: Option<View>,
}

/// A view of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// The outline as a tree.
    Outline,
    /// The characters as cards.
    Characters,
    /// What is between the characters.
    Relations,
    /// The events on a line of time.
    Timeline,
    /// The world.
    World,
    /// The plot.
    Plot,
    /// The style guide.
    Style,
    /// The report of the last review.
    Report,
    /// How the last run came to what it made.
    Reasoning,
    /// Which run, agent, prompt and model made each piece.
    Provenance,
}

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The run, or a project for its newest run; the beginning of the id is enough.
    pub(crate) run: String,
    /// Take the material as it is.
    #[arg(long, group = "answer")]
    pub(crate) approve: bool,
    /// Send it back, and say what is wrong.
    #[arg(long, group = "answer", value_name = "FEEDBACK")]
    pub(crate) reject: Option<String>,
    /// Take the material of this JSON file instead; `-` reads standard input.
    #[arg(long, group = "answer", value_name = "FILE")]
    pub(crate) edit: Option<PathBuf>,
    /// Take a direction by its number, mixed and added to: "1 conflict=2 the ending is warm".
    #[arg(long, group = "answer", value_name = "NUMBER")]
    pub(crate) direction: Option<String>,
    /// Set any setting for this command, such as budget.money=8; may be given often.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) watch: Watch,
}
