//! Determines the times at which a chapter's statements hold.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::extraction::{Extraction, ToldEvent, ToldFact};
use super::memory_days::MemoryDays;
use super::told_aloud::{speaks_of_long_time, told_aloud};
use super::told_back::is_told_back;
use super::told_days::{ToldDays, range_of};
use crate::fact_time::beginning;
use crate::language::has_words;
use crate::names::Names;
use crate::numerals::is_digit_or_numeral;
use crate::piece::PieceKind;
use crate::predicate::Predicate;
use crate::time::{
    CalendarDay, Moment, StoryCalendar, TimeAnchor, TimeDirection, hour_on_day, is_day_of_year,
    is_weekday_of_other_day, names_weekday, on_same_day, part_on_day,
};
use crate::{Document, Mode, Story, TimelineEvent, time};

/// The story time of a chapter, in words usable in facts.
#[derive(Debug, Default)]
pub(super) struct ChapterTime {
    words: String,
    /// The days on which the chapter has an event.
    anchor: TimeAnchor,
    /// The day of the event told last, or that of the last event of an earlier chapter.
    previous: Option<CalendarDay>,
    /// The times of the events told so far.
    told: ToldDays,
    /// The days of its memories.
    memories: MemoryDays,
    /// The text of the chapter, in lower case.
    text: String,
}

impl ChapterTime {
    /// Returns the outline node of the document, and the date of one of its events.
    pub(super) fn of(story: &Story, document: &Document, names: &Names) -> Self {
        let own = document.outline_node.as_deref().and_then(|name| names.resolve(PieceKind::OutlineNode, name));
        let node = own.map(|named| {
            // A name shared with a date, an event or several nodes would be parsed as something else.
            let is_clear = names.resolve(PieceKind::OutlineNode, &named.name) == Some(named)
                && !names.knows(PieceKind::Event, &named.name)
                && time::parse(&named.name).moment().is_none();
            if is_clear || named.id.is_empty() { named.name.clone() } else { named.id.clone() }
        });
        // A node without a reading order is no time.
        let node = node.filter(|name| {
            let named = names.resolve(PieceKind::OutlineNode, name);
            named.is_some_and(|named| story.outline_nodes[named.position].order > 0)
        });
        let is_own = |node: &str| own.is_some() && names.resolve(PieceKind::OutlineNode, node) == own;
        let narrated = || story.timeline_events.iter().filter(|event| event.mode == Mode::Narrated);
        let is_of_chapter = |event: &&TimelineEvent| event.outline_node.as_deref().is_some_and(is_own);
        let story_calendar = StoryCalendar::of(story);
        let own_times = narrated().filter(is_of_chapter).map(|event| story_calendar.mark(event.timestamp.trim()));
        let own_times: Vec<Cow<'_, str>> = own_times.collect();
        let anchor = TimeAnchor::of(own_times.iter().map(|time| &**time));
        // The last event of an earlier chapter.
        let before = || {
            let order = Some(story.outline_nodes[own?.position].order).filter(|order| *order > 0)?;
            let before = narrated().filter_map(|event| {
                let node = names.resolve(PieceKind::OutlineNode, event.outline_node.as_deref()?)?;
                let before =
                    Some(story.outline_nodes[node.position].order).filter(|other| (1..order).contains(other))?;
                Some((before, story_calendar.moment(&event.timestamp)?, story_calendar.mark(&event.timestamp)))
            });
            before.max_by_key(|(order, moment, _)| (*order, moment.bounds()))
        };
        let before = if anchor.date().is_empty() { before() } else { None };
        let previous = before.as_ref().and_then(|(_, moment, _)| CalendarDay::of(moment));
        let anchor = anchor.following(before.as_ref().map_or("", |(.., written)| &**written));
        let text = document.text.to_lowercase();
        Self { words: node.unwrap_or_default(), anchor, previous, text, ..Self::default() }
    }

    /// Returns the same time, or `event`, the only one of the chapter, if the chapter is no time itself.
    pub(super) fn or_event(self, event: Option<String>) -> Self {
        match event.filter(|_| self.words.is_empty()) {
            Some(event) => Self { words: event, ..self },
            None => self,
        }
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }

    /// Returns the time of an event of the chapter as a date, if it is told from a day of the chapter or, as a weekday that
    /// comes next, from that of the event before. A weekday on which the narrator looks back is the last one.
    pub(super) fn of_event(&self, event: &ToldEvent) -> String {
        if matches!(event.mode, Mode::Narrated | Mode::Disguised)
            && let Some(dated) = self.on_day_of_sentence(&event.timestamp, &event.quote)
        {
            return dated;
        }
        let is_back = names_weekday(&event.timestamp) && is_told_back(&event.quote);
        let direction = match event.mode {
            Mode::Narrated | Mode::Disguised if is_back => TimeDirection::Before,
            Mode::Narrated | Mode::Disguised if self.previous.is_some() => TimeDirection::After,
            Mode::Narrated | Mode::Disguised => TimeDirection::Around,
            mode => direction(mode, &event.quote),
        };
        let is_next = direction == TimeDirection::After && names_weekday(&event.timestamp);
        let previous = self.previous.clone().filter(|_| is_next);
        self.read(&event.timestamp, &event.quote, previous, direction)
    }

