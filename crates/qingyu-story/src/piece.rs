//! A piece: the smallest part of a story with a name or id, separately editable.

mod kind;
mod lists;
mod world_frame;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::edit::Error;
use crate::names::fold;
use crate::part::PieceData;
use crate::{
    Character, CharacterRelation, Document, Fact, Item, Ladder, Language, Location, Organisation, OutlineNode,
    PlotNode, Promise, StyleGuide, TimelineEvent, WorldRule,
};

pub use kind::PieceKind;
pub use world_frame::WorldFrame;

/// A piece of a story, by value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "piece", rename_all = "snake_case")]
pub enum Piece {
    /// A character card.
    Character(Character),
    /// A relation between two characters.
    Relation(CharacterRelation),
    /// A node of the outline.
    OutlineNode(OutlineNode),
    /// An event in story time.
    Event(TimelineEvent),
    /// A node of the plot.
    PlotNode(PlotNode),
    /// A place.
    Location(Location),
    /// An organisation.
    Organisation(Organisation),
    /// A thing.
    Item(Item),
    /// A rule of the world.
    WorldRule(WorldRule),
    /// A ladder of power or standing.
    Ladder(Ladder),
    /// A text of the book.
    Document(Document),
    /// A statement.
    Fact(Fact),
    /// A promise to the reader.
    Promise(Promise),
    /// The world's own fields.
    Worldview(WorldFrame),
    /// The style guide.
    Style(StyleGuide),
}

/// Evaluates `$body` with `$part` bound to the value inside a piece.
macro_rules! with_part {
    ($piece:expr, $part:ident => $body:expr) => {
        match $piece {
            Piece::Character($part) => $body,
            Piece::Relation($part) => $body,
            Piece::OutlineNode($part) => $body,
            Piece::Event($part) => $body,
            Piece::PlotNode($part) => $body,
            Piece::Location($part) => $body,
            Piece::Organisation($part) => $body,
            Piece::Item($part) => $body,
            Piece::WorldRule($part) => $body,
            Piece::Ladder($part) => $body,
            Piece::Document($part) => $body,
            Piece::Fact($part) => $body,
            Piece::Promise($part) => $body,
            Piece::Worldview($part) => $body,
            Piece::Style($part) => $body,
        }
    };
}

impl Piece {
    /// Returns the kind.
    pub fn kind(&self) -> PieceKind {
        match self {
            Self::Character(_) => PieceKind::Character,
            Self::Relation(_) => PieceKind::Relation,
            Self::OutlineNode(_) => PieceKind::OutlineNode,
            Self::Event(_) => PieceKind::Event,
            Self::PlotNode(_) => PieceKind::PlotNode,
            Self::Location(_) => PieceKind::Location,
            Self::Organisation(_) => PieceKind::Organisation,
            Self::Item(_) => PieceKind::Item,
            Self::WorldRule(_) => PieceKind::WorldRule,
            Self::Ladder(_) => PieceKind::Ladder,
            Self::Document(_) => PieceKind::Document,
            Self::Fact(_) => PieceKind::Fact,
            Self::Promise(_) => PieceKind::Promise,
            Self::Worldview(_) => PieceKind::Worldview,
            Self::Style(_) => PieceKind::Style,
        }
    }

    /// Returns an empty piece of the kind.
    pub fn empty(kind: PieceKind) -> Self {
        match kind {
            PieceKind::Character => Self::Character(Character::default()),
            PieceKind::Relation => Self::Relation(CharacterRelation::default()),
            PieceKind::OutlineNode => Self::OutlineNode(OutlineNode::default()),
            PieceKind::Event => Self::Event(TimelineEvent::default()),
            PieceKind::PlotNode => Self::PlotNode(PlotNode::default()),
            PieceKind::Location => Self::Location(Location::default()),
            PieceKind::Organisation => Self::Organisation(Organisation::default()),
            PieceKind::Item => Self::Item(Item::default()),
            PieceKind::WorldRule => Self::WorldRule(WorldRule::default()),
            PieceKind::Ladder => Self::Ladder(Ladder::default()),
            PieceKind::Document => Self::Document(Document::default()),
            PieceKind::Fact => Self::Fact(Fact::default()),
            PieceKind::Promise => Self::Promise(Promise::default()),
            PieceKind::Worldview => Self::Worldview(WorldFrame::default()),
            PieceKind::Style => Self::Style(StyleGuide::default()),
        }
    }

    /// Returns the id; empty if not yet assigned.
    pub fn id(&self) -> &str {
        with_part!(self, part => part.id())
    }

