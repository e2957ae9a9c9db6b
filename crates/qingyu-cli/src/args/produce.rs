//! Arguments of the commands producing content in phases.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::language::LanguageArg;
use super::writing::RunControlArgs;

/// Commands for productions.
#[derive(Debug, Subcommand)]
pub(crate) enum ProduceCommand {
    /// Start a production from a sentence, in phases, with you.
    New(ProduceNew),
    /// Chat with a production: answer, ask, change, continue.
    Chat(ProduceChat),
    /// Show the phases and fields of a production with their status.
    Fields(ProduceFields),
    /// Show a field.
    Read(ProduceRead),
    /// Set a field by hand; dependent fields become stale.
    Update(ProduceUpdate),
    /// Confirm fields in their current state.
    Confirm(ProduceConfirm),
    /// Show the stale fields with reasons.
    Stale(ProduceStale),
    /// Regenerate fields, or change them as instructed.
    Regenerate(ProduceRegenerate),
    /// Research a question on the web, and report with sources.
    Research(ProduceResearch),
    /// Have simulated consumers read the content, or a book's chapters.
    Simulate(ProduceSimulate),
    /// Evaluate the content, or a book's chapters, by criteria.
    Evaluate(ProduceEvaluate),
    /// Show how the creator writes, or set samples, forbidden words and a glossary.
    Voice(ProduceVoice),
    /// Export the content as files.
    Export(ProduceExport),
    /// Show or set the schedule of a production: an order that a server gives it by itself, again and again.
    Schedule(ProduceSchedule),
    /// List the templates for productions.
    Templates,
}

