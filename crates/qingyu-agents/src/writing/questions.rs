//! What the author is asked at the end of a run, all at once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The payload of the interrupt at the end of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorQuestions {
    /// The questions, in the order of the chapters.
    pub questions: Vec<AuthorQuestion>,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuthorQuestion {
    /// Names it in the answers; stable.
    pub id: String,
    /// The chapter that it came up in.
    pub chapter: u32,
    /// The title of that chapter.
    pub title: String,
    /// What it is about.
    #[serde(flatten)]
    pub about: About,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum About {
    /// The author changed the chapter while it was written. Accepting puts the draft in its place, rejecting drops it.
    DraftKept {
        /// The document.
        document: String,
        /// The draft.
        text: String,
    },
}

/// The answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AuthorAnswers {
    /// By the id of the question; what is left out is answered [`Decision::Later`].
    pub answers: BTreeMap<String, Decision>,
}

/// What the author says to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It is so.
    Accept,
    /// It is not so.
    Reject,
    /// Ask again another time.
    #[default]
    Later,
}
