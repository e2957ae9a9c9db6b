//! Timeline events and plot nodes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An event in story time.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TimelineEvent {
    /// Given by the studio, such as `e-3`; models may leave it empty.
    pub id: String,
    /// A short title; unique in a story.
    pub title: String,
    /// Other titles under which chapters tell it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alias: Vec<String>,
    /// What happens.
    pub description: String,
    /// When, in the story's words: `2077-03-05 22:00`, `2077年3月5日夜`, `第3天`, `Day 3`; empty if unknown.
    pub timestamp: String,
    /// How long, such as `2小时` or `3 days`; empty if unknown.
    pub duration: String,
    /// Titles or ids of events that come before this one.
    pub after: Vec<String>,
    /// Names of the characters who take part.
    pub participants: Vec<String>,
    /// Names of the characters who die in it.
    pub deaths: Vec<String>,
    /// The name of the place, if there is one.
    pub location: Option<String>,
    /// From 1 (colour) to 10 (the story turns on it).
    pub importance: u8,
    /// The name or id of the outline node that tells it.
    pub outline_node: Option<String>,
    /// How it is told.
    pub mode: Mode,
    /// Who says, believes, dreams, plans it, or lies; empty if it is nobody known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl TimelineEvent {
    /// Returns who says, believes, dreams, plans the event, or lies; empty if the story does not say.
    ///
    /// A plan is of the first who takes part in it. Of all else, somebody who takes part need not be who tells it.
    pub fn teller(&self) -> &str {
        let planner = || self.participants.first().filter(|_| self.mode == Mode::Planned);
        let by = self.by.as_ref().filter(|name| !name.trim().is_empty());
        by.or_else(planner).map_or("", |name| name.trim())
    }

    /// Returns whether the event belongs to an outline node.
    pub fn has_chapter(&self) -> bool {
        self.outline_node.as_deref().is_some_and(|node| !node.trim().is_empty())
    }
}

/// In which way something is told. Only what is narrated can contradict what is narrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It happens.
    #[default]
    Narrated,
    /// It happened before and is told now.
    Flashback,
    /// Somebody dreams it.
    Dreamt,
    /// Somebody says it; it may be a lie.
    Said,
    /// Somebody believes it.
    Believed,
    /// Somebody plans it.
    Planned,
    /// Somebody says it and knows that it is not so.
    Lied,
    /// It was told so and has been taken back; something else holds in its place.
    Retconned,
    /// It only looks so, because somebody or something is disguised.
    Disguised,
}

impl Mode {
    /// Returns whether somebody says, believes or dreams it, truly or not.
    pub(crate) fn is_said_or_imagined(self) -> bool {
        matches!(self, Self::Said | Self::Lied | Self::Believed | Self::Dreamt)
    }
}

/// A node of the plot: what drives the story, beside when it happens.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlotNode {
    /// Given by the studio, such as `p-3`; models may leave it empty.
    pub id: String,
    /// A short title; unique in a story.
    pub title: String,
    /// What turns, and why.
    pub description: String,
    /// Its work in the story.
    pub kind: PlotKind,
    /// The name or id of the outline node it belongs to.
    pub outline_node: Option<String>,
    /// Titles or ids of the events it is made of.
    pub events: Vec<String>,
    /// Titles or ids of the plot nodes that cause it.
    pub causes: Vec<String>,
}

/// The work of a plot node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlotKind {
    /// Sets up.
    #[default]
    Setup,
    /// Sets against each other.
    Conflict,
    /// Turns.
    Turn,
    /// The height.
    Climax,
    /// The end of a line.
    Resolution,
}
