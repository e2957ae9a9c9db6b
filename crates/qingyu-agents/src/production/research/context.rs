//! What the prompts of a research are filled from, and what rules answer from.

use qingyu_story::Language;
use serde::{Deserialize, Serialize};

/// Fills `prompts/research/plan`: queries are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QueryPlanning {
    /// What is to be found out.
    pub question: String,
    /// What the project is about.
    pub premise: String,
    /// The language of the work.
    pub language: Language,
    /// The most queries wanted.
    pub limit: usize,
}

/// Fills `prompts/research/note`: one page is to become notes. Nothing of the project is in it but the question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PageReading {
    /// What is to be found out.
    pub question: String,
    /// The language of the work.
    pub language: Language,
    /// The page's title: words of strangers.
    pub title: String,
    /// The page's text: words of strangers.
    pub text: String,
    /// The most notes wanted.
    pub limit: usize,
}

/// Fills `prompts/research/write`: notes are to become a report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Synthesising {
    /// What is to be found out.
    pub question: String,
    /// The language of the work.
    pub language: Language,
    /// The pages with a note each at least, numbered from 1.
    pub sources: Vec<NotedSource>,
}

/// A page as its notes show it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NotedSource {
    /// Its number among the pages of this request.
    pub number: u32,
    /// Its title: words of strangers.
    pub title: String,
    /// What was noted.
    pub notes: Vec<super::answer::Note>,
}
