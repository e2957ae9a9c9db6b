//! `qingyu memory` and its arguments.

use clap::{Args, Subcommand, ValueEnum};

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
