//! Caches lookups over the whole story except facts and document texts. Borrows nothing, so the cache survives changes
//! of facts and texts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::attendance::Attendance;
use super::scenes::Scenes;
use super::timeline::{EventPointTable, order_of_node};
use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::{Chronology, EventBeginning, Moment, StoryCalendar};
use crate::{Mode, Story};

/// The cached names, event times and order of a story.
#[derive(Debug)]
pub(crate) struct StoryFrame {
    pub(crate) names: Arc<Names>,
    /// The calendar of the days that may be of two.
    pub(crate) story_calendar: Arc<StoryCalendar>,
    /// The time of each event, by position.
    pub(crate) times: Arc<Vec<Option<Moment>>>,
    /// The positions of the direct predecessors of each event.
    pub(crate) after: Arc<Vec<Vec<usize>>>,
    /// The positions of the narrated death events of each character, by character position.
    pub(crate) deaths: Arc<BTreeMap<usize, BTreeSet<usize>>>,
    /// The event times, with derived bounds where no time is given.
    beginnings: OnceLock<Vec<EventBeginning>>,
    backbone: OnceLock<Arc<EventPointTable>>,
    told: OnceLock<DocumentOrders>,
    people: OnceLock<Vec<BTreeSet<usize>>>,
    scenes: OnceLock<Arc<Scenes>>,
    attendance: OnceLock<Attendance>,
}

/// The reading order of each document, by title and by id.
type DocumentOrders = FxHashMap<String, Option<u32>>;

impl StoryFrame {
    /// Builds the cache from `story`.
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
        let story_calendar = StoryCalendar::of(story);
        Self {
            times: Arc::new(events.iter().map(|event| story_calendar.moment(&event.timestamp)).collect()),
            after: Arc::new(after),
            deaths: Arc::new(deaths),
            names: Arc::new(names),
            story_calendar: Arc::new(story_calendar),
            beginnings: OnceLock::new(),
            backbone: OnceLock::new(),
            told: OnceLock::new(),
            people: OnceLock::new(),
            scenes: OnceLock::new(),
            attendance: OnceLock::new(),
        }
    }

    /// Returns the events as points of story time. `story` may differ from the cached story only in facts and texts.
    pub(super) fn backbone(&self, story: &Story) -> Arc<EventPointTable> {
        self.fill(|times| Chronology::of(story, &self.names, &self.story_calendar).beginnings(times));
        let beginnings = self.beginnings.get().expect("they have just been filled in");
        let read = || {
            let (after, story_calendar) = (Arc::clone(&self.after), Arc::clone(&self.story_calendar));
            Arc::new(EventPointTable::of(story, &self.names, beginnings, after, story_calendar))
        };
        Arc::clone(self.backbone.get_or_init(read))
    }

    /// Computes derived times with `fill`, unless already cached.
    pub(crate) fn fill(&self, fill: impl FnOnce(Vec<Option<Moment>>) -> Vec<EventBeginning>) {
        self.beginnings.get_or_init(|| fill(self.times.to_vec()));
    }

    /// Returns the positions of the cast members in each event, by event position.
    pub(crate) fn people(&self, story: &Story) -> &[BTreeSet<usize>] {
        self.people.get_or_init(|| {
            let one = |name: &String| self.names.resolve(PieceKind::Character, name).map(|named| named.position);
            story.timeline_events.iter().map(|event| event.participants.iter().filter_map(one).collect()).collect()
        })
    }

    /// Returns the scenes of the same people at the same place.
    pub(crate) fn scenes(&self, story: &Story) -> &Arc<Scenes> {
        self.scenes.get_or_init(|| Arc::new(Scenes::of(story, &self.names, self.people(story))))
    }

    /// Returns the participants of events, computed by `read` on first use.
    pub(crate) fn attendance(&self, read: impl FnOnce() -> Attendance) -> &Attendance {
        self.attendance.get_or_init(read)
    }

    /// Returns the reading order of the document with the given title or id, or `None` if ambiguous.
    pub(super) fn order_of_document(&self, story: &Story, name: &str) -> Option<u32> {
        let told = self.told.get_or_init(|| {
            let mut orders = DocumentOrders::default();
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

/// A selection of pieces, by position, whose statements are read in addition to facts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extract {
    pub(crate) characters: BTreeSet<usize>,
    pub(crate) items: BTreeSet<usize>,
    pub(crate) relations: BTreeSet<usize>,
    pub(crate) events: BTreeSet<usize>,
}

/// Returns the selected positions of a list in order; defaults to all.
pub(crate) fn positions<'e>(
    count: usize,
    extract: Option<&'e BTreeSet<usize>>,
) -> Box<dyn Iterator<Item = usize> + 'e> {
    match extract {
        Some(chosen) => Box::new(chosen.iter().copied()),
        None => Box::new(0..count),
    }
}
