//! The days on which the memories of a chapter lie.

use std::ops::Range;

use super::told_days::range_of;
use crate::time::{CalendarDay, weekday_of_memory};

/// The dated memories of a chapter, with the places of their words in the text.
#[derive(Debug, Default)]
pub(super) struct MemoryDays {
    days: Vec<(Range<usize>, CalendarDay)>,
}

impl MemoryDays {
    /// Inserts the day of a memory with the words `quote`.
    pub(super) fn insert(&mut self, text: &str, quote: &str, day: CalendarDay) {
        if let Some(range) = range_of(text, quote) {
            self.days.push((range, day));
        }
    }

    /// Returns a weekday that the sentence `quote` counts from the day of its memory as a date: `the last Sunday` beside
    /// `on the twenty-eighth of February she was dead`. `None` for other times, and if no sentence of its paragraph is dated.
    pub(super) fn weekday(&self, text: &str, told: &str, quote: &str) -> Option<String> {
        if self.days.is_empty() {
            return None;
        }
        let own = range_of(text, quote)?;
        let distance = |other: &Range<usize>| {
            let between = if other.end <= own.start {
                &text[other.end..own.start]
            } else if own.end <= other.start {
                &text[own.end..other.start]
            } else {
                ""
            };
            (!between.contains('\n')).then_some(between.len())
        };
        let near = self.days.iter().filter_map(|(range, day)| Some((distance(range)?, day)));
        let (_, day) = near.min_by_key(|(distance, _)| *distance)?;
        weekday_of_memory(told, day)
    }
}