    /// Returns the time of an event that is told of the day of the event before, as a date: `eight that evening`.
    pub(super) fn on_day_before(&self, event: &ToldEvent) -> Option<String> {
        let is_now = matches!(event.mode, Mode::Narrated | Mode::Disguised);
        if is_now { self.on_told_day(&event.timestamp, &event.quote, on_same_day) } else { None }
    }

    /// Returns a time told in the sentence `quote` of the day of the event before, or only with its hour, as a date: `eight
    /// that evening`, `下午五点`. An hour in a sentence that looks back may be one of another day.
    fn on_day_of_sentence(&self, told: &str, quote: &str) -> Option<String> {
        let same_day = self.on_told_day(told, quote, on_same_day);
        same_day.or_else(|| self.on_told_day(told, quote, hour_on_day).filter(|_| !looks_back(quote)))
    }

    /// Returns a time told in the sentence `quote` as `read` dates it on the day of the event before; `None` if that is not
    /// known, or if the time lies before that event.
    fn on_told_day(&self, told: &str, quote: &str, read: fn(&str, &CalendarDay) -> Option<String>) -> Option<String> {
        if told.trim().is_empty() {
            return None;
        }
        let before = self.told_before(quote)?;
        let dated = read(told, &CalendarDay::of(&before)?)?;
        let is_before = time::parse(&dated).moment().is_some_and(|moment| moment.is_before(&before));
        (!is_before).then_some(dated)
    }

    /// Returns the time of the event told last before the sentence `quote`, or the only day of the chapter.
    fn told_before(&self, quote: &str) -> Option<Moment> {
        let mut days = self.anchor.days();
        let first = days.next();
        let only = first.filter(|_| days.next().is_none());
        let only = only.and_then(|day| time::parse(&day.in_words()).moment());
        self.told.last_before(&self.text, quote, only)
    }

    /// Adds an event that the chapter tells as happening: its words, its time as told, and that of the plan, if the text tells
    /// no other. An hour is one of the day of the event before. A day that is only planned is not known to be the one that the
    /// text means.
    pub(super) fn follow(&mut self, quote: &str, told: &str, planned: &str) {
        let own = || {
            let hour = || self.on_told_day(told, quote, part_on_day).as_deref().and_then(day_of);
            day_of(told).or_else(hour)
        };
        let time = match (own(), day_of(planned)) {
            (None, planned) if told.trim().is_empty() || planned.is_some() => {
                let before = self.told_before(quote).as_ref().and_then(CalendarDay::of);
                match planned.as_ref().and_then(CalendarDay::of) {
                    Some(other) if before.as_ref() != Some(&other) => None,
                    _ => return,
                }
            }
            (own, _) => own,
        };
        self.told.insert(&self.text, quote, time);
    }

    /// Adds the first day on which something happens in a chapter without a dated event.
    pub(super) fn begin(&mut self, events: &[ToldEvent]) {
        if self.anchor.days().next().is_some() {
            return;
        }
        let narrated = events.iter().filter(|event| event.mode == Mode::Narrated);
        let first = narrated.map(|event| self.of_event(event)).find(|told| day_of(told).is_some());
        if let Some(first) = first {
            self.anchor.advance(&first);
        }
    }

    /// Adds the days of the memories that the chapter dates: their weekdays are counted from them.
    pub(super) fn remember(&mut self, extraction: &Extraction) {
        let events = extraction.events.iter().map(|event| (event.mode, &event.timestamp, &event.quote));
        let facts = extraction.facts.iter().map(|fact| (fact.mode, &fact.from, &fact.quote));
        for (mode, told, quote) in events.chain(facts) {
            let direction = direction(mode, quote);
            let is_date = || is_day_of_year(told) || day_of(told).is_some();
            if !direction.is_memory() || told.trim().is_empty() || !is_date() {
                continue;
            }
            let dated = self.read(told, quote, None, direction);
            if let Some(day) = day_of(&dated).as_ref().and_then(CalendarDay::of) {
                self.memories.insert(&self.text, quote, day);
            }
        }
    }

    /// Adds the time of an event that the chapter tells as happening; what is told next is told from its day. A time before
    /// the first day of the chapter has no effect.
    pub(super) fn advance(&mut self, timestamp: &str) {
        let day = self.anchor.advance(timestamp);
        self.previous = day.or_else(|| self.previous.take());
    }

    /// Returns a time as told in the sentence `quote`, as a date if the chapter dates it.
    fn read(&self, told: &str, quote: &str, from: Option<CalendarDay>, direction: TimeDirection) -> String {
        // Most facts have no end, and searching the chapter for the day of a sentence takes time.
        if told.trim().is_empty() {
            return String::new();
        }
        let told = &*with_article(told, quote);
        let is_remembered = direction.is_memory() && names_weekday(told);
        let aloud = if is_remembered { told_aloud(&self.text, quote) } else { None };
        // `Last Sunday` in speech is counted from the day of the speaker.
        if is_remembered
            && (aloud.is_none() || is_weekday_of_other_day(told))
            && let Some(dated) = self.memories.weekday(&self.text, told, quote)
        {
            return dated;
        }
        let is_recent = direction == TimeDirection::Memory && aloud.is_some_and(|said| !speaks_of_long_time(said));
        let direction = if is_recent { TimeDirection::Before } else { direction };
        self.anchor.read(told, from.or_else(|| self.day_at(quote)).as_ref(), direction)
    }

