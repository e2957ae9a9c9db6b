//! Minimum travel times between places.

use std::collections::{BTreeMap, BTreeSet};

use super::RuleMaterial;
use super::claims::regions_of;
use crate::Travel;
use crate::piece::PieceKind;
use crate::time::{TimeLength, length};
use crate::truth::Entity;

/// The minimum travel times by pair of place indices, each with the world's wording.
pub(super) type TravelLengths<'s> = BTreeMap<(usize, usize), (TimeLength, &'s str)>;

/// Returns the travel time between two places, in either direction.
pub(super) fn way<'s>(ways: &TravelLengths<'s>, from: usize, to: usize) -> Option<(TimeLength, &'s str)> {
    ways.get(&(from, to)).or_else(|| ways.get(&(to, from))).copied()
}

/// Returns the index of the place with the name.
pub(super) fn place(material: &RuleMaterial<'_>, name: &str) -> Option<usize> {
    material.names.resolve(PieceKind::Location, name).map(|named| named.position)
}

/// Returns the travel times between `places`: a time between two regions applies to the places within. Of several
/// applicable times, the nearest regions take precedence, then the longest time.
pub(super) fn ways<'s>(material: &RuleMaterial<'s>, places: &BTreeSet<usize>) -> TravelLengths<'s> {
    let told = travel_lengths(material);
    if told.is_empty() {
        return TravelLengths::new();
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

/// Returns, for each pair of places, the applicable travel times, keyed by ends.
fn said(
    told: &TravelLengths<'_>,
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

/// Returns the travel times defined by the world, keyed by ends; of several means of travel, the fastest.
fn travel_lengths<'s>(material: &RuleMaterial<'s>) -> TravelLengths<'s> {
    let mut told: TravelLengths<'s> = BTreeMap::new();
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

/// Returns the place and all places enclosing the place.
fn regions_around(material: &RuleMaterial<'_>, place: usize) -> BTreeSet<usize> {
    let place = Entity { kind: Some(PieceKind::Location), index: place };
    let regions = regions_of(material.truth(), place).into_iter();
    regions.filter(|region| region.kind == Some(PieceKind::Location)).map(|region| region.index).collect()
}
