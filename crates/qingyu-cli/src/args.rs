//! The arguments. Their doc comments are the English help; the Chinese one is in `locales/help.zh.ftl`.

mod access;
mod books;
mod chapter;
mod cost;
mod examining;
mod memory;
mod produce;
mod questions;
mod runs;
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
pub(crate) use chapter::*;
pub(crate) use cost::*;
pub(crate) use examining::*;
pub(crate) use memory::*;
pub(crate) use produce::*;
pub(crate) use questions::*;
pub(crate) use runs::*;
pub(crate) use serve::*;
pub(crate) use settling::*;
pub(crate) use shelf::*;
pub(crate) use stories::*;
pub(crate) use tasks::*;
pub(crate) use tools::*;
pub(crate) use writing::*;

/// Plans, casts, plots, checks and corrects long fiction.
#[derive(Debug, Parser)]
#[command(name = "qingyu", version = crate::help::VERSION, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What stands over the options of every command.
const GLOBAL: &str = "Global options";

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// Print one JSON document instead of text.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) json: bool,
    /// The folder of data and settings (else QINGYU_HOME, else the platform's data folder).
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FOLDER")]
    pub(crate) home: Option<PathBuf>,
    /// Work on a server instead of this machine (else QINGYU_SERVER); its key is read from QINGYU_SERVER_KEY.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// The file that the server's key is read from.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "FILE")]
    pub(crate) server_key_file: Option<PathBuf>,
    /// Send the server's key over http:// to another machine, too; whoever listens on the way reads it.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) plain_http: bool,
    /// The language of messages.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "LANG")]
    pub(crate) ui_lang: Option<Tongue>,
    /// When to use colours.
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Write a log to standard error; twice for more (QINGYU_LOG sets it finely).
    #[arg(short, long, global = true, help_heading = GLOBAL, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// A language of messages or of a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tongue {
    /// 中文
    Zh,
    /// English
    En,
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

/// What to do. The groups keep the order of the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Projects(ProjectCommand),
    /// Check the installation, and whether the models answer.
    Doctor(Doctor),
    /// Show the settings, where each comes from and what else can be set, or where the settings file is.
    Config(Config),
    #[command(flatten)]
    Story(StoryCommand),
    #[command(flatten)]
    Books(BookCommand),
    /// Produce content that is no story, in phases, with you: courses, articles, product pages, videos.
    #[command(subcommand)]
    Produce(ProduceCommand),
    /// Draw a project's story as a graph, or the graph that runs go through.
    Graph(Graph),
    /// Serve other programs and other people: HTTP with event streams, gRPC, MCP, A2A, chat kits, on one port.
    Serve(Serve),
    /// List the users of a server, add them, let them in or not.
    #[command(subcommand)]
    Users(UsersCommand),
    /// List the keys that programs and people show, make them, take them back.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Show what was done with users, keys and copies, and check that nothing is missing.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Copy the whole database while it is used, or put a copy back.
    #[command(subcommand)]
    Backup(BackupCommand),
    /// Look at what is remembered of you, and change it.
    #[command(subcommand)]
    Memory(MemoryCommand),
}

/// Work on projects, on an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Make a story from a requirement: plan it, write its material, check and correct it.
    Create(Create),
    /// Write chapters of a project: draft, check, correct, settle.
    Write(Write),
    /// Have a model read chapters that were edited, restored, merged or imported, and report what contradicts the book.
    Read(Read),
    /// Mend what the checker finds in the prose of chapters.
    Correct(Correct),
    /// Write a chapter, or a part of it, anew as you say.
    Rewrite(Rewrite),
    /// Have a task done: taken apart, done by the agents that can, gathered.
    Task(Task),
    /// Go on where a chapter ends: the one you name, or the last that has a text.
    Continue(Continue),
    /// Write a dialogue.
    Dialogue(Dialogue),
    /// Write a scene.
    Scene(Scene),
    /// List the runs, the newest first.
    Runs(Runs),
    /// Show what to do next, from a model to the first chapter.
    Guide,
    /// List the projects: those on the shelf, in the archive, or in the bin.
    Projects(Projects),
    /// Rename a project, archive it, put it into the bin and back, give it a cover.
    Project(Project),
    /// Show a project, or one view of it.
    Show(Show),
    /// Go on with a run that was stopped, failed or waits for a person.
    Resume(Resume),
    /// Play a recorded run again without network, or with another model or prompt.
    Replay(Replay),
    /// Show what a command would cost, before it runs.
    Estimate(Estimate),
    /// Show what was spent.
    Cost(Cost),
    /// List the model providers, and which model serves which role.
    Models(Models),
}

/// One story and what can be done to it, on an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum StoryCommand {
    /// Check a story with the rules, and mend what can be mended for certain.
    Check(Check),
    /// Count what a text or chapter is like: style, emotion, pace, quality.
    Analyze(Analyze),
    /// Look for sensitive words, copied passages and broken rules of a platform.
    Review(Review),
    /// Count over a project: words, dialogue, appearances, progress.
    Stats(Stats),
    /// Let a finding stand, with a reason.
    Waive(Waive),
    /// List the checker's rules, or explain one.
    Rules(Rules),
    /// Ask what is so in a story, as of when, who knows it, and which sentence says so.
    AskFacts(AskFacts),
    /// Search a project: prose, cards, events, facts.
    Search(Search),
    /// Ask about a project, and get an answer with its sources.
    Ask(Ask),
    /// Make the vectors that search lacks, or the whole search index anew.
    Index(Index),
    /// Change the text of a chapter by hand; the story follows.
    Edit(Edit),
    /// Rename, move, add, split, join or delete chapters, each in the outline and in the book.
    #[command(subcommand)]
    Chapter(ChapterCommand),
    /// Make the story's data anew from the accepted prose, and show the difference.
    Reconcile(Reconcile),
    /// Show what a change of a piece would touch.
    Impact(Impact),
    /// List the tools that agents, people and other programs use, or describe one.
    Tools(Tools),
    /// Call a tool on a project.
    Tool(Tool),
    /// Serve the tools, projects and prompts to an MCP client over standard input and output.
    Mcp(Mcp),
    /// Make a project of a story file.
    ImportStory(ImportStory),
    /// Print a story as JSON, as it is or as it was.
    ExportStory(ExportStory),
    /// Show what was done to a story, by whom.
    Log(Log),
    /// Take a change of a story back.
    Undo(Undo),
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Look only at this machine; models on servers are not tried.
    #[arg(long)]
    pub(crate) local: bool,
    /// Write what a bug report needs into one file; no key, text or title is in it.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Write over a file that is there.
    #[arg(long, short, requires = "report")]
    pub(crate) force: bool,
}

/// Arguments of `config`.
#[derive(Debug, Args)]
pub(crate) struct Config {
    /// `path` prints only where the settings file is.
    pub(crate) what: Option<ConfigView>,
    /// With the settings of this project.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
}

/// What `config` shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConfigView {
    /// Where the settings file is.
    Path,
}

impl From<Tongue> for qingyu_studio::story::Language {
    fn from(tongue: Tongue) -> Self {
        match tongue {
            Tongue::Zh => Self::Zh,
            Tongue::En => Self::En,
        }
    }
}
