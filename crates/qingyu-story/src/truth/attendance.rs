//! Who takes part in which events, and which of these come after a death.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::time::{self, Chronology};
use crate::{Mode, Story};

/// The narrated events that characters take part in without dying in them, and whether those are certainly after a death
/// that an event or a card tells of. What facts say is not read.
#[derive(Debug, Default)]
pub(crate) struct Attendance {
    /// The positions of the events, in the order of the story, by the character's position.
    attended: FxHashMap<usize, Vec<usize>>,
    /// A death's event and a later one, by positions.
    after_event: FxHashSet<(usize, usize)>,
    /// A character with a date of death, and a later event.
    after_card: FxHashSet<(usize, usize)>,
}

impl Attendance {
    /// `people` are those who take part in each event, `deaths` the narrated events in which each character dies.
    pub(crate) fn of(
        story: &Story,
        people: &[BTreeSet<usize>],
        deaths: &BTreeMap<usize, BTreeSet<usize>>,
        chronology: &Chronology<'_>,
    ) -> Self {
        let mut all = Self::default();
        let dies =
            |character: &usize, event: usize| deaths.get(character).is_some_and(|events| events.contains(&event));
        for (event, (told, people)) in story.timeline_events.iter().zip(people).enumerate() {
            if told.mode == Mode::Narrated {
                for character in people.iter().filter(|one| !dies(one, event)) {
                    all.attended.entry(*character).or_default().push(event);
                }
            }
        }
        for (character, deaths) in deaths {
            let pairs = all.events(*character).iter().flat_map(|late| deaths.iter().map(move |death| (*death, *late)));
            let over = pairs.filter(|(death, late)| chronology.is_over_before(*death, *late)).collect::<Vec<_>>();
            all.after_event.extend(over);
        }
        for (character, card) in story.characters.iter().enumerate() {
            if card.death.as_deref().and_then(|death| time::parse(death).moment()).is_some() {
                let death = chronology.death(character);
                let is_over = |late: &&usize| {
                    chronology.event(**late).is_some_and(|points| chronology.is_ordered(death, points.start))
                };
                let over: Vec<usize> = all.events(character).iter().filter(is_over).copied().collect();
                all.after_card.extend(over.into_iter().map(|late| (character, late)));
            }
        }
        all
    }

    /// The events that a character takes part in.
    pub(crate) fn events(&self, character: usize) -> &[usize] {
        self.attended.get(&character).map_or(&[], Vec::as_slice)
    }

    /// Whether the first event, in which somebody dies, is certainly over before the second, in which they take part.
    pub(crate) fn is_after_event(&self, death: usize, late: usize) -> bool {
        self.after_event.contains(&(death, late))
    }

    /// Whether a character takes part in the event certainly after the date of death on the card.
    pub(crate) fn is_after_card(&self, character: usize, late: usize) -> bool {
        self.after_card.contains(&(character, late))
    }
}
