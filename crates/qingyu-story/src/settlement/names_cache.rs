//! The index of names, kept from chapter to chapter while a book is settled.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::Story;
use crate::names::Names;
use crate::piece::PieceKind;

/// An index of names that is extended by appended pieces. Settling a book would otherwise index all its chapters again for
/// each new card.
#[derive(Debug, Default)]
pub(super) struct NamesCache {
    names: Arc<Names>,
    indexed: Option<IndexedNames>,
}

/// The number of indexed pieces of each kind, and a fingerprint of their names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct IndexedNames {
    counts: Vec<usize>,
    fingerprint: u64,
}

impl NamesCache {
    /// Returns the names of `story`. Outline nodes and documents must not have been renamed since the last call.
    pub(super) fn of(&mut self, story: &Story) -> Arc<Names> {
        self.renewed(story, &every_kind(), Names::extend)
    }

    /// Returns the names of the possible subjects of a sentence. A cache has either these or all.
    pub(super) fn of_entities(&mut self, story: &Story) -> Arc<Names> {
        let kinds = [PieceKind::Character, PieceKind::Location, PieceKind::Organisation, PieceKind::Item];
        self.renewed(story, &kinds, Names::extend_entities)
    }

    fn renewed(&mut self, story: &Story, kinds: &[PieceKind], extend: impl Fn(&mut Names, &Story)) -> Arc<Names> {
        let before = self
            .indexed
            .as_ref()
            .filter(|indexed| IndexedNames::of_first(story, kinds, &indexed.counts).as_ref() == Some(*indexed));
        if before.is_none() {
            self.names = Arc::default();
        }
        let counts: Vec<usize> = kinds.iter().map(|kind| length(story, *kind)).collect();
        if before.is_none_or(|before| before.counts != counts) {
            extend(Arc::make_mut(&mut self.names), story);
            self.indexed = IndexedNames::of_first(story, kinds, &counts);
        }
        Arc::clone(&self.names)
    }
}

impl IndexedNames {
    /// Returns the fingerprint of the first pieces of each kind; `None` if there are fewer.
    fn of_first(story: &Story, kinds: &[PieceKind], counts: &[usize]) -> Option<Self> {
        let mut hasher = FxHasher::default();
        for (kind, count) in kinds.iter().zip(counts) {
            if length(story, *kind) < *count {
                return None;
            }
            // Hashing the titles of thousands of chapters for each chapter takes long; they stay the same.
            if matches!(kind, PieceKind::OutlineNode | PieceKind::Document) {
                continue;
            }
            for part in story.parts(*kind).take(*count) {
                (*kind as usize, part.id(), part.name(), part.aliases()).hash(&mut hasher);
            }
        }
        Some(Self { counts: counts.to_vec(), fingerprint: hasher.finish() })
    }
}

/// Returns the number of pieces of a kind.
fn length(story: &Story, kind: PieceKind) -> usize {
    match kind {
        PieceKind::OutlineNode => story.outline_nodes.len(),
        PieceKind::Document => story.documents.len(),
        _ => story.parts(kind).count(),
    }
}

/// Returns the kinds with names.
fn every_kind() -> Vec<PieceKind> {
    let is_named = |kind: &PieceKind| {
        !matches!(kind, PieceKind::Fact | PieceKind::Relation | PieceKind::Worldview | PieceKind::Style)
    };
    PieceKind::ALL.into_iter().filter(is_named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{NameMention, NamedPiece};
    use crate::{Character, Document, Item, OutlineNode, Worldview};

    fn character(id: &str, name: &str) -> Character {
        Character { id: id.into(), name: name.into(), ..Character::default() }
    }

    /// All that a text search finds, by first byte.
    fn told(names: &Names, text: &str) -> Vec<(usize, Vec<NamedPiece>)> {
        let bearers = |one: &NameMention<'_>| one.bearers.iter().map(|named| (*named).clone()).collect();
        names.mentions(text).iter().map(|one| (one.start, bearers(one))).collect()
    }

    #[test]
    fn an_extended_index_is_the_index_of_the_story() {
        const TEXT: &str = "林青把青鸟交给周舟，旧港的灯灭了，c-3 走了。";
        let mut story = Story {
            characters: vec![character("c-1", "林青")],
            outline_nodes: vec![OutlineNode { name: "第三章 雨夜".into(), ..OutlineNode::default() }],
            documents: vec![Document { title: "第三章 雨夜".into(), ..Document::default() }],
            ..Story::default()
        };
        let mut cache = NamesCache::default();
        assert_eq!(told(&cache.of(&story), TEXT), told(&Names::of(&story), TEXT));
        story.characters.push(Character { alias: vec!["青鸟".into()], ..character("c-2", "周舟") });
        story.worldview = Some(Worldview {
            items: vec![Item { id: "i-1".into(), name: "青鸟".into(), ..Item::default() }],
            ..Worldview::default()
        });
        story.characters.push(character("c-3", "沈岚"));
        let (extended, anew) = (cache.of(&story), Names::of(&story));
        assert_eq!(told(&extended, TEXT), told(&anew, TEXT));
        for (kind, name) in
            [(PieceKind::Character, "周舟"), (PieceKind::Item, "青鸟"), (PieceKind::OutlineNode, "第三章")]
        {
            assert_eq!(extended.resolve(kind, name), anew.resolve(kind, name), "{name}");
            assert!(extended.knows(kind, name), "{name}");
        }
        let all = |names: &Names| names.all(PieceKind::Character).cloned().collect::<Vec<_>>();
        assert_eq!(all(&extended), all(&anew));
        // A changed or removed piece is indexed anew.
        story.characters[0].name = "林舟".into();
        assert_eq!(told(&cache.of(&story), "林青和林舟"), told(&Names::of(&story), "林青和林舟"));
        story.characters.remove(0);
        assert_eq!(told(&cache.of(&story), TEXT), told(&Names::of(&story), TEXT));
    }

    #[test]
    fn further_characters_stand_behind_those_of_the_story() {
        let story = Story { characters: vec![character("c-1", "林青")], ..Story::default() };
        let names = Names::of_entities(&story).with_characters(&[character("", "周舟")]);
        assert_eq!(told(&names, "周舟和林青").len(), 2);
        assert_eq!(names.resolve(PieceKind::Character, "周舟").map(|one| one.position), Some(1));
    }
}
