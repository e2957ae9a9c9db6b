//! Resolves the subjects and objects of statements.

use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::Story;
use crate::names::{Names, fold};
use crate::part::ENTITIES;
use crate::piece::PieceKind;

/// A piece used in statements, or a name without a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Entity {
    /// The kind; `None` for a name without a piece or an ambiguous name.
    pub(crate) kind: Option<PieceKind>,
    /// The position in the list of the kind, or among the names without a piece.
    pub(crate) index: usize,
}

/// A cache of resolved names, each spelling looked up once.
#[derive(Debug)]
pub(crate) struct Registry<'s> {
    story: &'s Story,
    names: Arc<Names>,
    seen: FxHashMap<(&'s str, bool), Entity>,
    strangers: Vec<&'s str>,
    by_name: FxHashMap<String, usize>,
    /// The strangers with an ambiguous name.
    ambiguous: FxHashSet<usize>,
    facts: FxHashMap<&'s str, Option<usize>>,
}

impl<'s> Registry<'s> {
    pub(crate) fn new(story: &'s Story, names: Arc<Names>) -> Self {
        let mut facts: FxHashMap<&str, Option<usize>> =
            FxHashMap::with_capacity_and_hasher(story.facts.len(), FxBuildHasher);
        for (position, fact) in story.facts.iter().enumerate().filter(|(_, fact)| !fact.id.trim().is_empty()) {
            facts.entry(fact.id.trim()).and_modify(|known| *known = None).or_insert(Some(position));
        }
        Self {
            story,
            names,
            seen: FxHashMap::default(),
            strangers: Vec::new(),
            by_name: FxHashMap::default(),
            ambiguous: FxHashSet::default(),
            facts,
        }
    }

    /// Returns the only fact with the given id.
    pub(crate) fn fact(&self, id: &str) -> Option<usize> {
        self.facts.get(id.trim()).copied().flatten()
    }

    /// Resolves `name`. A name without a piece is the same stranger throughout the story; an ambiguous name is a
    /// different stranger each time.
    pub(crate) fn entity(&mut self, name: &'s str) -> Entity {
        self.look_up(name, false)
    }

    /// Works like [`entity`](Self::entity), preferring a place with the given name. A place without a card is not the person
    /// of whose name its name is a part.
    pub(crate) fn place(&mut self, name: &'s str) -> Entity {
        self.look_up(name, true)
    }

    fn look_up(&mut self, name: &'s str, is_place: bool) -> Entity {
        if let Some(known) = self.seen.get(&(name, is_place)) {
            return *known;
        }
        if let Some(position) = self.fact(name) {
            return Entity { kind: Some(PieceKind::Fact), index: position };
        }
        let place = self.names.resolve(PieceKind::Location, name).filter(|_| is_place);
        let found: Vec<_> = match is_place {
            true => ENTITIES.iter().flat_map(|kind| self.names.find(*kind, name)).collect(),
            false => self.names.meant(ENTITIES, name),
        };
        let entity = match (place, found.as_slice()) {
            (Some(one), _) => Entity { kind: Some(one.kind), index: one.position },
            (None, [one]) => Entity { kind: Some(one.kind), index: one.position },
            (None, []) => {
                let next = self.strangers.len();
                let index = *self.by_name.entry(fold(name)).or_insert(next);
                match self.strangers.get_mut(index) {
                    // The least spelling wins, so the choice is deterministic.
                    Some(known) => *known = (*known).min(name.trim()),
                    None => self.strangers.push(name.trim()),
                }
                Entity { kind: None, index }
            }
            (None, _) => {
                let index = self.strangers.len();
                self.strangers.push(name.trim());
                self.ambiguous.insert(index);
                return Entity { kind: None, index };
            }
        };
        self.seen.insert((name, is_place), entity);
        entity
    }

    /// Returns the entity of `name`, or `None` if ambiguous or never used in statements.
    pub(crate) fn known(&self, name: &str) -> Option<Entity> {
        let found = self.names.meant(ENTITIES, name);
        match found.as_slice() {
            [one] => Some(Entity { kind: Some(one.kind), index: one.position }),
            [] => self.stranger(name),
            _ => None,
        }
    }

    /// Returns the stranger with the given name.
    pub(crate) fn stranger(&self, name: &str) -> Option<Entity> {
        self.by_name.get(&fold(name)).map(|index| Entity { kind: None, index: *index })
    }

    /// Returns whether the entity is unambiguous.
    pub(crate) fn is_clear(&self, entity: Entity) -> bool {
        entity.kind.is_some() || !self.ambiguous.contains(&entity.index)
    }

    /// Returns the name of the entity.
    pub(crate) fn name(&self, entity: Entity) -> &'s str {
        let story = self.story;
        let Some(kind) = entity.kind else { return self.strangers[entity.index] };
        match kind {
            PieceKind::Character => story.characters[entity.index].name.trim(),
            PieceKind::Location => story.locations()[entity.index].name.trim(),
            PieceKind::Item => story.items()[entity.index].name.trim(),
            PieceKind::Organisation => story.organisations()[entity.index].name.trim(),
            PieceKind::Event => story.timeline_events[entity.index].title.trim(),
            PieceKind::Fact => story.facts[entity.index].id.trim(),
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Character;

    #[test]
    fn a_place_without_a_card_is_not_the_person_who_has_its_name_as_a_part() {
        let card = Character { name: "Abe Lincoln".into(), ..Character::default() };
        let story = Story { characters: vec![card], ..Story::default() };
        let mut registry = Registry::new(&story, Arc::new(Names::of(&story)));
        assert_eq!(registry.entity("Lincoln").kind, Some(PieceKind::Character));
        assert_eq!(registry.place("Lincoln").kind, None);
        assert_eq!(registry.entity("lincoln").kind, None, "a word in lower case is no name");
    }
}
