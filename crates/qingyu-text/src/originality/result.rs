//! The result of a comparison.

use std::ops::Range;

use qingyu_story::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What of a text stands in others.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Originality {
    /// The part of the text that stands elsewhere, from 0 to 1.
    pub share: f64,
    /// How many of its Chinese characters and Latin words.
    pub copied: usize,
    /// Of how many.
    pub length: usize,
    /// How bad that is; none if it is nothing.
    pub severity: Option<Severity>,
    /// What is the same, in order of the text.
    pub passages: Vec<Passage>,
    /// Where it stands, the largest part first.
    pub sources: Vec<SourceShare>,
    /// How many texts it was compared with.
    pub compared: usize,
}

/// Something that stands in two texts.
///
/// It is as long as it can be: the next token on either side differs. Where few tokens were put in, taken out or changed
/// in between, it is still one passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Passage {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// The text as it stands there.
    pub text: String,
    /// The id of the other text.
    pub source: String,
    /// Its bytes in the other text.
    pub source_span: Range<usize>,
    /// The other text as it stands there.
    pub source_text: String,
    /// How many tokens are the same.
    pub same: usize,
    /// Whether all of them are.
    pub verbatim: bool,
}

/// How much stands in one other text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceShare {
    /// The id of the other text.
    pub source: String,
    /// The part of the text in question that stands there, from 0 to 1.
    pub share: f64,
    /// How many passages.
    pub passages: usize,
    /// The length of the longest, in tokens.
    pub longest: usize,
}
