//! Detects characters travelling faster than the world allows.

use std::collections::{BTreeMap, BTreeSet};

use super::order::Chronology;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::TimeLength;
use crate::time::network::Limit;
use crate::{Mode, Story};

/// A character present at two events without enough time between them for the journey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TravelConflict {
    /// The character's position in the story's list.
    pub(crate) character: usize,
    /// The position of the possibly earlier event.
    pub(crate) first: usize,
    /// The position of the other event.
    pub(crate) second: usize,
}

impl Chronology<'_> {
    /// Returns the characters travelling too fast. `travel` maps pairs of place positions to the least travel time; the
    /// way back defaults to the same time unless listed. The story and names must be those of the chronology.
    pub(crate) fn hurries(
        &self,
        story: &Story,
        names: &Names,
        travel: &BTreeMap<(usize, usize), TimeLength>,
    ) -> Vec<TravelConflict> {
        let position = |kind, name: &str| names.resolve(kind, name).map(|named| named.position);
        let mut ways: BTreeMap<usize, Vec<(Limit, usize, usize)>> = BTreeMap::new();
        for (event, told) in story.timeline_events.iter().enumerate().filter(|(_, told)| told.mode == Mode::Narrated) {
            let Some(points) = self.event(event) else { continue };
            let Some(place) = told.location.as_deref().and_then(|name| position(PieceKind::Location, name)) else {
                continue;
            };
            let who = told.participants.iter().filter_map(|name| position(PieceKind::Character, name));
            for character in who.collect::<BTreeSet<_>>() {
                ways.entry(character).or_default().push((self.possible(points.start), event, place));
            }
        }
        let mut hurries = Vec::new();
        for (character, mut stops) in ways {
            stops.sort_unstable();
            for (index, &(_, first, here)) in stops.iter().enumerate() {
                for &(_, second, there) in stops[index + 1..].iter().take(NEXT) {
                    let way = |from, to| travel.get(&(from, to)).or_else(|| travel.get(&(to, from))).copied();
                    let too_soon =
                        |(a, from), (b, to)| way(from, to).is_some_and(|takes| self.is_too_soon(a, b, takes));
                    // In either order of the two events.
                    if here != there
                        && too_soon((first, here), (second, there))
                        && too_soon((second, there), (first, here))
                    {
                        hurries.push(TravelConflict { character, first, second });
                    }
                }
            }
        }
        hurries
    }

    /// Returns whether the second event certainly begins less than `takes` after the end of the first.
    fn is_too_soon(&self, first: usize, second: usize, takes: TimeLength) -> bool {
        let (Some(before), Some(after)) = (self.events[first], self.events[second]) else { return false };
        // A journey of two days may include a single night, counting the first morning and the last evening.
        let least = Limit::exactly(takes.least - takes.slack / 2);
        self.most(before.end, after.start).is_some_and(|most| most < least)
    }
}

/// The number of following stops compared, because their order may be uncertain.
const NEXT: usize = 4;
