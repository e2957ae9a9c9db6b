//! How long the ways between places take at least.

use std::collections::{BTreeMap, BTreeSet};

use super::Material;
use super::claims::regions_of;
use crate::Travel;
use crate::piece::PieceKind;
use crate::time::{Length, length};
use crate::truth::Entity;

/// The least time from place to place, by their positions, and how the world says it.
pub(super) type Ways<'s> = BTreeMap<(usize, usize), (Length, &'s str)>;

/// The way between two places, whichever way round the world says it.
pub(super) fn way<'s>(ways: &Ways<'s>, from: usize, to: usize) -> Option<(Length, &'s str)> {
    ways.get(&(from, to)).or_else(|| ways.get(&(to, from))).copied()
}

/// The position of the place that is called so.
pub(super) fn place(material: &Material<'_>, name: &str) -> Option<usize> {
    material.names.resolve(PieceKind::Location, name).map(|named| named.position)
}

/// The ways between those places: what is said of two regions holds for the places in them.
pub(super) fn ways<'s>(material: &Material<'s>, places: &BTreeSet<usize>) -> Ways<'s> {
    let told = told(material);
    let mut ways: Ways<'s> = BTreeMap::new();
    if told.is_empty() {
        return ways;
    }
    let within = within(material, places);
    let nothing = BTreeSet::new();
    let inside = |region: usize| within.get(&region).unwrap_or(&nothing);
    for (&(from, to), way) in &told {
        let (starts, ends) = (inside(from), inside(to));
        for start in starts.difference(ends) {
            for end in ends.difference(starts) {
                let is_told = told.contains_key(&(*start, *end)) && (*start, *end) != (from, to);
                let is_longer = |known: &(Length, &str)| known.0.least >= way.0.least;
                if !is_told && !ways.get(&(*start, *end)).is_some_and(is_longer) {
                    ways.insert((*start, *end), *way);
                }
            }
        }
    }
    ways
}

/// What the world says, by the two ends. Of several means the fastest counts.
fn told<'s>(material: &Material<'s>) -> Ways<'s> {
    let mut told: Ways<'s> = BTreeMap::new();
    for (from, location) in material.story.locations().iter().enumerate() {
        for Travel { to, duration, .. } in &location.travel {
            let (Some(to), Some(takes)) = (place(material, to), length(duration)) else { continue };
            let known = told.entry((from, to)).or_insert((takes, duration.trim()));
            if takes.least < known.0.least {
                *known = (takes, duration.trim());
            }
        }
    }
    told
}

/// Which of the places lie in each region; each lies in itself.
fn within(material: &Material<'_>, places: &BTreeSet<usize>) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut within: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for place in places {
        let entity = Entity { kind: Some(PieceKind::Location), index: *place };
        for region in regions_of(material.truth(), entity) {
            if region.kind == Some(PieceKind::Location) {
                within.entry(region.index).or_default().insert(*place);
            }
        }
    }
    within
}
