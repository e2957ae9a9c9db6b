//! What is looked up in all of a story but its facts and the words of its documents. It borrows nothing, so it can be kept
//! while facts and texts change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::attendance::Attendance;
use super::scenes::Scenes;
use super::timeline::Backbone;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::{self, Beginning, Chronology, Moment};
use crate::{Mode, Story};

/// The names of a story, the times of its events and their order.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) names: Arc<Names>,
    /// The time of each event, by position.
    pub(crate) times: Arc<Vec<Option<Moment>>>,
    /// The positions of the events that each event comes directly after.
    pub(crate) after: Arc<Vec<Vec<usize>>>,
    /// The positions of the narrated events in which each character dies, by the character's position.
    pub(crate) deaths: Arc<BTreeMap<usize, BTreeSet<usize>>>,
    /// The same times, and where none is given, what follows from others.
    beginnings: OnceLock<Vec<Beginning>>,
    backbone: OnceLock<Arc<Backbone>>,
    told: OnceLock<Told>,
    people: OnceLock<Vec<BTreeSet<usize>>>,
    scenes: OnceLock<Arc<Scenes>>,
    attendance: OnceLock<Attendance>,
}

/// The place in reading order of what each document tells, by its title and by its id.
type Told = FxHashMap<String, Option<u32>>;

impl Frame {
    /// Looks everything up in `story`.
    pub(crate) fn of(story: &Story) -> Self {
        let names = Names::of(story);
        let events = &story.timeline_events;
        let after = |name: &String| names.resolve(PieceKind::Event, name).map(|named| named.position);
        let after = events.iter().map(|event| event.after.iter().filter_map(after).collect()).collect();
        let mut deaths: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (position, event) in events.iter().enumerate().filter(|(_, event)| event.mode == Mode::Narrated) {
            for character in event.deaths.iter().filter_map(|name| names.resolve(PieceKind::Character, name)) {
                deaths.entry(character.position).or_default().insert(position);
            }
        }
        Self {
            times: Arc::new(events.iter().map(|event| time::parse(&event.timestamp).moment()).collect()),
            after: Arc::new(after),
            deaths: Arc::new(deaths),
            names: Arc::new(names),
            beginnings: OnceLock::new(),
            backbone: OnceLock::new(),
            told: OnceLock::new(),
            people: OnceLock::new(),
            scenes: OnceLock::new(),
            attendance: OnceLock::new(),
        }
    }

    /// The events as points of story time. `story` must be that of the frame, but for facts and texts.
    pub(super) fn backbone(&self, story: &Story) -> Arc<Backbone> {
        self.fill(|times| Chronology::of(story, &self.names).beginnings(times));
        let beginnings = self.beginnings.get().expect("they have just been filled in");
        let read = || Arc::new(Backbone::of(story, &self.names, beginnings, Arc::clone(&self.after)));
        Arc::clone(self.backbone.get_or_init(read))
    }

    /// Lets `fill` fill in what follows of the times that are not given, unless that is done.
    pub(crate) fn fill(&self, fill: impl FnOnce(Vec<Option<Moment>>) -> Vec<Beginning>) {
        self.beginnings.get_or_init(|| fill(self.times.to_vec()));
    }

    /// The positions of the characters of the cast who take part in each event, by the event's position.
    pub(crate) fn people(&self, story: &Story) -> &[BTreeSet<usize>] {
        self.people.get_or_init(|| {
            let one = |name: &String| self.names.resolve(PieceKind::Character, name).map(|named| named.position);
            story.timeline_events.iter().map(|event| event.participants.iter().filter_map(one).collect()).collect()
        })
    }

    /// The scenes of the same people at the same place.
    pub(crate) fn scenes(&self, story: &Story) -> &Arc<Scenes> {
        self.scenes.get_or_init(|| Arc::new(Scenes::of(story, &self.names, self.people(story))))
    }

    /// Who takes part in which events; `read` reads it when it is first asked for.
    pub(crate) fn attendance(&self, read: impl FnOnce() -> Attendance) -> &Attendance {
        self.attendance.get_or_init(read)
    }

    /// The place in reading order of what the document of that title or id tells; none if several are called so.
    pub(super) fn order_of_document(&self, story: &Story, name: &str) -> Option<u32> {
        let told = self.told.get_or_init(|| {
            let mut orders = Told::default();
            for document in &story.documents {
                let node = document.outline_node.as_deref().and_then(|name| order_of_node(story, &self.names, name));
                let order = node.or(Some(document.order).filter(|order| *order > 0));
                for name in [document.title.trim(), document.id.trim()].into_iter().filter(|name| !name.is_empty()) {
                    orders.entry(name.to_owned()).and_modify(|known| *known = None).or_insert(order);
                }
            }
            orders
        });
        told.get(name.trim()).copied().flatten()
    }
}

/// The place in reading order of an outline node.
pub(super) fn order_of_node(story: &Story, names: &Names, name: &str) -> Option<u32> {
    let node = names.resolve(PieceKind::OutlineNode, name)?;
    Some(story.outline_nodes[node.position].order).filter(|order| *order > 0)
}

/// The pieces whose statements are read beside those of facts, by their positions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extract {
    pub(crate) characters: BTreeSet<usize>,
    pub(crate) items: BTreeSet<usize>,
    pub(crate) relations: BTreeSet<usize>,
    pub(crate) events: BTreeSet<usize>,
}

/// The positions of a list that are to be read, in order: all, or those of an extract.
pub(crate) fn positions<'e>(
    count: usize,
    extract: Option<&'e BTreeSet<usize>>,
) -> Box<dyn Iterator<Item = usize> + 'e> {
    match extract {
        Some(chosen) => Box::new(chosen.iter().copied()),
        None => Box::new(0..count),
    }
}
