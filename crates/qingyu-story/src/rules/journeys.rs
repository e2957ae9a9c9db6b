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

/// The ways between those places: what is said of two regions holds for the places in them. Of several such statements the one about
/// the nearest regions counts, of those of which none is nearer the longest.
pub(super) fn ways<'s>(material: &Material<'s>, places: &BTreeSet<usize>) -> Ways<'s> {
    let told = told(material);
    if told.is_empty() {
        return Ways::new();
    }
    let ends = told.keys().flat_map(|(from, to)| [*from, *to]);
    let known: BTreeSet<usize> = places.iter().copied().chain(ends).collect();
    let regions: BTreeMap<usize, BTreeSet<usize>> =
        known.into_iter().map(|place| (place, regions_around(material, place))).collect();
    let lie_in = |one: (usize, usize), other: (usize, usize)| {
        regions[&one.0].contains(&other.0) && regions[&one.1].contains(&other.1)
    };
    let is_nearer = |one, other| lie_in(one, other) && !lie_in(other, one);
    said(&told, places, &regions)
        .into_iter()
        .filter_map(|(way, by)| {
            let nearest = by.iter().filter(|one| !by.iter().any(|other| is_nearer(*other, **one)));
            Some((way, nearest.map(|one| told[one]).max_by_key(|(takes, _)| takes.least)?))
        })
        .collect()
}

/// For each way from place to place, what is told that holds for it, by the two ends.
fn said(
    told: &Ways<'_>,
    places: &BTreeSet<usize>,
    regions: &BTreeMap<usize, BTreeSet<usize>>,
) -> BTreeMap<(usize, usize), Vec<(usize, usize)>> {
    let mut within: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for place in places {
        for region in &regions[place] {
            within.entry(*region).or_default().insert(*place);
        }
    }
    let nothing = BTreeSet::new();
    let inside = |region: usize| within.get(&region).unwrap_or(&nothing);
    let mut said: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
    for &(from, to) in told.keys() {
        let (starts, ends) = (inside(from), inside(to));
        for start in starts.difference(ends) {
            for end in ends.difference(starts) {
                said.entry((*start, *end)).or_default().push((from, to));
            }
        }
    }
    said
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

/// The place and the places that it lies in.
fn regions_around(material: &Material<'_>, place: usize) -> BTreeSet<usize> {
    let place = Entity { kind: Some(PieceKind::Location), index: place };
    let regions = regions_of(material.truth(), place).into_iter();
    regions.filter(|region| region.kind == Some(PieceKind::Location)).map(|region| region.index).collect()
}
