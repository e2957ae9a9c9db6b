//! The nodes and edges of a story graph.

use std::collections::BTreeMap;

use qingyu_story::truth::PointId;
use qingyu_story::{Evidence, Mode, PieceKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct NodeId(pub(crate) u32);

/// The index of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(crate) struct EdgeId(pub(crate) u32);

/// The number of an edge word in one graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(crate) struct KindId(pub(crate) u32);

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NodeKind {
    /// A character.
    Character,
    /// A place.
    Location,
    /// A thing.
    Item,
    /// An organisation or power.
    Organisation,
    /// An event of the timeline.
    Event,
    /// A node of the outline: act, chapter or scene.
    Chapter,
    /// A node of the plot.
    Plot,
    /// A fact about which another fact is told.
    Fact,
    /// A name of no piece, or of several pieces.
    Unknown,
}

impl NodeKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Character,
        Self::Location,
        Self::Item,
        Self::Organisation,
        Self::Event,
        Self::Chapter,
        Self::Plot,
        Self::Fact,
        Self::Unknown,
    ];

    /// Returns the name in patterns, such as `Character`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Character => "Character",
            Self::Location => "Location",
            Self::Item => "Item",
            Self::Organisation => "Organisation",
            Self::Event => "Event",
            Self::Chapter => "Chapter",
            Self::Plot => "Plot",
            Self::Fact => "Fact",
            Self::Unknown => "Unknown",
        }
    }

    /// Parses a kind, in any case; accepts `Organization` too.
    pub fn parse(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("Organization") {
            return Some(Self::Organisation);
        }
        Self::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// Returns the kind of piece, if nodes of the kind can be looked up by name.
    pub fn piece(self) -> Option<PieceKind> {
        match self {
            Self::Character => Some(PieceKind::Character),
            Self::Location => Some(PieceKind::Location),
            Self::Item => Some(PieceKind::Item),
            Self::Organisation => Some(PieceKind::Organisation),
            Self::Event => Some(PieceKind::Event),
            Self::Chapter => Some(PieceKind::OutlineNode),
            Self::Plot => Some(PieceKind::PlotNode),
            Self::Fact | Self::Unknown => None,
        }
    }
}

/// A piece of the story.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoryNode {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The id of the piece; empty by default.
    pub id: String,
    /// The full name or title.
    pub name: String,
    /// The properties, by the name of the card's field or of the predicate.
    pub(crate) properties: BTreeMap<String, Vec<Property>>,
}

/// A dated value of a node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Property {
    /// A text, a number or a flag.
    pub(crate) value: Value,
    /// The unit of a number; empty by default.
    pub(crate) unit: String,
    /// The time of validity.
    #[serde(skip)]
    pub(crate) dated: DatedSpan,
}

/// A connection between two nodes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct StoryEdge {
    /// The subject.
    pub(crate) from: NodeId,
    /// The object.
    pub(crate) to: NodeId,
    /// The word.
    pub(crate) kind: KindId,
    /// The kind of the source piece and the id, by default the name.
    pub(crate) source: (PieceKind, String),
    /// The sentence of the source as evidence, with the place.
    pub(crate) says: Evidence,
    /// The begin as written; empty by default.
    pub(crate) since: String,
    /// The end as written; empty by default.
    pub(crate) until: String,
    /// The speaker, if the source is a character's claim.
    pub(crate) by: Option<NodeId>,
    /// The time of validity.
    #[serde(skip)]
    pub(crate) dated: DatedSpan,
}

/// The time of validity, and the mode of the telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DatedSpan {
    pub(crate) begin: Option<PointId>,
    pub(crate) end: Option<PointId>,
    /// The places in reading order of the begin and the end.
    pub(crate) begin_order: Option<u32>,
    pub(crate) end_order: Option<u32>,
    /// The place in reading order of the telling.
    pub(crate) told: Option<u32>,
    /// The first character of the sentence that tells it, in its text.
    pub(crate) sentence: Option<u32>,
    pub(crate) mode: Mode,
    /// Whether the validity starts with the story.
    pub(crate) is_first: bool,
    /// Of the holder of a thing with a card, until when by [`Holdings`](qingyu_story::holdings::Holdings).
    pub(crate) holding: Option<HoldingEnd>,
}

/// The end of a holding in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HoldingEnd {
    /// Never: the holder is not now the one, as in a flashback.
    NotNow,
    /// A place in reading order.
    At(u32),
    /// Nothing has ended it.
    Open,
}

impl DatedSpan {
    /// Returns whether the mode states a truth, now or before.
    pub(crate) fn is_certain(&self) -> bool {
        matches!(self.mode, Mode::Narrated | Mode::Flashback)
    }

    /// Returns whether the mode is narration of the present.
    pub(crate) fn is_narrated(&self) -> bool {
        self.mode == Mode::Narrated
    }
}

/// The word of an edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct EdgeWord {
    /// The name, such as `friend_of`.
    pub(crate) name: String,
    /// Whether the word holds in both directions.
    pub(crate) symmetric: bool,
    /// Whether a subject has only one such edge at a time.
    pub(crate) single: bool,
    /// Whether an object has only one such edge at a time.
    pub(crate) exclusive: bool,
}
