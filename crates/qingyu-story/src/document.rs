//! The prose: chapters and other texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reading::{ReadMark, Remark};
use crate::settlement::Settled;

/// A text of the book, in one version.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Document {
    /// Given by the studio, such as `d-3`; may be left empty.
    pub id: String,
    /// The title, such as `第三章 夜雨`; unique in a story.
    pub title: String,
    /// The place in reading order, counted from 1; 0 for a text that is not part of the book.
    pub order: u32,
    /// The name or id of the outline node that it tells.
    pub outline_node: Option<String>,
    /// Grows by one with every change of the text.
    pub version: u32,
    /// The prose; paragraphs are lines.
    pub text: String,
    /// What happens in it, in a few sentences; made when it was settled.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What was settled from it; none if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
    /// The newest reading by a model; of an earlier text if its digest is not that of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<ReadMark>,
    /// What a model found wrong in it and nobody has mended since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
}