    /// Returns the name or title; empty for a relation, a fact, the world and the style.
    pub fn name(&self) -> &str {
        with_part!(self, part => part.name())
    }

    /// Returns the id of the piece, with the name and then the kind as fallback.
    pub fn handle(&self) -> &str {
        match (self.id(), self.name()) {
            ("", "") => self.kind().name(),
            ("", name) => name,
            (id, _) => id,
        }
    }

    /// Returns the aliases.
    pub fn aliases(&self) -> &[String] {
        with_part!(self, part => part.aliases())
    }

    /// Returns whether `name` is the name or an alias.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let name = fold(name);
        !name.is_empty() && (fold(self.name()) == name || self.aliases().iter().any(|alias| fold(alias) == name))
    }

    /// Returns a display label: the name, `from > to` of a relation, the statement of a fact, or the kind.
    pub fn label(&self) -> String {
        match self {
            Self::Relation(relation) => format!("{} > {}", relation.from, relation.to),
            Self::Fact(fact) => fact.label(),
            other if other.name().is_empty() => other.kind().name().to_owned(),
            other => other.name().to_owned(),
        }
    }

    /// Returns the [label](Self::label) for a reader: of a fact, its [sentence](crate::Fact::sentence).
    pub fn shown(&self, language: Language) -> String {
        match self {
            Self::Fact(fact) => fact.sentence(language),
            other => other.label(),
        }
    }

    /// Serializes the fields as JSON.
    pub fn fields(&self) -> Map<String, Value> {
        let value = with_part!(self, part => serde_json::to_value(part)).expect("pieces are plain values");
        let Value::Object(mut fields) = value else { unreachable!("pieces are structs") };
        for (field, empty) in with_part!(self, part => part.quiet()) {
            fields.entry(field).or_insert(empty);
        }
        fields
    }

    /// Returns the piece with `field` set to `value`.
    ///
    /// Returns [`Error::UnknownField`] if the field does not exist for the kind, and [`Error::InvalidField`] if the
    /// value does not fit.
    pub fn with_field(&self, field: &str, value: Value) -> Result<Self, Error> {
        let mut fields = self.fields();
        if !fields.contains_key(field) {
            return Err(Error::UnknownField { path: format!("parameters/{field}") });
        }
        fields.insert(field.to_owned(), value);
        let value = Value::Object(fields);
        let piece = match self {
            Self::Character(_) => serde_json::from_value(value).map(Self::Character),
            Self::Relation(_) => serde_json::from_value(value).map(Self::Relation),
            Self::OutlineNode(_) => serde_json::from_value(value).map(Self::OutlineNode),
            Self::Event(_) => serde_json::from_value(value).map(Self::Event),
            Self::PlotNode(_) => serde_json::from_value(value).map(Self::PlotNode),
            Self::Location(_) => serde_json::from_value(value).map(Self::Location),
            Self::Organisation(_) => serde_json::from_value(value).map(Self::Organisation),
            Self::Item(_) => serde_json::from_value(value).map(Self::Item),
            Self::WorldRule(_) => serde_json::from_value(value).map(Self::WorldRule),
            Self::Ladder(_) => serde_json::from_value(value).map(Self::Ladder),
            Self::Document(_) => serde_json::from_value(value).map(Self::Document),
            Self::Fact(_) => serde_json::from_value(value).map(Self::Fact),
            Self::Promise(_) => serde_json::from_value(value).map(Self::Promise),
            Self::Worldview(_) => serde_json::from_value(value).map(Self::Worldview),
            Self::Style(_) => serde_json::from_value(value).map(Self::Style),
        };
        piece.map_err(|error| Error::InvalidField { path: format!("parameters/{field}"), reason: error.to_string() })
    }

    pub(crate) fn set_id(&mut self, id: String) {
        with_part!(self, part => part.set_id(id));
    }

    /// Returns whether the kind identifies its pieces by name.
    pub(crate) fn needs_name(&self) -> bool {
        !self.kind().is_single() && !matches!(self, Self::Relation(_) | Self::Fact(_))
    }

    /// Increments the version of a document whose text changed since `before`, unless the version was set explicitly.
    pub(crate) fn succeed(&mut self, before: &Self) {
        if let (Self::Document(after), Self::Document(before)) = (self, before)
            && after.text != before.text
            && after.version == before.version
        {
            after.version = after.version.saturating_add(1);
        }
    }

    pub(crate) fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
        with_part!(self, part => part.references_mut())
    }

    pub(crate) fn texts_mut(&mut self) -> Vec<&mut String> {
        with_part!(self, part => part.texts_mut())
    }
}
