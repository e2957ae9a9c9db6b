//! The world the story plays in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The world: its time, rules, places, organisations and things.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Worldview {
    /// The world in a paragraph.
    pub summary: String,
    /// The genre, in a word or two.
    pub genre: String,
    /// When it plays, in the story's calendar, such as `2077`; empty if it does not matter.
    pub era: String,
    /// Rules that hold for all.
    pub rules: Vec<WorldRule>,
    /// Places.
    pub locations: Vec<Location>,
    /// Organisations and powers.
    pub organisations: Vec<Organisation>,
    /// Things that matter.
    pub items: Vec<Item>,
}

/// A rule of the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WorldRule {
    /// Given by the studio, such as `w-3`; models may leave it empty.
    pub id: String,
    /// A short name.
    pub name: String,
    /// The rule in a sentence.
    pub statement: String,
    /// What it costs or forbids; empty if nothing.
    pub limit: String,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Location {
    /// Given by the studio, such as `l-3`; models may leave it empty.
    pub id: String,
    /// The name; unique among places.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// What it is like.
    pub description: String,
}

/// An organisation or power.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Organisation {
    /// Given by the studio, such as `g-3`; models may leave it empty.
    pub id: String,
    /// The name; unique among organisations.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// What it is and wants.
    pub description: String,
}

/// A thing that matters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Item {
    /// Given by the studio, such as `i-3`; models may leave it empty.
    pub id: String,
    /// The name; unique among things.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// What it is and can do.
    pub description: String,
    /// The name of the character who has it at the beginning.
    pub holder: Option<String>,
}
