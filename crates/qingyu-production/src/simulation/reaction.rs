//! Interactions, the reactions of personas to them, and the validation of reactions.

use std::collections::BTreeMap;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::content::Reading;

/// What a simulated consumer does with content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interaction {
    /// Looks at it for a moment.
    FirstImpression,
    /// Says what they understood.
    Comprehension,
    /// Says what speaks against it.
    Objection,
    /// Says whether they would buy.
    Purchase,
    /// Says where they stopped reading.
    DropOff,
}

impl Interaction {
    /// All interactions, in order.
    pub const ALL: [Self; 5] =
        [Self::FirstImpression, Self::Comprehension, Self::Objection, Self::Purchase, Self::DropOff];

    /// Returns the name in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstImpression => "first_impression",
            Self::Comprehension => "comprehension",
            Self::Objection => "objection",
            Self::Purchase => "purchase",
            Self::DropOff => "drop_off",
        }
    }
}

/// What one persona says in one interaction.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Reaction {
    /// From 0 to 100, where a number makes sense: how attracted, how clear, how likely to buy.
    pub score: Option<u8>,
    /// In the persona's own words.
    pub words: String,
    /// Exact quotes of the content that it is about.
    pub quotes: Vec<String>,
    /// The number of the paragraph at which reading stopped; null if everything was read.
    pub stops_at: Option<usize>,
    /// Whether they would buy, sign up or read on; null if it was not asked.
    pub would_buy: Option<Buys>,
    /// Which points came across.
    pub understood: Vec<Understood>,
    /// What speaks against it.
    pub objections: Vec<Objection>,
}

/// Whether somebody would buy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Buys {
    /// They would.
    Yes,
    /// They would under a condition.
    Maybe,
    /// They would not.
    No,
}

/// Whether a point came across.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Understood {
    /// The point, as it was given.
    pub point: String,
    /// Whether it did.
    pub is_understood: bool,
}

/// Something that speaks against it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Objection {
    /// The objection.
    pub words: String,
    /// The exact words of the content that it is about; empty if something is missing there.
    pub quote: String,
    /// The number of the paragraph; null if it is about everything.
    pub paragraph: Option<usize>,
}

/// One persona in one interaction: a reaction, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Read {
    /// The name of the persona.
    pub persona: String,
    /// What they did.
    pub interaction: Interaction,
    /// What they said.
    pub reaction: Option<Reaction>,
    /// Why there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A validation error of a response about content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AnswerProblem {
    /// The response has no words.
    NoWords,
    /// A quote is not in the content.
    Quote(String),
    /// The paragraph does not exist; the second number is the last paragraph.
    Paragraph(usize, usize),
    /// A score above 100.
    Score(u8),
    /// A given point has no answer.
    Point(String),
    /// The point was not given.
    UnknownPoint(String),
    /// A criterion has no line.
    Criterion(String),
    /// An unknown or duplicate criterion.
    UnknownCriterion(String),
    /// A criterion has a score but no quote.
    NoQuote(String),
    /// An interaction has no answer.
    Missing(&'static str),
}

impl AnswerProblem {
    /// Returns the error message for the author of the response.
    pub(crate) fn text(&self, language: Language) -> String {
        match language {
            Language::Zh => self.chinese(),
            Language::En => self.english(),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Self::NoWords => "没有说任何话".into(),
            Self::Quote(quote) => format!("内容里没有这句原文：“{quote}”；引文要一字不差地照抄"),
            Self::Paragraph(number, last) => format!("没有第 {number} 段，段号是 1 到 {last}"),
            Self::Score(score) => format!("分数 {score} 超出 0 到 100"),
            Self::Point(point) => format!("understood 里缺少要点“{point}”"),
            Self::UnknownPoint(point) => format!("没有给出过要点“{point}”"),
            Self::Criterion(name) => format!("缺少标准“{name}”"),
            Self::UnknownCriterion(name) => format!("没有标准“{name}”，或者它出现了两次"),
            Self::NoQuote(name) => format!("标准“{name}”有分数，却没有引用内容"),
            Self::Missing(name) => format!("缺少 {name}"),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::NoWords => "it says nothing".into(),
            Self::Quote(quote) => format!("\"{quote}\" does not stand in the content; copy quotes exactly"),
            Self::Paragraph(number, last) => format!("there is no paragraph {number}; they go from 1 to {last}"),
            Self::Score(score) => format!("the score {score} is not between 0 and 100"),
            Self::Point(point) => format!("the point \"{point}\" is missing in understood"),
            Self::UnknownPoint(point) => format!("the point \"{point}\" was not given"),
            Self::Criterion(name) => format!("the criterion \"{name}\" is missing"),
            Self::UnknownCriterion(name) => format!("there is no criterion \"{name}\", or it is there twice"),
            Self::NoQuote(name) => format!("the criterion \"{name}\" has a score and quotes nothing"),
            Self::Missing(name) => format!("{name} is missing"),
        }
    }
}

/// Validates a reaction to `reading` to the question whether `points` came across; returns the problems.
pub(super) fn check(reaction: &Reaction, reading: &Reading, points: &[String]) -> Vec<AnswerProblem> {
    let mut problems = Vec::new();
    if reaction.words.trim().is_empty() {
        problems.push(AnswerProblem::NoWords);
    }
    problems.extend(reaction.score.filter(|score| *score > 100).map(AnswerProblem::Score));
    let of_objections = reaction.objections.iter().map(|objection| &objection.quote).filter(|quote| !quote.is_empty());
    let stands = |quote: &&String| reading.find(quote, None).is_some();
    let quotes = reaction.quotes.iter().chain(of_objections);
    problems.extend(quotes.filter(|quote| !stands(quote)).map(|quote| AnswerProblem::Quote(quote.clone())));
    if reaction.objections.iter().any(|objection| objection.words.trim().is_empty()) {
        problems.push(AnswerProblem::NoWords);
    }
    let paragraphs = reaction.objections.iter().filter_map(|objection| objection.paragraph).chain(reaction.stops_at);
    let is_wrong = |number: &usize| reading.passage(*number).is_none();
    problems.extend(paragraphs.filter(is_wrong).map(|number| AnswerProblem::Paragraph(number, reading.last())));
    let said: BTreeMap<&str, bool> =
        reaction.understood.iter().map(|entry| (entry.point.trim(), entry.is_understood)).collect();
    problems.extend(points.iter().filter(|point| !said.contains_key(point.trim())).cloned().map(AnswerProblem::Point));
    let is_given = |point: &str| points.iter().any(|given| given.trim() == point);
    if !points.is_empty() {
        let unknown = said.keys().filter(|point| !is_given(point));
        problems.extend(unknown.map(|point| AnswerProblem::UnknownPoint((*point).to_owned())));
    }
    problems
}
