//! Finds references to pieces about to be removed.

use rustc_hash::FxHashMap;

use crate::piece::PieceKind;
use crate::{Fact, Story};

/// A reference to a piece about to be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RemovedReference {
    /// The index of the referenced piece in the list passed by the caller.
    pub(super) to: usize,
    /// The kind of the referring piece.
    pub(super) kind: PieceKind,
    pub(super) position: usize,
}

/// Returns all references in `story` to the pieces at the given kinds and positions, in story order.
pub(super) fn references(story: &Story, sought: &[(PieceKind, usize)]) -> Vec<RemovedReference> {
    let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (index, (kind, position)) in sought.iter().enumerate() {
        let Some(piece) = story.piece(*kind, *position) else { continue };
        let names = [piece.id(), piece.name()].into_iter().chain(piece.aliases().iter().map(String::as_str));
        for name in names.map(str::trim).filter(|name| !name.is_empty()) {
            by_name.entry(name.to_owned()).or_default().push(index);
        }
    }
    if by_name.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut look = |kind: PieceKind, position: usize, to: Option<&[PieceKind]>, name: &str| {
        for index in by_name.get(name.trim()).into_iter().flatten() {
            let meant = sought[*index];
            let may_be = to.map_or(meant.0 != PieceKind::Promise, |to| to.contains(&meant.0));
            if may_be && meant != (kind, position) {
                found.push(RemovedReference { to: *index, kind, position });
            }
        }
    };
    for (position, fact) in story.facts.iter().enumerate() {
        names_in(fact, |name| look(PieceKind::Fact, position, None, name));
    }
    for kind in PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::Fact) {
        for (position, part) in story.parts(kind).enumerate() {
            part.links().into_iter().for_each(|(to, name)| look(kind, position, Some(to), name));
        }
    }
    found
}

/// Calls `look` with every piece name in a fact. Allocates no list, because stories have many facts.
fn names_in(fact: &Fact, mut look: impl FnMut(&str)) {
    let one = [&fact.subject, &fact.from, &fact.until];
    let maybe = [&fact.object, &fact.by].into_iter().flatten();
    let knowers =
        fact.known_by.iter().flat_map(|knower| [&knower.who, &knower.since].into_iter().chain(&knower.told_by));
    one.into_iter().chain(maybe).chain(knowers).filter(|name| !name.is_empty()).for_each(|name| look(name));
}

/// Returns a readable name for the piece at `position`.
pub(super) fn label(story: &Story, kind: PieceKind, position: usize) -> String {
    story.piece(kind, position).map(|piece| piece.shown(story.language)).unwrap_or_default()
}
