//! Arguments of the commands that search, ask and draw a story.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

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
    pub(crate) before: Option<String>,
    /// For whoever writes this chapter: only what is told before it, and rather what is recent, has its cast, or waits to
    /// be paid.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) at: Option<String>,
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
    pub(crate) before: Option<String>,
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

/// Arguments of `graph`.
#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// The project, or a graph that runs go through, such as pipeline; a list of these without it.
    pub(crate) name: Option<String>,
    /// Of a story, as of when: chapter:30, an event, or a time in the story's words.
    #[arg(long, value_name = "WHEN", requires = "name")]
    pub(crate) as_of: Option<String>,
    /// Of a story, only what this pattern finds, such as 'within 2 (a "Ann")'.
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
