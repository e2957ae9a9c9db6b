//! Indexes the participants of events and the events after a death.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::time::{Chronology, StoryCalendar};
use crate::{Mode, Story};

/// The narrated events attended by characters without dying there, and whether each is certainly after a death stated
/// by an event or card. Facts are not considered.
#[derive(Debug, Default)]
pub(crate) struct Attendance {
    /// The positions of the attended events in story order, by character position.
    attended: FxHashMap<usize, Vec<usize>>,
    /// Pairs of a death event and a later event, by position.
    after_event: FxHashSet<(usize, usize)>,
    /// Pairs of a character with a date of death and a later event.
    after_card: FxHashSet<(usize, usize)>,
}

impl Attendance {
    /// Builds the index from the participants of each event, `people`, the narrated events in which each character dies,
    /// `deaths`, and the chronology and the calendar of the story.
    pub(crate) fn of(
        story: &Story,
        people: &[BTreeSet<usize>],
        deaths: &BTreeMap<usize, BTreeSet<usize>>,
        chronology: &Chronology<'_>,
        story_calendar: &StoryCalendar,
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
            if card.death.as_deref().and_then(|death| story_calendar.moment(death)).is_some() {
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

    /// Returns the events attended by a character.
    pub(crate) fn events(&self, character: usize) -> &[usize] {
        self.attended.get(&character).map_or(&[], Vec::as_slice)
    }

    /// Returns whether the death event is certainly over before the second event, attended by the same character.
    pub(crate) fn is_after_event(&self, death: usize, late: usize) -> bool {
        self.after_event.contains(&(death, late))
    }

    /// Returns whether the character attends the event certainly after the date of death on the card.
    pub(crate) fn is_after_card(&self, character: usize, late: usize) -> bool {
        self.after_card.contains(&(character, late))
    }
}
