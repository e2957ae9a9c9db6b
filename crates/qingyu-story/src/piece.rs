//! A piece: the smallest part of a story that has a name or id and can be edited by itself.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::edit::Error;
use crate::names::fold;
use crate::part::Part;
use crate::{
    Agent, Character, CharacterRelation, Document, Fact, Item, Location, Organisation, OutlineNode, PlotNode, Promise,
    Story, StyleGuide, TimelineEvent, WorldRule, Worldview,
};

/// What kind of piece it is; the `kind` in the parameters of a correction instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// A [`Character`].
    Character,
    /// A [`CharacterRelation`].
    Relation,
    /// An [`OutlineNode`].
    OutlineNode,
    /// A [`TimelineEvent`].
    Event,
    /// A [`PlotNode`].
    PlotNode,
    /// A [`Location`].
    Location,
    /// An [`Organisation`].
    Organisation,
    /// An [`Item`].
    Item,
    /// A [`WorldRule`].
    WorldRule,
    /// A [`Document`].
    Document,
    /// A [`Fact`].
    Fact,
    /// A [`Promise`].
    Promise,
    /// The world's own fields, a [`WorldFrame`].
    Worldview,
    /// The [`StyleGuide`].
    Style,
}

impl PieceKind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Character,
        Self::Relation,
        Self::OutlineNode,
        Self::Event,
        Self::PlotNode,
        Self::Location,
        Self::Organisation,
        Self::Item,
        Self::WorldRule,
        Self::Document,
        Self::Fact,
        Self::Promise,
        Self::Worldview,
        Self::Style,
    ];

    /// The name in parameters and logs, such as `outline_node`.
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
            Self::Document => "document",
            Self::Fact => "fact",
            Self::Promise => "promise",
            Self::Worldview => "worldview",
            Self::Style => "style",
        }
    }

    /// The kind of that name; the plural and the names of the story's lists are understood too.
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

    /// The letter before the dash of ids given to this kind, such as `o` in `o-3`.
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
            Self::Document => "d",
            Self::Fact => "f",
            Self::Promise => "promise",
            Self::Worldview => "world",
            Self::Style => "style",
        }
    }

    /// The list of the story that holds this kind; the first part of an anchor.
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
            Self::Document => "documents",
            Self::Fact => "facts",
            Self::Promise => "promises",
            Self::Worldview => "worldview",
            Self::Style => "style",
        }
    }

    /// The agent whose work it is.
    pub fn agent(self) -> Agent {
        match self {
            Self::Character | Self::Relation => Agent::Character,
            Self::OutlineNode | Self::Document | Self::Promise => Agent::Outline,
            Self::Event | Self::PlotNode | Self::Fact => Agent::Plot,
            Self::Location | Self::Organisation | Self::Item | Self::WorldRule | Self::Worldview => Agent::Worldview,
            Self::Style => Agent::Style,
        }
    }

    /// The kinds that are the work of `agent`.
    pub fn of_agent(agent: Agent) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |kind| kind.agent() == agent)
    }

    /// Whether there is at most one of it.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Worldview | Self::Style)
    }

    /// Whether it lives in the story's [`Worldview`].
    pub(crate) fn in_world(self) -> bool {
        matches!(self, Self::Location | Self::Organisation | Self::Item | Self::WorldRule)
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The world's own fields, without the rules, places, organisations and things in it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WorldFrame {
    /// The world in a paragraph.
    pub summary: String,
    /// The genre, in a word or two.
    pub genre: String,
    /// When it plays.
    pub era: String,
    /// What has really happened, where the story leads its reader to believe something else.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub truth: String,
    /// The outline node before which the reader must not learn it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth_until: Option<String>,
}

/// A piece of a story, by value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "piece", rename_all = "snake_case")]
pub enum Piece {
    /// A character card.
    Character(Character),
    /// What one character is to another.
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
            Piece::Document($part) => $body,
            Piece::Fact($part) => $body,
            Piece::Promise($part) => $body,
            Piece::Worldview($part) => $body,
            Piece::Style($part) => $body,
        }
    };
}

