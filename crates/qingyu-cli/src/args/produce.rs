//! Arguments of the commands that produce content in phases.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Tongue, Working};

/// What can be done with a production.
#[derive(Debug, Subcommand)]
pub(crate) enum ProduceCommand {
    /// Begin a production: from a sentence, in phases, with you.
    New(ProduceNew),
    /// Talk to a production: answer, ask, change, go on.
    Chat(ProduceChat),
    /// Show the phases and fields of a production, and how each stands.
    Fields(ProduceFields),
    /// Show a field.
    Read(ProduceRead),
    /// Put a value into a field by hand; what depends on it becomes stale.
    Update(ProduceUpdate),
    /// Confirm fields as they are.
    Confirm(ProduceConfirm),
    /// Show which fields are stale, and why.
    Stale(ProduceStale),
    /// Make fields anew, or change them as you say.
    Regenerate(ProduceRegenerate),
    /// Search and read the web for a question, and report with sources.
    Research(ProduceResearch),
    /// Have simulated consumers read the content; of a book, its chapters.
    Simulate(ProduceSimulate),
    /// Judge the content by criteria; of a book, its chapters.
    Evaluate(ProduceEvaluate),
    /// Write the content as files.
    Export(ProduceExport),
    /// List the templates that productions can be begun from.
    Templates,
}

/// Arguments of `produce new`.
#[derive(Debug, Args)]
pub(crate) struct ProduceNew {
    /// What is to be produced, in your own words; `-` reads standard input.
    pub(crate) premise: String,
    /// The template: which phases and fields (qingyu produce templates).
    #[arg(long, value_name = "NAME", default_value = "course")]
    pub(crate) template: String,
    /// The title of the project (else made from your words).
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The language of the work (else found from your words).
    #[arg(long, value_name = "LANG")]
    pub(crate) language: Option<Tongue>,
    /// Which phases go on by themselves, such as research=auto,all=wait; with all=auto nobody is asked.
    #[arg(long, value_name = "PHASE=HOW", value_delimiter = ',')]
    pub(crate) autonomy: Vec<String>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `produce chat`.
#[derive(Debug, Args)]
pub(crate) struct ProduceChat {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Say this, print the answer and end; may be given often, one turn each.
    #[arg(long, value_name = "TEXT")]
    pub(crate) say: Vec<String>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `produce fields`.
#[derive(Debug, Args)]
pub(crate) struct ProduceFields {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Only the fields of this phase.
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<String>,
}

/// Arguments of `produce read`.
#[derive(Debug, Args)]
pub(crate) struct ProduceRead {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The field: its path, the end of it, or its title.
    pub(crate) field: String,
}

/// Arguments of `produce update`.
#[derive(Debug, Args)]
pub(crate) struct ProduceUpdate {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The field: its path, the end of it, or its title.
    pub(crate) field: String,
    /// The value: text, or JSON for fields that are no text (else your editor opens).
    #[arg(long, value_name = "VALUE", conflicts_with = "file")]
    pub(crate) value: Option<String>,
    /// A file with the value; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Only if the field still has this version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) expected: Option<u32>,
}

/// Arguments of `produce confirm`.
#[derive(Debug, Args)]
pub(crate) struct ProduceConfirm {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The fields: paths, ends of them, or titles.
    #[arg(required = true)]
    pub(crate) fields: Vec<String>,
}

/// Arguments of `produce stale`.
#[derive(Debug, Args)]
pub(crate) struct ProduceStale {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
}

/// Arguments of `produce regenerate`.
#[derive(Debug, Args)]
pub(crate) struct ProduceRegenerate {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The fields: paths, ends of them, or titles (else those that are stale).
    pub(crate) fields: Vec<String>,
    /// What you want of them.
    #[arg(long, value_name = "TEXT")]
    pub(crate) with: Option<String>,
    /// Change only what you say, and keep the rest as it is.
    #[arg(long, requires = "with")]
    pub(crate) change: bool,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `produce research`.
#[derive(Debug, Args)]
pub(crate) struct ProduceResearch {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The question (else what the production is about).
    pub(crate) question: Option<String>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `produce simulate`.
#[derive(Debug, Args)]
pub(crate) struct ProduceSimulate {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// What they read: fields, or chapters of a book such as chapters/3 (else all of it).
    pub(crate) contents: Vec<String>,
    /// What they do (else everything).
    #[arg(long = "do", value_name = "WHAT", value_delimiter = ',')]
    pub(crate) interactions: Vec<Reading>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// What a simulated consumer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reading {
    /// Looks at it for a moment.
    FirstImpression,
    /// Says what they understood.
    Comprehension,
    /// Says what speaks against it.
    Objection,
    /// Says whether they would buy.
    Purchase,
    /// Says where they stopped reading.
    DropOff,
}

/// Arguments of `produce evaluate`.
#[derive(Debug, Args)]
pub(crate) struct ProduceEvaluate {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// What is judged: fields, or chapters of a book such as chapters/3 (else all of it).
    pub(crate) contents: Vec<String>,
    /// How often, so that the spread is known.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) runs: Option<u32>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `produce export`.
#[derive(Debug, Args)]
pub(crate) struct ProduceExport {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Only these fields (else all content).
    pub(crate) fields: Vec<String>,
    /// The format.
    #[arg(long, value_enum, default_value = "md")]
    pub(crate) format: ContentFormat,
    /// The channel, for the format `channel`.
    #[arg(long, value_name = "NAME", required_if_eq("format", "channel"))]
    pub(crate) channel: Option<String>,
    /// The file, or - for standard output (else one in this folder, named after the project).
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write over a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

/// As what content is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentFormat {
    /// Markdown.
    #[value(name = "md")]
    Markdown,
    /// Word.
    Docx,
    /// Every field with how it stands, as JSON.
    Json,
    /// The form of a channel.
    Channel,
}
