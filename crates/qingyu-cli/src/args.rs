//! Command-line arguments. The doc comments are the English help; the Chinese help is in `locales/help.zh.ftl`.

mod access;
mod books;
mod breakpoints;
mod chapter;
mod checkpoints;
mod comments;
mod cost;
mod examining;
mod language;
mod members;
mod memory;
mod produce;
mod questions;
mod runs;
mod series;
mod serve;
mod settling;
mod shelf;
mod stories;
mod tasks;
mod tools;
mod writing;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

pub(crate) use access::*;
pub(crate) use books::*;
pub(crate) use breakpoints::*;
pub(crate) use chapter::*;
pub(crate) use checkpoints::*;
pub(crate) use comments::*;
pub(crate) use cost::*;
pub(crate) use examining::*;
pub(crate) use language::*;
pub(crate) use members::*;
pub(crate) use memory::*;
pub(crate) use produce::*;
pub(crate) use questions::*;
pub(crate) use runs::*;
pub(crate) use series::*;
pub(crate) use serve::*;
pub(crate) use settling::*;
pub(crate) use shelf::*;
pub(crate) use stories::*;
pub(crate) use tasks::*;
pub(crate) use tools::*;
pub(crate) use writing::*;

/// The release version, marked `(debug)` in debug builds.
const VERSION: &str =
    if cfg!(debug_assertions) { concat!(env!("CARGO_PKG_VERSION"), " (debug)") } else { env!("CARGO_PKG_VERSION") };

/// Plans, casts, plots, checks and corrects long fiction.
#[derive(Debug, Parser)]
#[command(name = "qingyu", version = VERSION, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Heading of the options shared by every command.
const GLOBAL: &str = "Global options";

/// Options shared by every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct GlobalArgs {
    /// Print one JSON document instead of text.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) json: bool,
    /// The folder of data and settings (default: QINGYU_HOME, then the platform's data folder).
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FOLDER")]
    pub(crate) home: Option<PathBuf>,
    /// Work on a server instead of the local machine (default: QINGYU_SERVER); the server's key is read from
    /// QINGYU_SERVER_KEY.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// The file containing the server's key.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FILE")]
    pub(crate) server_key_file: Option<PathBuf>,
    /// Allow sending the server's key over http:// to another machine, where the network can read the key.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) plain_http: bool,
    /// The language of messages.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "LANG")]
    pub(crate) ui_lang: Option<LanguageArg>,
    /// When to use colours.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Write a log to standard error; repeat for more detail (QINGYU_LOG sets filters).
    #[arg(short, long, global = true, help_heading = GLOBAL, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The top-level commands, in the order of the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Projects(ProjectCommand),
    /// Check the installation, and whether the models respond.
    Doctor(Doctor),
    /// Show the settings with their sources and the settings left at their default, or the path of the settings file.
    Config(Config),
    #[command(flatten)]
    Story(StoryCommand),
    #[command(flatten)]
    Books(BookCommand),
    /// Produce content other than stories with you, in phases: courses, articles, product pages, videos.
    #[command(subcommand)]
    Produce(ProduceCommand),
    /// Draw a project's story as a graph, or the graph executed by runs.
    Graph(Graph),
    /// Serve other programs and people on one port: HTTP with event streams, gRPC, MCP, A2A, chat kits.
    Serve(ServeArgs),
    /// List, add, enable or disable the users of a server.
    #[command(subcommand)]
    Users(UsersCommand),
    /// List, create or revoke the API keys of programs and people.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Show the audit log of users, keys and backups, and verify that no entry is missing.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Back up the whole database while in use, or restore a backup.
    #[command(subcommand)]
    Backup(BackupCommand),
    /// View and edit the memories kept about you.
    #[command(subcommand)]
    Memory(MemoryCommand),
}

