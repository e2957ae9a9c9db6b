//! Who is at the next place sooner than the way there takes.

use std::collections::{BTreeMap, BTreeSet};

use super::Chronology;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::Length;
use crate::time::network::Limit;
use crate::{Mode, Story};

/// A character who is at two events between which there is certainly not enough time for the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hurry {
    /// The place of the character in the story's list.
    pub character: usize,
    /// The place of the event that may come first.
    pub first: usize,
    /// The place of the other event.
    pub second: usize,
}

impl Chronology<'_> {
    /// Who travels faster than the world allows. `travel` has the least time it takes between places, by their positions;
    /// the way back takes as long unless it is there too. The story and names must be those of the chronology.
    pub fn hurries(&self, story: &Story, names: &Names, travel: &BTreeMap<(usize, usize), Length>) -> Vec<Hurry> {
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
                    // Whichever of them came first.
                    if here != there
                        && too_soon((first, here), (second, there))
                        && too_soon((second, there), (first, here))
                    {
                        hurries.push(Hurry { character, first, second });
                    }
                }
            }
        }
        hurries
    }

    /// Whether the second event certainly begins sooner than `takes` after the end of the first.
    fn is_too_soon(&self, first: usize, second: usize, takes: Length) -> bool {
        let (Some(before), Some(after)) = (self.events[first], self.events[second]) else { return false };
        // Two days on the road may be one night apart, if the first morning and the last evening count.
        let least = Limit::exactly(takes.least - takes.slack / 2);
        self.most(before.end, after.start).is_some_and(|most| most < least)
    }
}

/// How many of the next stops are looked at, because it may not be certain which comes first.
const NEXT: usize = 4;
