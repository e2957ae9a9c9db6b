//! What simulated consumers do, and what came of it.
//!
//! Each persona does one thing at a time with the content; each such reading is a [`Reaction`]. [`aggregate`] shows them
//! together without hiding who disagrees. A reading that failed is counted and stands in no mean.

use std::collections::BTreeMap;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod aggregate;
mod persona;

pub use aggregate::{
    Continued, Demand, Disagreement, DropOff, ObjectionGroup, Outcome, Point, Side, Simulation, Stop, aggregate,
};
pub use persona::{Persona, personas, personas_of, points_of};

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
    /// All of them, in the order in which they are asked.
    pub const ALL: [Self; 5] =
        [Self::FirstImpression, Self::Comprehension, Self::Objection, Self::Purchase, Self::DropOff];

    /// The word in data.
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

/// What one persona says in one interaction: the answer of `consumer.read`.
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

/// What is wrong with an answer about content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// It says nothing.
    NoWords,
    /// A quote does not stand in the content.
    Quote(String),
    /// There is no such paragraph; the last one is the second number.
    Paragraph(usize, usize),
    /// A score above 100.
    Score(u8),
    /// A point that was given has no answer.
    Point(String),
    /// A point that was not given.
    UnknownPoint(String),
    /// A criterion has no line.
    Criterion(String),
    /// A criterion that was not given, or was judged twice.
    UnknownCriterion(String),
    /// A criterion has a score and no quote.
    NoQuote(String),
}

impl Problem {
    /// The problem in words, for whoever gave the answer.
    pub fn text(&self, language: Language) -> String {
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
        }
    }
}

/// What is wrong with a reaction to `reading`, of whom it was asked whether `points` came across.
pub fn check(reaction: &Reaction, reading: &Reading, points: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    if reaction.words.trim().is_empty() {
        problems.push(Problem::NoWords);
    }
    problems.extend(reaction.score.filter(|score| *score > 100).map(Problem::Score));
    let of_objections = reaction.objections.iter().map(|objection| &objection.quote).filter(|quote| !quote.is_empty());
    let stands = |quote: &&String| reading.find(quote, None).is_some();
    let quotes = reaction.quotes.iter().chain(of_objections);
    problems.extend(quotes.filter(|quote| !stands(quote)).map(|quote| Problem::Quote(quote.clone())));
    if reaction.objections.iter().any(|objection| objection.words.trim().is_empty()) {
        problems.push(Problem::NoWords);
    }
    let paragraphs = reaction.objections.iter().filter_map(|objection| objection.paragraph).chain(reaction.stops_at);
    let is_wrong = |number: &usize| reading.passage(*number).is_none();
    problems.extend(paragraphs.filter(is_wrong).map(|number| Problem::Paragraph(number, reading.last())));
    let said: BTreeMap<&str, bool> =
        reaction.understood.iter().map(|entry| (entry.point.trim(), entry.is_understood)).collect();
    problems.extend(points.iter().filter(|point| !said.contains_key(point.trim())).cloned().map(Problem::Point));
    let is_given = |point: &str| points.iter().any(|given| given.trim() == point);
    if !points.is_empty() {
        let unknown = said.keys().filter(|point| !is_given(point));
        problems.extend(unknown.map(|point| Problem::UnknownPoint((*point).to_owned())));
    }
    problems
}

#[cfg(test)]
mod tests;
