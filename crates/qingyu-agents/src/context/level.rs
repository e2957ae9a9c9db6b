//! Contexts of the prompts about the levels of a long book.

use qingyu_story::genre::Genre;
use qingyu_story::levels::LevelSizes;
use qingyu_story::{Language, Story};
use serde::{Deserialize, Serialize};

/// Context of purposes `outline.book`, `outline.arcs` and `outline.chapters`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LevelContext {
    /// The content of the prompt.
    pub shown: LevelMaterial,
    /// Premise, cast and world, for models that answer by rules.
    pub story: Story,
    /// The genres that the book names, for models that answer by rules.
    pub genres: Vec<Genre>,
}

/// Content of `prompts/outline/book`, `arcs` and `chapters`. Every part has its own limit: the prompt is as long for the
/// last arc of a book as for its first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LevelMaterial {
    /// The author's words.
    pub requirement: String,
    /// Language of the book.
    pub language: Language,
    /// Number of chapters of the whole book.
    pub length: u32,
    /// How many chapters its volumes and arcs have.
    pub sizes: LevelSizes,
    /// Number of the first chapter to be planned.
    pub first: u32,
    /// Number of the last chapter to be planned.
    pub last: u32,
    /// Numbers of the chapters to be planned, for the level of chapters.
    pub numbers: Vec<u32>,
    /// Target length of a chapter in words.
    pub words: u32,
    /// The book: its course, ending, themes, rhythm.
    pub book: Vec<String>,
    /// The volumes around the one in hand.
    pub volumes: Vec<String>,
    /// The arcs around the one in hand.
    pub arcs: Vec<String>,
    /// The part to be divided.
    pub part: Vec<String>,
    /// Number of the first chapter of this part.
    pub part_first: u32,
    /// Number of the last chapter of this part.
    pub part_last: u32,
    /// The function of this part, as given in the outline.
    pub function: String,
    /// The last parts on this level before the ones to be planned.
    pub earlier: Vec<String>,
    /// World, rules and style.
    pub stable: String,
    /// The cast.
    pub cast: Vec<String>,
    /// Secrets to be kept from the reader: the truth of the book, and secrets of the cast.
    pub hidden: Vec<String>,
    /// The places.
    pub places: Vec<String>,
    /// The items in play and where they are.
    pub things: Vec<String>,
    /// The story so far, a line each.
    pub before: Vec<String>,
    /// Facts of the written text: those about the planned parts first, then the newest.
    pub facts: Vec<String>,
    /// What earlier books tell of the cast.
    pub in_earlier_books: Vec<String>,
    /// Characters who are dead by the written text.
    pub dead: Vec<String>,
    /// Open promises with their age.
    pub promises: Vec<String>,
    /// What planned chapters without a text are to plant, and where it is to be paid.
    pub planned: Vec<String>,
    /// Revelations and turns that are planned and not yet spent.
    pub twists: Vec<String>,
    /// The author's notes.
    pub notes: Vec<String>,
    /// Known preferences of the author.
    pub preferences: Vec<String>,
    /// Faults of the last answer, for the next attempt.
    pub feedback: String,
}

/// Context of purpose `outline.later`: fills `prompts/outline/later`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LaterContext {
    /// Language of the book.
    pub(crate) language: Language,
    /// Number of the last written chapter.
    pub(crate) written: u32,
    /// World, rules and style.
    pub(crate) stable: String,
    /// The cast.
    pub(crate) cast: Vec<String>,
    /// Secrets to be kept from the reader: the truth of the book, and secrets of the cast.
    pub(crate) hidden: Vec<String>,
    /// The places.
    pub(crate) places: Vec<String>,
    /// The items in play and where they are.
    pub(crate) things: Vec<String>,
    /// The book: its course, ending, themes, rhythm.
    pub(crate) book: Vec<String>,
    /// The story so far, a line each.
    pub(crate) before: Vec<String>,
    /// Facts of the written text: those about the planned parts first, then the newest.
    pub(crate) facts: Vec<String>,
    /// Characters who are dead by the written text, with the later plans in which they still take part.
    pub(crate) dead: Vec<String>,
    /// Open promises with their age.
    pub(crate) promises: Vec<String>,
    /// The author's notes.
    pub(crate) notes: Vec<String>,
    /// The later plans, a part of them.
    pub(crate) plans: Vec<LaterNode>,
    /// Number of later plans that neither this request nor an earlier one shows.
    pub(crate) left: usize,
}

/// A node of the outline that is not written yet.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LaterNode {
    /// Id of the node.
    pub(crate) id: String,
    /// Name of the node.
    pub(crate) name: String,
    /// Its fields with a text, by name.
    pub(crate) fields: Vec<LaterField>,
}

/// A field of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LaterField {
    /// Name of the field.
    pub(crate) name: String,
    /// Its text, unless it is a list.
    pub(crate) text: String,
    /// Its entries, if it is a list.
    pub(crate) items: Vec<String>,
}