/// Arguments of `produce new`.
#[derive(Debug, Args)]
pub(crate) struct ProduceNew {
    /// The content to produce, in your own words; `-` reads standard input.
    pub(crate) premise: String,
    /// The template defining phases and fields (see qingyu produce templates).
    #[arg(long, value_name = "NAME", default_value = "course")]
    pub(crate) template: String,
    /// The title of the project (default: derived from your words).
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The language of the work (default: detected from your words).
    #[arg(long, value_name = "LANG")]
    pub(crate) language: Option<LanguageArg>,
    /// The phases to continue automatically, such as research=auto,all=wait; all=auto never asks.
    #[arg(long, value_name = "PHASE=HOW", value_delimiter = ',')]
    pub(crate) autonomy: Vec<String>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `produce chat`.
#[derive(Debug, Args)]
pub(crate) struct ProduceChat {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// Send a message, print the reply and exit; may be repeated, one turn each.
    #[arg(long, value_name = "TEXT")]
    pub(crate) say: Vec<String>,
    /// The session: what was said in it within the last hour is told to the model.
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `produce fields`.
#[derive(Debug, Args)]
pub(crate) struct ProduceFields {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// Only the fields of the given phase.
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<String>,
}

/// Arguments of `produce read`.
#[derive(Debug, Args)]
pub(crate) struct ProduceRead {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The field: its path, a path suffix, or its title.
    pub(crate) field: String,
}

/// Arguments of `produce update`.
#[derive(Debug, Args)]
pub(crate) struct ProduceUpdate {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The field: its path, a path suffix, or its title.
    pub(crate) field: String,
    /// The value: text, or JSON for non-text fields (default: opens your editor).
    #[arg(long, value_name = "VALUE", conflicts_with = "file")]
    pub(crate) value: Option<String>,
    /// A file with the value; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Fail unless the field has the given version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) expected: Option<u32>,
}

/// Arguments of `produce confirm`.
#[derive(Debug, Args)]
pub(crate) struct ProduceConfirm {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The fields: paths, path suffixes or titles.
    #[arg(required = true)]
    pub(crate) fields: Vec<String>,
}

/// Arguments of `produce stale`.
#[derive(Debug, Args)]
pub(crate) struct ProduceStale {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
}

/// Arguments of `produce regenerate`.
#[derive(Debug, Args)]
pub(crate) struct ProduceRegenerate {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The fields: paths, path suffixes or titles (default: all stale fields).
    pub(crate) fields: Vec<String>,
    /// Your instruction.
    #[arg(long, value_name = "TEXT")]
    pub(crate) with: Option<String>,
    /// Change only as instructed, and keep the rest.
    #[arg(long, requires = "with")]
    pub(crate) change: bool,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `produce research`.
#[derive(Debug, Args)]
pub(crate) struct ProduceResearch {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The question (default: the subject of the production).
    pub(crate) question: Option<String>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `produce simulate`.
#[derive(Debug, Args)]
pub(crate) struct ProduceSimulate {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The content to read: fields, or chapters of a book such as chapters/3 (default: everything).
    pub(crate) contents: Vec<String>,
    /// Read a text file in place of content of the project; - reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "contents")]
    pub(crate) text: Option<PathBuf>,
    /// The reactions to simulate (default: all).
    #[arg(long = "do", value_name = "WHAT", value_delimiter = ',')]
    pub(crate) interactions: Vec<ReaderInteraction>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// A reaction of a simulated consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReaderInteraction {
    /// A first impression from a glance.
    FirstImpression,
    /// A summary of the understood content.
    Comprehension,
    /// Objections.
    Objection,
    /// A decision whether to buy.
    Purchase,
    /// The place where reading stopped.
    DropOff,
}

/// Arguments of `produce evaluate`.
#[derive(Debug, Args)]
pub(crate) struct ProduceEvaluate {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The content to evaluate: fields, or chapters of a book such as chapters/3 (default: everything).
    pub(crate) contents: Vec<String>,
    /// Evaluate a text file in place of content of the project; - reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "contents")]
    pub(crate) text: Option<PathBuf>,
    /// Number of judges: an editor, a practitioner, a sceptic, and again.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(crate) runs: Option<u32>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `produce schedule`.
#[derive(Debug, Args)]
pub(crate) struct ProduceSchedule {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The time between two turns: a number with m, h, d or w, such as 1w (default: show the schedule).
    #[arg(long, value_name = "INTERVAL")]
    pub(crate) every: Option<String>,
    /// What to tell the production each time (default: its next phase).
    #[arg(long, value_name = "TEXT", requires = "every")]
    pub(crate) say: Option<String>,
    /// Regenerate the stale fields each time.
    #[arg(long, requires = "every", conflicts_with = "say")]
    pub(crate) stale: bool,
    /// End the schedule.
    #[arg(long, conflicts_with = "every")]
    pub(crate) off: bool,
}

/// Arguments of `produce voice`.
#[derive(Debug, Args)]
pub(crate) struct ProduceVoice {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// A TOML file with samples, forbidden and glossary; - reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "client")]
    pub(crate) file: Option<PathBuf>,
    /// The voice of a client: voices/NAME.toml in the data folder.
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,
}

/// Arguments of `produce export`.
#[derive(Debug, Args)]
pub(crate) struct ProduceExport {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// Only the given fields (default: all content).
    pub(crate) fields: Vec<String>,
    /// The format.
    #[arg(long, value_enum, default_value = "md")]
    pub(crate) format: ContentFormat,
    /// The channel, for the format `channel`.
    #[arg(long, value_name = "NAME", required_if_eq("format", "channel"))]
    pub(crate) channel: Option<String>,
    /// The output file, a folder for several files, or - for standard output (default: the current folder; files are
    /// named after the content and its audience).
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    /// Export even if something is open, stale, too short or uncited.
    #[arg(long)]
    pub(crate) draft: bool,
}

/// An export format of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentFormat {
    /// Markdown.
    #[value(name = "md")]
    Markdown,
    /// Word.
    Docx,
    /// A web page.
    Html,
    /// Every field with its status, as JSON.
    Json,
    /// The format of a channel.
    Channel,
}
