//! Groups scenes of the same people at the same place, in the order of telling.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::names::{Names, fold};
use crate::piece::PieceKind;
use crate::{Mode, Story, TimelineEvent};

/// The narrated events with an outline node and at least two cast members, grouped by participants and place.
#[derive(Debug, Default)]
pub(crate) struct Scenes {
    /// The scenes of each group by the order of their nodes.
    groups: Vec<Vec<PlacedScene>>,
    /// The group of each event, and the index in the group.
    places: FxHashMap<usize, (usize, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct PlacedScene {
    order: u32,
    event: usize,
}

/// The number of following scenes compared with each scene.
const NEXT: usize = 24;

impl Scenes {
    /// Builds the groups from the cast members of each event, `people`.
    pub(super) fn of(story: &Story, names: &Names, people: &[BTreeSet<usize>]) -> Self {
        let mut groups: BTreeMap<(&BTreeSet<usize>, String), Vec<PlacedScene>> = BTreeMap::new();
        for (event, (told, people)) in story.timeline_events.iter().zip(people).enumerate() {
            if let Some(order) = order(story, names, told).filter(|_| is_scene(told, people)) {
                let place = fold(told.location.as_deref().unwrap_or_default());
                groups.entry((people, place)).or_default().push(PlacedScene { order, event });
            }
        }
        let mut scenes = Self::default();
        for mut group in groups.into_values().filter(|group| group.len() > 1) {
            group.sort_by_cached_key(|scene| (scene.order, key(&story.timeline_events[scene.event])));
            let number = scenes.groups.len();
            scenes.places.extend(group.iter().enumerate().map(|(place, scene)| (scene.event, (number, place))));
            scenes.groups.push(group);
        }
        scenes
    }

    /// Iterates over the scenes with the following scenes of other nodes to compare, by event position.
    pub(crate) fn each(&self) -> impl Iterator<Item = (usize, impl Iterator<Item = usize>)> {
        self.groups.iter().flat_map(|group| {
            group.iter().enumerate().map(move |(place, first)| {
                let next = group[place + 1..].iter().take(NEXT);
                (first.event, next.filter(|scene| scene.order != first.order).map(|scene| scene.event))
            })
        })
    }

    /// Returns whether the event is a scene with another scene in the same group.
    pub(crate) fn is_compared(&self, event: usize) -> bool {
        self.places.contains_key(&event)
    }

    /// Returns the scenes near the event in the same group, including the event.
    pub(crate) fn around(&self, event: usize) -> impl Iterator<Item = usize> {
        let group = self.places.get(&event).map(|(group, place)| {
            let group = &self.groups[*group];
            &group[place.saturating_sub(NEXT)..(place + NEXT + 1).min(group.len())]
        });
        group.into_iter().flatten().map(|scene| scene.event)
    }
}

/// Returns whether the event is narrated with several cast members and nobody else.
fn is_scene(event: &TimelineEvent, people: &BTreeSet<usize>) -> bool {
    event.mode == Mode::Narrated && people.len() >= 2 && people.len() == event.participants.len()
}

fn order(story: &Story, names: &Names, event: &TimelineEvent) -> Option<u32> {
    let node = names.resolve(PieceKind::OutlineNode, event.outline_node.as_deref()?)?;
    Some(story.outline_nodes[node.position].order)
}

fn key(event: &TimelineEvent) -> (&str, &str) {
    (event.id.trim(), event.title.trim())
}
