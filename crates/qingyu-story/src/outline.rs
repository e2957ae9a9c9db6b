//! The outline: a tree of acts, chapters and scenes.

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
}

/// What an outline node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutlineNodeKind {
    /// A volume or act.
    Act,
    /// A chapter.
    #[default]
    Chapter,
    /// A scene of a chapter.
    Scene,
}
