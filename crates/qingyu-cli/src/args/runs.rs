//! Arguments of the commands creating a story and showing the results.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::breakpoints::BreakpointArgs;
use super::language::LanguageArg;

/// Arguments of `create`.
#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// The story to write, in your own words; `-` reads standard input, `@FILE` a file. Cast, places and chapters of an
    /// outline in Markdown are read from its tables, lists and headings.
    pub(crate) requirement: String,
    /// The language of the work (default: the language of the requirement).
    #[arg(long, value_name = "LANG")]
    pub(crate) lang: Option<LanguageArg>,
    /// Extend or change the given project instead of creating a new project.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// The title of a new project.
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The genre, such as wuxia; wins over your words.
    #[arg(long)]
    pub(crate) genre: Option<String>,
    /// The target audience, such as teenagers; wins over your words.
    #[arg(long)]
    pub(crate) audience: Option<String>,
    /// The number of chapters; wins over your words.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=2_000))]
    pub(crate) chapters: Option<u32>,
    /// The model for every role, such as deepseek/usual or offline-rules-1.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Offer three directions for a new book to choose from before planning.
    #[arg(long)]
    pub(crate) directions: bool,
    /// Maximum correction rounds before asking a person.
    #[arg(long, value_name = "ROUNDS")]
    pub(crate) max_iterations: Option<u32>,
    /// Use the default plan without calling the planner.
    #[arg(long)]
    pub(crate) no_planner: bool,
    /// Review once without corrections; a failed review waits for you.
    #[arg(long, conflicts_with = "max_iterations")]
    pub(crate) no_meta_scheduler: bool,
    /// Give the agents no material beyond the dependencies of their step.
    #[arg(long)]
    pub(crate) no_workspace_context: bool,
    /// Retrieve no passages.
    #[arg(long)]
    pub(crate) no_rag: bool,
    /// Query no knowledge graph.
    #[arg(long)]
    pub(crate) no_knowledge_graph: bool,
    /// Override any setting for the command, such as pipeline.max_iterations=2; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) breakpoints: BreakpointArgs,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

/// Options for following a run.
#[derive(Debug, Clone, Args)]
pub(crate) struct WatchArgs {
    /// Print each event as a line of JSON.
    #[arg(long, conflicts_with = "json")]
    pub(crate) events: bool,
    /// Never ask: stop when a person must decide (exit code 3).
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Print only the result.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The project, or a run of the project; an id prefix is enough.
    pub(crate) project: String,
    /// The view (default: an overview).
    pub(crate) view: Option<ShowView>,
    /// Only one character; for panel.
    #[arg(long, value_name = "NAME")]
    pub(crate) who: Option<String>,
    /// As of an event, a time or the end of a chapter, such as chapter:12; for panel (default: the newest).
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) at: Option<String>,
}

/// A view of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowView {
    /// The outline as a tree.
    Outline,
    /// The characters as cards.
    Characters,
    /// The relations between the characters.
    Relations,
    /// The events on a timeline.
    Timeline,
    /// The world.
    World,
    /// The ladders of the world: realms, ranks, levels.
    Ladder,
    /// The numbers and steps of the characters, with the sentences that say so.
    Panel,
    /// The plot.
    Plot,
    /// The style guide.
    Style,
    /// The report of the last review.
    Report,
    /// The reasoning of the last run.
    Reasoning,
    /// The run, agent, prompt and model behind each piece.
    Provenance,
}

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run, or a project for its newest run; an id prefix is enough.
    pub(crate) run: String,
    /// Accept the material as proposed.
    #[arg(long, group = "answer")]
    pub(crate) approve: bool,
    /// Reject the material, with feedback.
    #[arg(long, group = "answer", value_name = "FEEDBACK")]
    pub(crate) reject: Option<String>,
    /// Replace the material by the given JSON file; `-` reads standard input.
    #[arg(long, group = "answer", value_name = "FILE")]
    pub(crate) edit: Option<PathBuf>,
    /// Choose a direction by its number, with changes: "1 conflict=2 the ending is warm".
    #[arg(long, group = "answer", value_name = "NUMBER")]
    pub(crate) direction: Option<String>,
    /// The agents for the parts of a task whose words do not decide it, in the order of the question.
    #[arg(long, group = "answer", value_name = "NAMES", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,
    /// Override any setting for the command, such as budget.money=8; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) breakpoints: BreakpointArgs,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}
