//! The arguments. Their doc comments are the English help; the Chinese one is in `locales/help.zh.ftl`.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

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
    /// Check the installation.
    Doctor,
    /// Show the settings and where each comes from, or where the settings file is.
    Config(Config),
    #[command(flatten)]
    Story(StoryCommand),
    /// Draw a project's story as a graph, or the graph that runs go through.
    Graph(Graph),
    /// Look at what is remembered of you, and change it.
    #[command(subcommand)]
    Memory(MemoryCommand),
}

/// What is remembered of the user, on an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List what is remembered, with what it rests on.
    List(ListMemories),
    /// Remember something.
    Add(AddMemory),
    /// Change what is remembered, or switch it on or off.
    Edit(EditMemory),
    /// Forget something, or everything.
    Forget(ForgetMemory),
}

/// Arguments of `memory list`.
#[derive(Debug, Args)]
pub(crate) struct ListMemories {
    /// Only what has these words, best first.
    pub(crate) words: Option<String>,
    /// Only this kind.
    #[arg(long)]
    pub(crate) kind: Option<MemoryKind>,
    /// Only what holds in this project: its own, and what holds in every project.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
}

/// Arguments of `memory add`.
#[derive(Debug, Args)]
pub(crate) struct AddMemory {
    /// What to remember, in your own words; `-` reads standard input, `@FILE` a file.
    pub(crate) text: String,
    /// What it is about.
    #[arg(long, default_value = "preference")]
    pub(crate) kind: MemoryKind,
    /// Only in this project.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
}

/// Arguments of `memory edit`.
#[derive(Debug, Args)]
pub(crate) struct EditMemory {
    /// The memory; the beginning of the id is enough.
    pub(crate) memory: String,
    /// Other words for it.
    #[arg(long, required_unless_present_any = ["on", "off"])]
    pub(crate) text: Option<String>,
    /// Tell it to the agents from now on.
    #[arg(long, conflicts_with = "off")]
    pub(crate) on: bool,
    /// Keep it from the agents, also if it is seen again.
    #[arg(long)]
    pub(crate) off: bool,
}

/// Arguments of `memory forget`.
#[derive(Debug, Args)]
pub(crate) struct ForgetMemory {
    /// The memory; the beginning of the id is enough.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub(crate) memory: Option<String>,
    /// Everything.
    #[arg(long)]
    pub(crate) all: bool,
    /// Do not ask before everything is forgotten.
    #[arg(long = "yes", short = 'y')]
    pub(crate) unasked: bool,
}

/// What a memory is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryKind {
    /// What you like and do not like; agents are told.
    Preference,
    /// What was done.
    History,
    /// What you know.
    Knowledge,
}

impl From<MemoryKind> for qingyu_studio::memory::long_term::Kind {
    fn from(kind: MemoryKind) -> Self {
        match kind {
            MemoryKind::Preference => Self::Preference,
            MemoryKind::History => Self::History,
            MemoryKind::Knowledge => Self::Knowledge,
        }
    }
}

/// Work on projects, on an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Make a story from a requirement: plan it, write its material, check and correct it.
    Create(Create),
    /// List the runs.
    Runs,
    /// List the projects.
    Projects,
    /// Show a project, or one view of it.
    Show(Show),
    /// Go on with a run that was stopped, failed or waits for a person.
    Resume(Resume),
    /// List the model providers, and which model serves which role.
    Models,
}

/// One story and what can be done to it, on an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum StoryCommand {
    /// Check a story with the rules, and mend what can be mended for certain.
    Check(Check),
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
    /// The model for every role, such as deepseek/deepseek-chat or offline-rules-1.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The most correction rounds before a person is asked.
    #[arg(long, value_name = "ROUNDS")]
    pub(crate) max_iterations: Option<u32>,
    /// Use the default plan instead of asking the planner.
    #[arg(long)]
    pub(crate) no_planner: bool,
    /// Review once, correct nothing.
    #[arg(long)]
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
    /// Set any setting for this run, such as pipeline.max_iterations=2; may be given often.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) watch: Watch,
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
    #[command(flatten)]
    pub(crate) watch: Watch,
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

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// The code of a rule, such as QY101.
    pub(crate) code: Option<String>,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The project, or a story file ending in .json.
    pub(crate) project: String,
    /// Only rules whose codes begin so, such as QY2 or QS011; may be given often.
    #[arg(long, value_name = "CODE")]
    pub(crate) rule: Vec<String>,
    /// Carry out the remedies that are certain; `undo` takes them back.
    #[arg(long, conflicts_with = "sarif")]
    pub(crate) fix: bool,
    /// Print the findings in the format SARIF 2.1.0.
    #[arg(long, conflicts_with = "json")]
    pub(crate) sarif: bool,
}

/// Arguments of `waive`.
#[derive(Debug, Args)]
pub(crate) struct Waive {
    /// The project.
    pub(crate) project: String,
    /// The id of the finding, such as QY101-5f2a91, or the code of a rule for all its findings.
    pub(crate) finding: String,
    /// Why it may stand.
    #[arg(long)]
    pub(crate) reason: String,
    /// Who says so.
    #[arg(long, default_value = "author")]
    pub(crate) owner: String,
}

