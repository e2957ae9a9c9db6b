//! Arguments of the commands searching, querying and drawing a story.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `search`.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// The project.
    pub(crate) project: String,
    /// Words, or a question; `-` reads standard input, `@FILE` a file.
    pub(crate) text: String,
    /// Only the given kinds: character, chapter, event, location, item, fact and others, separated by commas.
    #[arg(long = "type", value_name = "KINDS", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
    /// Only pieces matching the given condition, such as 'role_type = protagonist and traits contains brave', or the same as
    /// JSON: '{"role_type": "protagonist", "traits": {"$contains": "brave"}}'.
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// Only content told before the given chapter.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) before: Option<String>,
    /// For the author of the given chapter: only content told before, ranking recent pieces, pieces with the chapter's
    /// cast and unpaid plants higher.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) at: Option<String>,
    /// Maximum number of hits.
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) limit: u16,
    /// Let a model rerank the hits.
    #[arg(long)]
    pub(crate) rerank: bool,
    /// Search the earlier books of the series and the canon too; with --before or --at, earlier books are past as a whole,
    /// and canon only with a gap (see qingyu series).
    #[arg(long)]
    pub(crate) series: bool,
    /// Show the search methods behind each hit, with their ranks.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Arguments of `ask`.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The project.
    pub(crate) project: String,
    /// The question; `-` reads standard input, `@FILE` a file.
    pub(crate) question: String,
    /// Only from content told before the given chapter.
    #[arg(long, value_name = "CHAPTER")]
    pub(crate) before: Option<String>,
    /// Maximum tokens of the passages given to the model (default: 6000).
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<u64>,
    /// The session: what was said in it within the last hour is told to the model.
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Answer from the earlier books of the series and the canon too; with --before, earlier books are past as a whole, and
    /// canon only with a gap (see qingyu series).
    #[arg(long)]
    pub(crate) series: bool,
    /// Show all retrieved passages, not only the cited ones.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Arguments of `index`.
#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// The project.
    pub(crate) project: String,
    /// Delete and rebuild the index.
    #[arg(long)]
    pub(crate) rebuild: bool,
}

/// Arguments of `graph`.
#[derive(Debug, Args)]
pub(crate) struct Graph {
    /// The project, or a graph executed by runs, such as pipeline (default: a list of these graphs).
    pub(crate) name: Option<String>,
    /// For a story, the point in time: chapter:30, an event, or a time in the story's words.
    #[arg(long, value_name = "WHEN", requires = "name")]
    pub(crate) as_of: Option<String>,
    /// For a story, only the matches of the given pattern, such as 'within 2 (a "Ann")'.
    #[arg(long = "match", value_name = "PATTERN", requires = "name")]
    pub(crate) pattern: Option<String>,
    /// For a story, the maximum number of pieces (default: 40).
    #[arg(long, value_name = "COUNT", requires = "name")]
    pub(crate) most: Option<usize>,
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "mermaid")]
    pub(crate) format: GraphFormat,
    /// Write the drawing to the given file.
    #[arg(long, short, value_name = "FILE", requires = "name")]
    pub(crate) output: Option<PathBuf>,
}

/// An output format of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Mermaid text, rendered by Markdown viewers.
    Mermaid,
    /// An SVG image.
    Svg,
    /// Nodes and edges as data.
    Json,
    /// A PNG image, which only the studio makes; the command says so.
    #[value(hide = true)]
    Png,
}
