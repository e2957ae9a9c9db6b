//! Contexts of the research prompts; rule-based models read the same data.

use qingyu_story::Language;
use serde::{Deserialize, Serialize};

/// Context of a request for queries; fills `prompts/research/plan`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QueryContext {
    /// The research question.
    pub question: String,
    /// The premise of the project.
    pub premise: String,
    /// Language of the work.
    pub language: Language,
    /// Maximum number of queries.
    pub limit: usize,
}

/// Context of a request for notes on one page; fills `prompts/research/note`. Of the project it holds only the
/// question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PageContext {
    /// The research question.
    pub question: String,
    /// Language of the work.
    pub language: Language,
    /// Title of the page; untrusted.
    pub title: String,
    /// Text of the page, its sentences to models marked; untrusted.
    pub text: String,
    /// Whether the page sells something.
    pub is_vendor: bool,
    /// Maximum number of notes.
    pub limit: usize,
}

/// Context of a request for a report from notes; fills `prompts/research/write`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SynthesisContext {
    /// The research question.
    pub question: String,
    /// Language of the work.
    pub language: Language,
    /// Rules of the project that a claim must keep.
    pub rules: Vec<String>,
    /// Questions that the question is divided into, numbered from 1.
    pub questions: Vec<String>,
    /// Maximum length of the summary: words of English, characters of Chinese.
    pub length: usize,
    /// Pages with at least one note, numbered from 1.
    pub sources: Vec<NotedSource>,
}

impl SynthesisContext {
    /// Returns the length of a summary in a language: the more questions it answers, the longer.
    pub fn length(questions: usize, language: Language) -> usize {
        match language {
            Language::Zh => 300 + 90 * questions,
            Language::En => 200 + 60 * questions,
        }
    }
}

/// A page, represented by its notes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NotedSource {
    /// Number of the page within this request.
    pub number: u32,
    /// Title of the page; untrusted.
    pub title: String,
    /// Whether the page sells something.
    pub is_vendor: bool,
    /// Notes on the page.
    pub notes: Vec<super::answer::Note>,
}
