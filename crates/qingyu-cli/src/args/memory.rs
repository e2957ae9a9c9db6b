//! Arguments of `qingyu memory`.

use clap::{Args, Subcommand, ValueEnum};

/// Commands for the memories kept about the user; they need an open studio.
#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List the memories with their evidence.
    List(ListMemories),
    /// Add a memory.
    Add(AddMemory),
    /// Edit a memory, or enable or disable it.
    Edit(EditMemory),
    /// Delete a memory, or all of them.
    Forget(ForgetMemory),
}

/// Arguments of `memory list`.
#[derive(Debug, Args)]
pub(crate) struct ListMemories {
    /// Only memories matching the words, best first.
    pub(crate) words: Option<String>,
    /// Only memories of the given kind.
    #[arg(long)]
    pub(crate) kind: Option<MemoryKind>,
    /// Only memories valid in the given project, including global memories.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
    /// The remembered turns of the given session instead.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["words", "kind", "project"])]
    pub(crate) session: Option<String>,
}

/// Arguments of `memory add`.
#[derive(Debug, Args)]
pub(crate) struct AddMemory {
    /// The text to remember; `-` reads standard input, `@FILE` a file.
    pub(crate) text: String,
    /// The kind of memory.
    #[arg(long, default_value = "preference")]
    pub(crate) kind: MemoryKind,
    /// Limit the memory to the given project.
    #[arg(long, value_name = "PROJECT")]
    pub(crate) project: Option<String>,
}

/// Arguments of `memory edit`.
#[derive(Debug, Args)]
pub(crate) struct EditMemory {
    /// The memory; an id prefix is enough.
    pub(crate) memory: String,
    /// The new text.
    #[arg(long, required_unless_present_any = ["on", "off"])]
    pub(crate) text: Option<String>,
    /// Enable the memory for the agents.
    #[arg(long, conflicts_with = "off")]
    pub(crate) on: bool,
    /// Disable the memory for the agents, even if observed again.
    #[arg(long)]
    pub(crate) off: bool,
}

/// Arguments of `memory forget`.
#[derive(Debug, Args)]
pub(crate) struct ForgetMemory {
    /// The memory; an id prefix is enough.
    #[arg(required_unless_present_any = ["all", "session"], conflicts_with = "all")]
    pub(crate) memory: Option<String>,
    /// Delete all memories.
    #[arg(long)]
    pub(crate) all: bool,
    /// Forget the given session.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["memory", "all"])]
    pub(crate) session: Option<String>,
    /// Delete without asking for confirmation.
    #[arg(long = "yes", short = 'y')]
    pub(crate) unasked: bool,
}

/// A kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryKind {
    /// A like or dislike of yours, shown to agents.
    Preference,
    /// A past event.
    History,
    /// Knowledge of yours.
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