/// Commands for projects; they need an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Create a story from a requirement: plan, write the material, check and correct.
    Create(CreateArgs),
    /// Plan a long book: volumes, arcs, and the chapters of the next arcs; what exists stays as it is.
    Plan(PlanArgs),
    /// Write chapters of a project: draft, check, correct, settle.
    Write(WriteArgs),
    /// Have a model read edited, restored, merged or imported chapters, and report contradictions of the book.
    Read(ReadArgs),
    /// Fix the checker's findings in the prose of chapters.
    Correct(CorrectArgs),
    /// Rewrite a chapter, or a part of a chapter, as instructed.
    Rewrite(RewriteArgs),
    /// Split a task into parts, run them with suitable agents, and collect the results.
    Task(TaskArgs),
    /// Continue a chapter from its end (default: the last chapter with a text).
    Continue(ContinueArgs),
    /// Write a dialogue.
    Dialogue(DialogueArgs),
    /// Write a scene.
    Scene(SceneArgs),
    /// List the runs, newest first, or read, edit and fork the history of a run.
    Runs(RunsArgs),
    /// Show the next steps, from choosing a model to the first chapter.
    Guide,
    /// List the active, archived or deleted projects.
    Projects(Projects),
    /// Rename, archive, delete or restore a project, or set its cover.
    Project(ProjectArgs),
    /// Show a project, or one view of a project.
    Show(ShowArgs),
    /// Resume a run that was stopped, has failed or waits for a person.
    Resume(ResumeArgs),
    /// Replay a recorded run without network, or with another model or prompt.
    Replay(ReplayArgs),
    /// Show the expected cost of a command before running it.
    Estimate(EstimateArgs),
    /// Show the money and tokens spent.
    Cost(CostArgs),
    /// List the model providers, and the models serving each role.
    Models(ModelsArgs),
}

/// Commands for one story; they need an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum StoryCommand {
    /// Check a story with the rules, and apply certain fixes.
    Check(CheckArgs),
    /// Measure a text or chapter: style, emotion, pace, quality.
    Analyze(AnalyzeArgs),
    /// Take a reference book apart into its structure, without a model, and make a genre from it.
    Teardown(TeardownArgs),
    /// Look for sensitive words, copied passages and violated platform rules.
    Review(ReviewArgs),
    /// Show statistics of a project: words, dialogue, appearances, progress.
    Stats(StatsArgs),
    /// Show the goals, the words of each day and the streak, or set goals.
    Goals(GoalsArgs),
    /// Set, describe, show or remove the picture of a character, place, item or organisation.
    Picture(PictureArgs),
    /// Waive a finding, with a reason.
    Waive(WaiveArgs),
    /// List genres, or show one: what readers expect, and what to avoid.
    Genres(GenresArgs),
    /// List the checker's rules, or explain a rule.
    Rules(RulesArgs),
    /// Query the facts of a story: their values, times, knowing characters and source sentences.
    AskFacts(AskFacts),
    /// Search a project: prose, cards, events, facts.
    Search(SearchArgs),
    /// Ask a question about a project, and get an answer with sources.
    Ask(AskArgs),
    /// Compute missing search vectors, or rebuild the whole search index.
    Index(IndexArgs),
    /// Edit the text of a chapter by hand; the story is updated.
    Edit(EditArgs),
    /// Write a book as a folder of Markdown, and bring chapters back that were edited there.
    Mirror(MirrorArgs),
    /// Rename, move, insert, split, join or delete chapters, in the outline and in the book.
    #[command(subcommand)]
    Chapter(ChapterCommand),
    /// List, add, answer, resolve or delete comments on words of chapters, or suggest other words.
    #[command(subcommand)]
    Comments(CommentsCommand),
    /// List, add, change or remove the members of a project, with their roles.
    #[command(subcommand)]
    Members(MembersCommand),
    /// Show, add, move or remove the books before a book: its series, or its canon.
    #[command(subcommand)]
    Series(SeriesCommand),
    /// Derive the story's data again from the accepted prose, and show the difference.
    Reconcile(ReconcileArgs),
    /// Show the pieces affected by a change of a piece.
    Impact(ImpactArgs),
    /// List the tools for agents, people and other programs, or describe a tool.
    Tools(ToolsArgs),
    /// Call a tool on a project.
    Tool(ToolArgs),
    /// Serve the tools, projects and prompts to an MCP client over standard input and output.
    Mcp(McpArgs),
    /// Create a project from a story file.
    ImportStory(ImportStory),
    /// Print a story as JSON, in its current or an earlier version.
    ExportStory(ExportStory),
    /// Show the changes of a story with their authors.
    Log(LogArgs),
    /// Undo a change of a story.
    Undo(UndoArgs),
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Check the local machine only; skip models on servers.
    #[arg(long)]
    pub(crate) local: bool,
    /// Write diagnostics for a bug report to the given file, without keys, texts or titles.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long, short, requires = "report")]
    pub(crate) force: bool,
}

/// Arguments of `config`.
#[derive(Debug, Args)]
pub(crate) struct Config {
    /// `path` prints only the path of the settings file.
    pub(crate) what: Option<ConfigView>,
    /// Include the settings of the given project.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
}

/// The output of `config`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConfigView {
    /// Print the path of the settings file.
    Path,
}
