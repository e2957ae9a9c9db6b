//! Answers of the outline agent about the levels of a long book.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The book as a whole, divided into volumes: the answer of `outline.book`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BookPlan {
    /// The title of a new work, without title marks.
    pub title: String,
    /// The course of the whole book in a paragraph.
    pub course: String,
    /// How it ends.
    pub ending: String,
    /// What it is about.
    pub themes: Vec<String>,
    /// How often something is paid, how tension rises and falls.
    pub rhythm: String,
    /// The volumes in reading order.
    pub volumes: Vec<VolumePlan>,
    /// How it came about.
    pub reasoning: Vec<String>,
}

/// A volume.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VolumePlan {
    /// The number of its first chapter.
    pub first: u32,
    /// The number of its last chapter.
    pub last: u32,
    /// Its title, without its number.
    pub name: String,
    /// What happens.
    pub description: String,
    /// What it must achieve.
    pub goal: String,
    /// The opposing force.
    pub opposition: String,
    /// What it costs.
    pub price: String,
    /// What is revealed.
    pub reveals: Vec<String>,
}

/// The arcs of a volume: the answer of `outline.arcs`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ArcsPlan {
    /// The arcs in reading order.
    pub arcs: Vec<ArcPlan>,
    /// How it came about.
    pub reasoning: Vec<String>,
}

/// An arc.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ArcPlan {
    /// The number of its first chapter.
    pub first: u32,
    /// The number of its last chapter.
    pub last: u32,
    /// Its title, without its number.
    pub name: String,
    /// What happens.
    pub description: String,
    /// What it does for the volume, in a word or two.
    pub function: String,
    /// What makes the reader read on.
    pub hook: String,
    /// Its turns, in order.
    pub turns: Vec<String>,
    /// What is paid at its end.
    pub payoff: String,
}

/// Chapters of an arc: the answer of `outline.chapters`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChaptersPlan {
    /// The chapters.
    pub chapters: Vec<ChapterOutline>,
    /// How it came about.
    pub reasoning: Vec<String>,
}

/// A chapter, as planned in the outline.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ChapterOutline {
    /// Its number.
    pub number: u32,
    /// Its title, without its number.
    pub name: String,
    /// What happens, naming the characters who act.
    pub description: String,
    /// What it must achieve.
    pub goal: String,
    /// What it does for the arc, in a word or two.
    pub function: String,
    /// What pulls the reader in at its beginning.
    pub opening: String,
    /// What presses on the characters.
    pub pressure: String,
    /// What it pays the reader with.
    pub payoff: String,
    /// What makes the reader read on at its end.
    pub hook: String,
    /// Which readers it pulls on.
    pub pulls: String,
    /// Its tension, from 1 (rest) to 10 (the height of the book).
    pub tension: Option<u8>,
    /// Names of the characters who appear.
    pub participants: Vec<String>,
    /// The name of the place, if there is one.
    pub location: Option<String>,
    /// What is planted.
    pub plants: Vec<String>,
    /// What was planted before and is paid here.
    pub pays: Vec<String>,
    /// The words (English) or characters (Chinese) planned.
    pub words: Option<u32>,
}

/// Changes of later plans that the written text has made impossible: the answer of `outline.later`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LaterPlans {
    /// The changes; none if all plans still hold.
    pub(crate) changes: Vec<LaterChange>,
    /// How it came about.
    pub reasoning: Vec<String>,
}

/// A change of one field of a later plan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct LaterChange {
    /// The id of the outline node.
    pub(crate) node: String,
    /// The field.
    pub(crate) field: String,
    /// What is to stand there, for a field that is a text.
    pub(crate) text: String,
    /// All entries that are to stand there, for a field that is a list.
    pub(crate) items: Vec<String>,
    /// What in the written text makes the present plan impossible.
    pub(crate) reason: String,
}
