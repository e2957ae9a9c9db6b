//! Arguments of the commands that have agents of the service do something.

use std::path::PathBuf;

use clap::Args;

use super::Working;

/// Arguments of `task`.
#[derive(Debug, Args)]
pub(crate) struct Task {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// What is to be done, in your own words; `-` reads standard input.
    pub(crate) task: String,
    /// The agent that does it all, such as checker (else found by the words).
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The chapter it is about: a number or a title.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) chapter: Option<String>,
    /// The text it is about; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "chapter")]
    pub(crate) text: Option<PathBuf>,
    /// Give a part up after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) timeout: u64,
    /// Change the texts of the project without asking.
    #[arg(long, conflicts_with = "dry")]
    pub(crate) save: bool,
    /// Change nothing; show what would be changed.
    #[arg(long)]
    pub(crate) dry: bool,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `continue`.
#[derive(Debug, Args)]
pub(crate) struct Continue {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The chapter that goes on: a number or a title (else the last that has a text).
    pub(crate) chapter: Option<String>,
    /// What is to happen next, in your own words (else what follows from the chapter).
    #[arg(long, value_name = "TEXT")]
    pub(crate) with: Option<String>,
    #[command(flatten)]
    pub(crate) piece: PieceOfProse,
}

/// Arguments of `dialogue`.
#[derive(Debug, Args)]
pub(crate) struct Dialogue {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Who speaks about what, in your own words; `-` reads standard input.
    pub(crate) about: String,
    /// The chapter it belongs to: a number or a title.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) chapter: Option<String>,
    #[command(flatten)]
    pub(crate) piece: PieceOfProse,
}

/// Arguments of `scene`.
#[derive(Debug, Args)]
pub(crate) struct Scene {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// What the scene is, in your own words; `-` reads standard input.
    pub(crate) about: String,
    /// The chapter it belongs to: a number or a title.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) chapter: Option<String>,
    /// Where and when it is.
    #[arg(long, value_name = "TEXT")]
    pub(crate) setting: Option<String>,
    #[command(flatten)]
    pub(crate) piece: PieceOfProse,
}

/// What every piece of prose takes.
#[derive(Debug, Args)]
pub(crate) struct PieceOfProse {
    /// Who takes part, such as 林深,苏曼 (else those of the chapter).
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) characters: Vec<String>,
    /// Characters (Chinese) or words (English) it is to have.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(20..=20_000))]
    pub(crate) words: Option<u32>,
    /// Put it at the end of the chapter (else it is only printed).
    #[arg(long)]
    pub(crate) save: bool,
    #[command(flatten)]
    pub(crate) working: Working,
}
