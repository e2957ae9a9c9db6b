//! The kinds of pieces.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::Agent;

/// What kind of piece it is; the `kind` in the parameters of a correction instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// A `Character`.
    Character,
    /// A `CharacterRelation`.
    Relation,
    /// An `OutlineNode`.
    OutlineNode,
    /// A `TimelineEvent`.
    Event,
    /// A `PlotNode`.
    PlotNode,
    /// A `Location`.
    Location,
    /// An `Organisation`.
    Organisation,
    /// An `Item`.
    Item,
    /// A `WorldRule`.
    WorldRule,
    /// A `Ladder`.
    Ladder,
    /// A `Document`.
    Document,
    /// A `Fact`.
    Fact,
    /// A `Promise`.
    Promise,
    /// The world's own fields, a `WorldFrame`.
    Worldview,
    /// The `StyleGuide`.
    Style,
}

impl PieceKind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Character,
        Self::Relation,
        Self::OutlineNode,
        Self::Event,
        Self::PlotNode,
        Self::Location,
        Self::Organisation,
        Self::Item,
        Self::WorldRule,
        Self::Ladder,
        Self::Document,
        Self::Fact,
        Self::Promise,
        Self::Worldview,
        Self::Style,
    ];

    /// The kinds of cards that a chapter can introduce.
    pub const CARDS: [Self; 4] = [Self::Character, Self::Location, Self::Item, Self::Organisation];

    /// Returns the name for parameters and logs, such as `outline_node`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Character => "character",
            Self::Relation => "relation",
            Self::OutlineNode => "outline_node",
            Self::Event => "event",
            Self::PlotNode => "plot_node",
            Self::Location => "location",
            Self::Organisation => "organisation",
            Self::Item => "item",
            Self::WorldRule => "world_rule",
            Self::Ladder => "ladder",
            Self::Document => "document",
            Self::Fact => "fact",
            Self::Promise => "promise",
            Self::Worldview => "worldview",
            Self::Style => "style",
        }
    }

    /// Parses a kind from its name; also accepts the plural and the names of the story's lists.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let kind = match name.as_str() {
            "relationship" | "character_relation" | "character_relations" => Self::Relation,
            "outline" => Self::OutlineNode,
            "timeline_event" | "timeline_events" => Self::Event,
            "organization" | "organizations" => Self::Organisation,
            "rule" => Self::WorldRule,
            other => Self::ALL
                .into_iter()
                .find(|kind| other == kind.name() || other.strip_suffix('s') == Some(kind.name()))?,
        };
        Some(kind)
    }

    /// Returns the id prefix of the kind, such as `o` in `o-3`.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Character => "c",
            Self::Relation => "r",
            Self::OutlineNode => "o",
            Self::Event => "e",
            Self::PlotNode => "p",
            Self::Location => "l",
            Self::Organisation => "g",
            Self::Item => "i",
            Self::WorldRule => "w",
            Self::Ladder => "ladder",
            Self::Document => "d",
            Self::Fact => "f",
            Self::Promise => "promise",
            Self::Worldview => "world",
            Self::Style => "style",
        }
    }

    /// Returns the name of the story's list of the kind; the first part of an anchor.
    pub fn list(self) -> &'static str {
        match self {
            Self::Character => "characters",
            Self::Relation => "character_relations",
            Self::OutlineNode => "outline_nodes",
            Self::Event => "timeline_events",
            Self::PlotNode => "plot_nodes",
            Self::Location => "worldview/locations",
            Self::Organisation => "worldview/organisations",
            Self::Item => "worldview/items",
            Self::WorldRule => "worldview/rules",
            Self::Ladder => "worldview/ladders",
            Self::Document => "documents",
            Self::Fact => "facts",
            Self::Promise => "promises",
            Self::Worldview => "worldview",
            Self::Style => "style",
        }
    }

    /// Returns the agent responsible for the kind.
    pub fn agent(self) -> Agent {
        match self {
            Self::Character | Self::Relation => Agent::Character,
            Self::OutlineNode | Self::Document | Self::Promise => Agent::Outline,
            Self::Event | Self::PlotNode | Self::Fact => Agent::Plot,
            Self::Location | Self::Organisation | Self::Item | Self::WorldRule | Self::Ladder | Self::Worldview => {
                Agent::Worldview
            }
            Self::Style => Agent::Style,
        }
    }

    /// Iterates over the kinds of `agent`.
    pub fn of_agent(agent: Agent) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |kind| kind.agent() == agent)
    }

    /// Returns whether a story has at most one piece of the kind.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Worldview | Self::Style)
    }

    /// Returns whether the kind is part of the story's `Worldview`.
    pub(crate) fn in_world(self) -> bool {
        matches!(self, Self::Location | Self::Organisation | Self::Item | Self::WorldRule | Self::Ladder)
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