impl Piece {
    /// What kind it is.
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
            Self::Document(_) => PieceKind::Document,
            Self::Fact(_) => PieceKind::Fact,
            Self::Promise(_) => PieceKind::Promise,
            Self::Worldview(_) => PieceKind::Worldview,
            Self::Style(_) => PieceKind::Style,
        }
    }

    /// An empty piece of that kind.
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
            PieceKind::Document => Self::Document(Document::default()),
            PieceKind::Fact => Self::Fact(Fact::default()),
            PieceKind::Promise => Self::Promise(Promise::default()),
            PieceKind::Worldview => Self::Worldview(WorldFrame::default()),
            PieceKind::Style => Self::Style(StyleGuide::default()),
        }
    }

    /// Its id; empty if it has none yet.
    pub fn id(&self) -> &str {
        with_part!(self, part => part.id())
    }

    /// Its name or title; empty for a relation, a fact, the world and the style.
    pub fn name(&self) -> &str {
        with_part!(self, part => part.name())
    }

    /// Its other names.
    pub fn aliases(&self) -> &[String] {
        with_part!(self, part => part.aliases())
    }

    /// Whether `name` is its name or one of its other names.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let name = fold(name);
        !name.is_empty() && (fold(self.name()) == name || self.aliases().iter().any(|alias| fold(alias) == name))
    }

    /// What a person would call it: the name, `from > to` of a relation, what a fact says, or the kind.
    pub fn label(&self) -> String {
        match self {
            Self::Relation(relation) => format!("{} > {}", relation.from, relation.to),
            Self::Fact(fact) => fact.label(),
            other if other.name().is_empty() => other.kind().name().to_owned(),
            other => other.name().to_owned(),
        }
    }

    /// Its fields as JSON.
    pub fn fields(&self) -> Map<String, Value> {
        let value = with_part!(self, part => serde_json::to_value(part)).expect("pieces are plain values");
        let Value::Object(mut fields) = value else { unreachable!("pieces are structs") };
        for (field, empty) in with_part!(self, part => part.quiet()) {
            fields.entry(field).or_insert(empty);
        }
        fields
    }

    /// The piece with `field` set to `value`.
    ///
    /// Fails with [`Error::UnknownField`] if a piece of this kind has no such field, and with [`Error::InvalidField`] if
    /// the value does not fit.
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

    /// Whether it is told from others of its kind by a name.
    pub(crate) fn needs_name(&self) -> bool {
        !self.kind().is_single() && !matches!(self, Self::Relation(_) | Self::Fact(_))
    }

    /// Counts a change of a document's text since `before` in its version, unless the version was set.
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

/// Reading and writing pieces by kind and place in their list.
impl Story {
    /// How many pieces of that kind there are.
    pub fn count(&self, kind: PieceKind) -> usize {
        match kind {
            PieceKind::Character => self.characters.len(),
            PieceKind::Relation => self.character_relations.len(),
            PieceKind::OutlineNode => self.outline_nodes.len(),
            PieceKind::Event => self.timeline_events.len(),
            PieceKind::PlotNode => self.plot_nodes.len(),
            PieceKind::Location => self.locations().len(),
            PieceKind::Organisation => self.organisations().len(),
            PieceKind::Item => self.items().len(),
            PieceKind::WorldRule => self.world_rules().len(),
            PieceKind::Document => self.documents.len(),
            PieceKind::Fact => self.facts.len(),
            PieceKind::Promise => self.promises.len(),
            PieceKind::Worldview => usize::from(self.worldview.is_some()),
            PieceKind::Style => usize::from(self.style.is_some()),
        }
    }