    /// Returns the day on which a sentence of the chapter is told: of several days, the last one that the text names before
    /// it, or else the first.
    fn day_at(&self, quote: &str) -> Option<CalendarDay> {
        let days: Vec<CalendarDay> = self.anchor.days().collect();
        if days.len() < 2 {
            return days.into_iter().next();
        }
        let until = range_of(&self.text, quote)?.end;
        let last =
            |day: &CalendarDay| day.written().iter().filter_map(|form| last_mention(&self.text[..until], form)).max();
        let named = days.iter().filter_map(|day| Some((last(day)?, day))).max_by_key(|(at, _)| *at);
        named.map(|(_, day)| day.clone()).or_else(|| days.first().cloned())
    }

    /// Returns whether a date lies before the chapter.
    pub(super) fn is_after(&self, date: &str) -> bool {
        let times = time::parse(date).moment().zip(time::parse(self.anchor.date()).moment());
        times.is_some_and(|(date, own)| date.is_before(&own))
    }

    /// Returns the start and end of a statement: the stated times, with the chapter's time as the default start.
    ///
    /// Timeless predicates, constants of the whole story and statements not narrated as present get no time.
    pub(super) fn span(&self, said: &ToldFact, word: Option<&Predicate>) -> (String, String) {
        let own = direction(said.mode, &said.quote);
        let is_now = said.mode == Mode::Narrated;
        let dated = if is_now { self.on_day_of_sentence(&said.from, &said.quote) } else { None };
        let from = dated.unwrap_or_else(|| self.read(&said.from, &said.quote, None, own));
        // What is over may be so before the chapter or after.
        let end = if own == TimeDirection::Before { TimeDirection::Open } else { own };
        let until = self.read(&said.until, &said.quote, None, end);
        let lasts = word.is_some_and(|word| word.immutable || word.steady);
        // What was over before the chapter did not begin in it.
        if from.is_empty() && !lasts && until != self.words && !self.is_after(&until) {
            return (beginning(&from, said.mode, &self.words, &said.quote).words.to_owned(), until);
        }
        (from, until)
    }
}

/// Returns a time on one day of a calendar with years; `None` for other times.
fn day_of(words: &str) -> Option<Moment> {
    time::parse(words).moment().filter(|moment| CalendarDay::of(moment).is_some())
}

/// Returns which way the time of a statement lies from the chapter: what is planned is still to come, and what is so, or is
/// told by somebody, has begun.
fn direction(mode: Mode, quote: &str) -> TimeDirection {
    match mode {
        Mode::Flashback if is_of_other_year(quote) => TimeDirection::OtherYear,
        Mode::Flashback | Mode::Dreamt => TimeDirection::Memory,
        Mode::Planned => TimeDirection::After,
        Mode::Narrated | Mode::Disguised | Mode::Said | Mode::Believed | Mode::Lied | Mode::Retconned => {
            TimeDirection::Before
        }
    }
}

/// Returns a told time with the article that it has in its sentence: `the last Sunday` is not counted from the chapter.
fn with_article<'t>(told: &'t str, quote: &str) -> Cow<'t, str> {
    let told = told.trim();
    if !told.to_lowercase().starts_with("last ") || !names_weekday(told) {
        return Cow::Borrowed(told);
    }
    let with = format!("the {told}");
    if quote.to_lowercase().contains(&with.to_lowercase()) { Cow::Owned(with) } else { Cow::Borrowed(told) }
}

/// Returns whether a sentence looks back on what was before.
fn looks_back(quote: &str) -> bool {
    let lower = quote.to_lowercase();
    has_words(&lower, "had") || ["曾", "早就", "昨", "前天"].iter().any(|word| lower.contains(word))
}

/// Returns whether a sentence speaks of a year other than that of its chapter.
fn is_of_other_year(quote: &str) -> bool {
    const YEARS: [&str; 8] =
        ["那年", "那一年", "当年", "年前", "that year", "years ago", "years before", "years earlier"];
    let lower = quote.to_lowercase();
    YEARS.iter().any(|words| lower.contains(words))
}

/// Returns the byte position of the last place where a text has a written day that is no part of another one.
fn last_mention(text: &str, form: &str) -> Option<usize> {
    let is_whole = |(at, found): &(usize, &str)| {
        // `四月初九` is no part of `闰四月初九`.
        let is_begun = text[..*at].ends_with(is_digit_or_numeral) || text[..*at].ends_with(['闰', '閏']);
        !is_begun && !text[at + found.len()..].starts_with(is_digit_or_numeral)
    };
    text.rmatch_indices(form).find(is_whole).map(|(at, _)| at)
}
