//! Options for splitting a manuscript.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options for splitting a manuscript.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SplitOptions {
    /// Cuts a text without headings at the first gap after the given number of characters; by default such a text is a
    /// single chapter.
    pub cut: Option<usize>,
    /// How headings are found.
    pub headings: HeadingRule,
}

/// How the headings of a manuscript are found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HeadingRule {
    /// By their form, and by what the book repeats.
    #[default]
    Learnt,
    /// They are the lines that begin with this regular expression.
    Pattern(String),
    /// There are none: the manuscript is one chapter.
    Off,
}
