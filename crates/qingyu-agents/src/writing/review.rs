//! The review of a chapter: one forced checklist, filled by the reviewer, beside what the rules find.

use qingyu_story::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the reviewer says of a chapter: the answer of `chapter.review`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChapterReview {
    /// From 0 to 100.
    pub score: u8,
    /// A verdict for every dimension.
    pub verdicts: Vec<DimensionVerdict>,
    /// What is wrong, worst first; each quotes the chapter.
    pub issues: Vec<ChapterIssue>,
    /// What would make it better beyond the issues.
    pub suggestions: Vec<String>,
    /// In a sentence.
    pub summary: String,
}

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// Whether it does what was asked.
    #[default]
    Task,
    /// Whether it keeps to the world.
    Setting,
    /// Whether times fit.
    Timeline,
    /// Whether it goes on from what came before.
    Continuity,
    /// Whether people act and speak as they are.
    Character,
    /// Whether cause and effect hold.
    Logic,
    /// Whether it is told as the style guide says.
    Style,
}

impl Dimension {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Task, Self::Setting, Self::Timeline, Self::Continuity, Self::Character, Self::Logic, Self::Style];

    /// The word in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Setting => "setting",
            Self::Timeline => "timeline",
            Self::Continuity => "continuity",
            Self::Character => "character",
            Self::Logic => "logic",
            Self::Style => "style",
        }
    }
}

/// Whether the chapter holds in one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DimensionVerdict {
    /// Which.
    pub dimension: Dimension,
    /// Whether it holds.
    pub verdict: Holds,
    /// Why, in a sentence.
    pub note: String,
}

/// Whether something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// It does.
    Holds,
    /// It does not.
    Broken,
    /// The material does not say.
    #[default]
    Unclear,
}

/// Something that is wrong in a chapter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChapterIssue {
    /// How bad it is.
    pub severity: Severity,
    /// In which dimension.
    pub dimension: Dimension,
    /// In a line.
    pub title: String,
    /// The words of the chapter that show it.
    pub quote: String,
    /// Why it is wrong.
    pub why: String,
    /// What would mend it.
    pub fix: String,
}

/// A finding about a chapter, of a rule or of the reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterFinding {
    /// The same for the same thing in later reviews: of the rule, or of the dimension and the words that show it.
    pub id: String,
    /// The rule's code, if a rule found it.
    pub code: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// The dimension, if the reviewer found it.
    pub dimension: Option<Dimension>,
    /// In a line.
    pub title: String,
    /// The words of the chapter that show it; empty if they cannot be shown.
    pub quote: String,
    /// The other side of a contradiction: words that stand elsewhere.
    pub against: Vec<String>,
    /// Why it is wrong.
    pub why: String,
    /// What would mend it.
    pub fix: String,
}

/// What a review came to: what follows from the rules and the reviewer together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Verdict {
    /// Which review of this chapter it is, from 0.
    pub round: u32,
    /// From 0 to 100.
    pub score: u8,
    /// Whether the chapter may be taken.
    pub passed: bool,
    /// Whether the reviewer's answer could be read; one that could not never passes.
    pub read: bool,
    /// The reviewer's verdicts.
    pub verdicts: Vec<DimensionVerdict>,
    /// What is wrong, worst first.
    pub findings: Vec<ChapterFinding>,
    /// What would make it better beyond that.
    pub suggestions: Vec<String>,
    /// In a sentence.
    pub summary: String,
}