/// Arguments of `ask-facts`.
#[derive(Debug, Args)]
pub(crate) struct AskFacts {
    /// The project.
    pub(crate) project: String,
    /// Whom or what it is about: a name, an alias or an id.
    pub(crate) about: Option<String>,
    /// Only this predicate, such as location or 持有.
    #[arg(long)]
    pub(crate) predicate: Option<String>,
    /// As of when: an event, a time in the story's words, or a chapter, for what has been told by its end.
    #[arg(long, value_name = "WHEN")]
    pub(crate) as_of: Option<String>,
}

/// Arguments of `search`.
#[derive(Debug, Args)]
pub(crate) struct Search {
    /// The project.
    pub(crate) project: String,
    /// Words, or a question; `-` reads standard input, `@FILE` a file.
    pub(crate) text: String,
    /// Only such pieces: character, chapter, event, location, item, fact and the other kinds, with commas between.
    #[arg(long = "type", value_name = "KINDS", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
    /// Only what fits this condition, such as 'role_type = protagonist and traits contains brave'.
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// Only what is told before this chapter.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) before: Option<u32>,
    /// How many hits at most.
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) limit: u16,
    /// Let a model put the hits in order.
    #[arg(long)]
    pub(crate) rerank: bool,
    /// Show what found each hit, and its rank there.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Arguments of `ask`.
#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The project.
    pub(crate) project: String,
    /// The question; `-` reads standard input, `@FILE` a file.
    pub(crate) question: String,
    /// Only from what is told before this chapter.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) before: Option<u32>,
    /// The most tokens that the passages may cost which the answer is made from (6000).
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<u64>,
    /// Show all passages that were looked at, not only those the answer rests on.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Arguments of `index`.
#[derive(Debug, Args)]
pub(crate) struct Index {
    /// The project.
    pub(crate) project: String,
    /// Throw the index away and make it anew.
    #[arg(long)]
    pub(crate) rebuild: bool,
}

/// Arguments of `impact`.
#[derive(Debug, Args)]
pub(crate) struct Impact {
    /// The project.
    pub(crate) project: String,
    /// The piece that changes: its id, name or alias.
    pub(crate) piece: String,
    /// How many steps to follow; all without it.
    #[arg(long)]
    pub(crate) steps: Option<usize>,
}

/// Arguments of `tools`.
#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// The name of a tool, such as character_tool.
    pub(crate) name: Option<String>,
}

/// Arguments of `tool`.
#[derive(Debug, Args)]
pub(crate) struct Tool {
    /// The project.
    pub(crate) project: String,
    /// The tool, such as character_tool.
    pub(crate) tool: String,
    /// Its arguments as JSON; `-` reads standard input, `@FILE` a file.
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,
}

/// Arguments of `mcp`.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// The project that is meant where a call names none.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// What the client may do.
    #[arg(long, value_name = "WHAT", default_value = "write")]
    pub(crate) allow: Allow,
}

/// What a client may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allow {
    /// Look.
    Read,
    /// Change projects.
    Write,
    /// Use the tools of other servers as well.
    Admin,
}

/// Arguments of `import-story`.
#[derive(Debug, Args)]
pub(crate) struct ImportStory {
    /// The file (see docs/story-format.md); `-` reads standard input.
    pub(crate) file: PathBuf,
    /// The title of the project.
    #[arg(long)]
    pub(crate) title: Option<String>,
}

/// Arguments of `export-story`.
#[derive(Debug, Args)]
pub(crate) struct ExportStory {
    /// The project.
    pub(crate) project: String,
    /// As it was after this change; 0 for before the first.
    #[arg(long, value_name = "CHANGE")]
    pub(crate) at: Option<u64>,
}

/// Arguments of `log`.
#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The project.
    pub(crate) project: String,
}

/// Arguments of `undo`.
#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The project.
    pub(crate) project: String,
    /// The number of the change; the newest without it.
    pub(crate) change: Option<u64>,
}

/// Arguments of `graph`.
#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// The project, or a graph that runs go through, such as pipeline; a list of these without it.
    pub(crate) name: Option<String>,
    /// Of a story, as of when: chapter:30, an event, or a time in the story's words.
    #[arg(long, value_name = "WHEN", requires = "name")]
    pub(crate) as_of: Option<String>,
    /// Of a story, only what this pattern finds, such as '(x:Character)-[:enemy_of]-(y) return x, y'.
    #[arg(long = "match", value_name = "PATTERN", requires = "name")]
    pub(crate) pattern: Option<String>,
    /// Of a story, the most pieces that are drawn (40).
    #[arg(long, value_name = "COUNT", requires = "name")]
    pub(crate) most: Option<usize>,
    /// How it is drawn.
    #[arg(long, value_name = "FORMAT", default_value = "mermaid")]
    pub(crate) format: GraphFormat,
    /// Write the drawing to this file.
    #[arg(long, short, value_name = "FILE", requires = "name")]
    pub(crate) output: Option<PathBuf>,
}

/// How a graph is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Text that Markdown viewers draw.
    Mermaid,
    /// A picture.
    Svg,
    /// Nodes and edges as data.
    Json,
}

impl From<Tongue> for qingyu_studio::story::Language {
    fn from(tongue: Tongue) -> Self {
        match tongue {
            Tongue::Zh => Self::Zh,
            Tongue::En => Self::En,
        }
    }
}