    /// The piece of that kind at that place in its list.
    pub fn piece(&self, kind: PieceKind, position: usize) -> Option<Piece> {
        match kind {
            PieceKind::Character => self.characters.get(position).cloned().map(Piece::Character),
            PieceKind::Relation => self.character_relations.get(position).cloned().map(Piece::Relation),
            PieceKind::OutlineNode => self.outline_nodes.get(position).cloned().map(Piece::OutlineNode),
            PieceKind::Event => self.timeline_events.get(position).cloned().map(Piece::Event),
            PieceKind::PlotNode => self.plot_nodes.get(position).cloned().map(Piece::PlotNode),
            PieceKind::Location => self.locations().get(position).cloned().map(Piece::Location),
            PieceKind::Organisation => self.organisations().get(position).cloned().map(Piece::Organisation),
            PieceKind::Item => self.items().get(position).cloned().map(Piece::Item),
            PieceKind::WorldRule => self.world_rules().get(position).cloned().map(Piece::WorldRule),
            PieceKind::Document => self.documents.get(position).cloned().map(Piece::Document),
            PieceKind::Fact => self.facts.get(position).cloned().map(Piece::Fact),
            PieceKind::Promise => self.promises.get(position).cloned().map(Piece::Promise),
            PieceKind::Worldview => self.worldview.iter().map(|world| Piece::Worldview(world.frame())).nth(position),
            PieceKind::Style => self.style.iter().cloned().map(Piece::Style).nth(position),
        }
    }

