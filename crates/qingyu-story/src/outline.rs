//! The outline: a tree of the book, its volumes, arcs, chapters and scenes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A node of the outline. Children name their parent; siblings are in `order`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OutlineNode {
    /// Given by the studio, such as `o-3`; models may leave it empty.
    pub id: String,
    /// The id or name of the parent; none for a top node.
    pub parent: Option<String>,
    /// What it is.
    pub kind: OutlineNodeKind,
    /// The place among all nodes, from 1, in reading order.
    pub order: u32,
    /// The title, such as `第一章 雨夜来客`.
    pub name: String,
    /// What happens, naming the characters who act.
    pub description: String,
    /// What the node must achieve for the story.
    pub goal: String,
    /// Names of the characters who appear.
    pub participants: Vec<String>,
    /// The name of the place, if there is one.
    pub location: Option<String>,
    /// What is planted here and must be paid later.
    pub plants: Vec<String>,
    /// What was planted before and is paid here.
    pub pays: Vec<String>,
    /// The words (English) or characters (Chinese) planned.
    pub words: Option<u32>,
    /// How many chapters a book, a volume or an arc is planned to have, the written ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapters: Option<u32>,
    /// What the part does for the whole, in a word: `setback`, `试探`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// What makes the reader read on; for a chapter, at its end.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hook: String,
    /// What pulls the reader into a chapter, at its beginning.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// What presses on the characters in a chapter: a deadline, a threat, a choice.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pressure: String,
    /// Which readers a chapter pulls on: those who wait for the romance, for the fight, for the answer.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub pulls: String,
    /// The planned tension of a chapter, from 1 (rest) to 10 (the height of the book).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tension: Option<u8>,
    /// The turns of an arc, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<String>,
    /// How it pays off; for a book, the ending.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub payoff: String,
    /// The opposing force of a volume.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub opposition: String,
    /// The price paid in a volume.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub price: String,
    /// What a volume reveals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reveals: Vec<String>,
    /// The themes of a book.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    /// The rhythm of a book: how often something is paid, how it is published.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rhythm: String,
    /// Whether planning leaves it as it is, and proposes no change of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub locked: bool,
}

/// What an outline node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutlineNodeKind {
    /// The whole book: its course, ending, themes, length.
    Book,
    /// A volume or act.
    Act,
    /// A part of a volume, usually of 10 to 40 chapters.
    Arc,
    /// A chapter.
    #[default]
    Chapter,
    /// A scene of a chapter.
    Scene,
}

impl OutlineNodeKind {
    /// Returns whether a node of this kind groups other nodes rather than being told itself.
    pub fn is_group(self) -> bool {
        matches!(self, Self::Book | Self::Act | Self::Arc)
    }
}
