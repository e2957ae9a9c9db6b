//! The lists of a story, by kind and list index.

use super::Piece;
use super::kind::PieceKind;
use crate::OwnRelationKind;
use crate::ladder::Ladder;
use crate::part::PieceData;
use crate::story::Story;
use crate::world::{Item, Location, Organisation, WorldRule};

/// Access to pieces by kind and list index.
impl Story {
    /// Returns the number of pieces of the kind.
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
            PieceKind::Ladder => self.ladders().len(),
            PieceKind::Document => self.documents.len(),
            PieceKind::Fact => self.facts.len(),
            PieceKind::Promise => self.promises.len(),
            PieceKind::Worldview => usize::from(self.worldview.is_some()),
            PieceKind::Style => usize::from(self.style.is_some()),
        }
    }

    /// Returns the piece of the kind at the list index.
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
            PieceKind::Ladder => self.ladders().get(position).cloned().map(Piece::Ladder),
            PieceKind::Document => self.documents.get(position).cloned().map(Piece::Document),
            PieceKind::Fact => self.facts.get(position).cloned().map(Piece::Fact),
            PieceKind::Promise => self.promises.get(position).cloned().map(Piece::Promise),
            PieceKind::Worldview => self.worldview.iter().map(|world| Piece::Worldview(world.frame())).nth(position),
            PieceKind::Style => self.style.iter().cloned().map(Piece::Style).nth(position),
        }
    }

    /// Iterates over all pieces, in the order of [`PieceKind::ALL`], each kind in list order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        PieceKind::ALL.into_iter().flat_map(|kind| self.pieces_of(kind))
    }

    /// Returns whether the story has any piece; a new book has none.
    pub fn has_pieces(&self) -> bool {
        self.pieces().next().is_some()
    }

    /// Iterates over the pieces of the kind, in list order.
    pub fn pieces_of(&self, kind: PieceKind) -> impl Iterator<Item = Piece> {
        (0..self.count(kind)).filter_map(move |position| self.piece(kind, position))
    }

    /// Iterates over the common interface of all pieces of the kind, in list order; empty for single kinds.
    pub(crate) fn parts(&self, kind: PieceKind) -> Box<dyn Iterator<Item = &dyn PieceData> + '_> {
        fn all<P: PieceData>(list: &[P]) -> Box<dyn Iterator<Item = &dyn PieceData> + '_> {
            Box::new(list.iter().map(|part| part as &dyn PieceData))
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
            PieceKind::Ladder => all(self.ladders()),
            PieceKind::Document => all(&self.documents),
            PieceKind::Fact => all(&self.facts),
            PieceKind::Promise => all(&self.promises),
            PieceKind::Worldview | PieceKind::Style => Box::new(std::iter::empty()),
        }
    }

    /// Returns the places of the world.
    pub fn locations(&self) -> &[Location] {
        self.worldview.as_ref().map_or(&[], |world| &world.locations)
    }

    /// Returns the organisations of the world.
    pub fn organisations(&self) -> &[Organisation] {
        self.worldview.as_ref().map_or(&[], |world| &world.organisations)
    }

    /// Returns the things of the world.
    pub fn items(&self) -> &[Item] {
        self.worldview.as_ref().map_or(&[], |world| &world.items)
    }

    /// Returns the rules of the world.
    pub fn world_rules(&self) -> &[WorldRule] {
        self.worldview.as_ref().map_or(&[], |world| &world.rules)
    }

    /// Returns the ladders of the world.
    pub fn ladders(&self) -> &[Ladder] {
        self.worldview.as_ref().map_or(&[], |world| &world.ladders)
    }

    /// Returns the author's own kinds of relation.
    pub fn relation_kinds(&self) -> &[OwnRelationKind] {
        self.worldview.as_ref().map_or(&[], |world| &world.relation_kinds)
    }

    /// Returns the author's own kind of relation that a word names, and whether the word is its inverse.
    pub fn own_relation_kind(&self, word: &str) -> Option<(&OwnRelationKind, bool)> {
        OwnRelationKind::named(self.relation_kinds(), word)
    }

    /// Replaces the piece at `position`. Panics if a list has no piece there.
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
            Piece::Ladder(part) => self.worldview.get_or_insert_default().ladders[position] = part,
        }
    }

    /// Inserts `piece` into its list before `position`, or appends at the end.
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
            Piece::Ladder(part) => into(&mut self.worldview.get_or_insert_default().ladders, position, part),
        }
    }

    /// Removes the piece of the kind at `position`. Panics if a list has no piece there.
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
            PieceKind::Ladder => drop(self.worldview.get_or_insert_default().ladders.remove(position)),
        }
    }
}