    /// All pieces, kind by kind in the order of [`PieceKind::ALL`], each kind in the order of its list.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        PieceKind::ALL.into_iter().flat_map(|kind| self.pieces_of(kind))
    }

    /// All pieces of that kind, in the order of their list.
    pub fn pieces_of(&self, kind: PieceKind) -> impl Iterator<Item = Piece> {
        (0..self.count(kind)).filter_map(move |position| self.piece(kind, position))
    }

    /// What all pieces of that kind have in common, in the order of their list; nothing of those of which there is only
    /// one.
    pub(crate) fn parts(&self, kind: PieceKind) -> Box<dyn Iterator<Item = &dyn Part> + '_> {
        fn all<P: Part>(list: &[P]) -> Box<dyn Iterator<Item = &dyn Part> + '_> {
            Box::new(list.iter().map(|part| part as &dyn Part))
        }
        match kind {
            PieceKind::Character => all(&self.characters),
            PieceKind::Relation => all(&self.character_relations),
            PieceKind::OutlineNode => all(&self.outline_nodes),
            PieceKind::Event => all(&self.timeline_events),
            PieceKind::PlotNode => all(&self.plot_nodes),
            PieceKind::Location => all(self.locations()),
            PieceKind::Organisation => all(self.organisations()),
            PieceKind::Item => all(self.items()),
            PieceKind::WorldRule => all(self.world_rules()),
            PieceKind::Document => all(&self.documents),
            PieceKind::Fact => all(&self.facts),
            PieceKind::Promise => all(&self.promises),
            PieceKind::Worldview | PieceKind::Style => Box::new(std::iter::empty()),
        }
    }

    /// The places of the world.
    pub fn locations(&self) -> &[Location] {
        self.worldview.as_ref().map_or(&[], |world| &world.locations)
    }

    /// The organisations of the world.
    pub fn organisations(&self) -> &[Organisation] {
        self.worldview.as_ref().map_or(&[], |world| &world.organisations)
    }

    /// The things of the world.
    pub fn items(&self) -> &[Item] {
        self.worldview.as_ref().map_or(&[], |world| &world.items)
    }

    /// The rules of the world.
    pub fn world_rules(&self) -> &[WorldRule] {
        self.worldview.as_ref().map_or(&[], |world| &world.rules)
    }

    /// Puts `piece` in place of the one at `position`, which must be there.
    pub(crate) fn replace(&mut self, position: usize, piece: Piece) {
        match piece {
            Piece::Worldview(frame) => self.worldview.get_or_insert_default().set_frame(frame),
            Piece::Style(style) => self.style = Some(style),
            Piece::Character(part) => self.characters[position] = part,
            Piece::Relation(part) => self.character_relations[position] = part,
            Piece::OutlineNode(part) => self.outline_nodes[position] = part,
            Piece::Event(part) => self.timeline_events[position] = part,
            Piece::PlotNode(part) => self.plot_nodes[position] = part,
            Piece::Document(part) => self.documents[position] = part,
            Piece::Fact(part) => self.facts[position] = part,
            Piece::Promise(part) => self.promises[position] = part,
            Piece::Location(part) => self.worldview.get_or_insert_default().locations[position] = part,
            Piece::Organisation(part) => self.worldview.get_or_insert_default().organisations[position] = part,
            Piece::Item(part) => self.worldview.get_or_insert_default().items[position] = part,
            Piece::WorldRule(part) => self.worldview.get_or_insert_default().rules[position] = part,
        }
    }

    /// Puts `piece` into its list before `position`, or at the end.
    pub(crate) fn insert(&mut self, position: usize, piece: Piece) {
        fn into<T>(list: &mut Vec<T>, position: usize, part: T) {
            list.insert(position.min(list.len()), part);
        }
        match piece {
            Piece::Worldview(frame) => self.worldview.get_or_insert_default().set_frame(frame),
            Piece::Style(style) => self.style = Some(style),
            Piece::Character(part) => into(&mut self.characters, position, part),
            Piece::Relation(part) => into(&mut self.character_relations, position, part),
            Piece::OutlineNode(part) => into(&mut self.outline_nodes, position, part),
            Piece::Event(part) => into(&mut self.timeline_events, position, part),
            Piece::PlotNode(part) => into(&mut self.plot_nodes, position, part),
            Piece::Document(part) => into(&mut self.documents, position, part),
            Piece::Fact(part) => into(&mut self.facts, position, part),
            Piece::Promise(part) => into(&mut self.promises, position, part),
            Piece::Location(part) => into(&mut self.worldview.get_or_insert_default().locations, position, part),
            Piece::Organisation(part) => {
                into(&mut self.worldview.get_or_insert_default().organisations, position, part);
            }
            Piece::Item(part) => into(&mut self.worldview.get_or_insert_default().items, position, part),
            Piece::WorldRule(part) => into(&mut self.worldview.get_or_insert_default().rules, position, part),
        }
    }

    /// Takes out the piece of that kind at `position`, which must be there.
    pub(crate) fn remove(&mut self, kind: PieceKind, position: usize) {
        match kind {
            PieceKind::Worldview => self.worldview = None,
            PieceKind::Style => self.style = None,
            PieceKind::Character => drop(self.characters.remove(position)),
            PieceKind::Relation => drop(self.character_relations.remove(position)),
            PieceKind::OutlineNode => drop(self.outline_nodes.remove(position)),
            PieceKind::Event => drop(self.timeline_events.remove(position)),
            PieceKind::PlotNode => drop(self.plot_nodes.remove(position)),
            PieceKind::Document => drop(self.documents.remove(position)),
            PieceKind::Fact => drop(self.facts.remove(position)),
            PieceKind::Promise => drop(self.promises.remove(position)),
            PieceKind::Location => drop(self.worldview.get_or_insert_default().locations.remove(position)),
            PieceKind::Organisation => drop(self.worldview.get_or_insert_default().organisations.remove(position)),
            PieceKind::Item => drop(self.worldview.get_or_insert_default().items.remove(position)),
            PieceKind::WorldRule => drop(self.worldview.get_or_insert_default().rules.remove(position)),
        }
    }
}

impl Worldview {
    /// Its own fields.
    pub fn frame(&self) -> WorldFrame {
        WorldFrame {
            summary: self.summary.clone(),
            genre: self.genre.clone(),
            era: self.era.clone(),
            truth: self.truth.clone(),
            truth_until: self.truth_until.clone(),
        }
    }

    /// Whether it holds no rule, place, organisation or thing.
    pub fn is_bare(&self) -> bool {
        self.rules.is_empty() && self.locations.is_empty() && self.organisations.is_empty() && self.items.is_empty()
    }

    fn set_frame(&mut self, frame: WorldFrame) {
        let WorldFrame { summary, genre, era, truth, truth_until } = frame;
        (self.summary, self.genre, self.era) = (summary, genre, era);
        (self.truth, self.truth_until) = (truth, truth_until);
    }
}
