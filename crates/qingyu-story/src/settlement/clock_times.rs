//! Clock times of four figures: `1140` beside `At 1140 the ship left`, which alone would be a year.

use std::borrow::Cow;

use super::Extraction;
use crate::time::{CalendarDay, MONTHS, Moment, moment};
use crate::{Mode, Story};

/// A number of years: a story seldom speaks of a year so far away from all of its events.
const FAR: i64 = 60;

/// A number of years: nothing that a chapter tells as happening is so far away from all other events.
const TOO_FAR: i64 = 150;

/// The seconds of a year.
const YEAR: i64 = 365 * 86_400;

/// Words after four figures that make them a clock time.
const HOURS: [&str; 5] = [" hours", " hrs", "hours", "hrs", "时"];

/// Words before four figures that make them a year.
const BEFORE_YEAR: [&str; 8] = ["in", "of", "year", "during", "circa", "ad", "spring", "summer"];

/// Returns the extraction with the clock times of four figures among its times as `11:40`; a number that may be a year stays.
///
/// They are clock times with a leading zero, after a day, as `at 1140` or `1140 hours` in their words or their sentence, and in
/// a chapter that writes clock times so, unless the number is near the years of the story.
pub(super) fn with_clock_times<'e>(extraction: &'e Extraction, story: &Story, text: &str) -> Cow<'e, Extraction> {
    let events = extraction.events.iter().map(|event| &event.timestamp);
    let facts = extraction.facts.iter().flat_map(|fact| [&fact.from, &fact.until]);
    if !events.chain(facts).any(|told| figures(told).next().is_some()) {
        return Cow::Borrowed(extraction);
    }
    let reader = ClockReader { story, text };
    let mut read = extraction.clone();
    for event in &mut read.events {
        reader.read(&mut event.timestamp, &event.quote, event.mode);
    }
    for fact in &mut read.facts {
        reader.read(&mut fact.from, &fact.quote, fact.mode);
        reader.read(&mut fact.until, &fact.quote, fact.mode);
    }
    Cow::Owned(read)
}

struct ClockReader<'s> {
    story: &'s Story,
    /// The text of the chapter.
    text: &'s str,
}

impl ClockReader<'_> {
    /// Replaces the last clock time of four figures in a time that is told in the sentence `quote`.
    fn read(&self, told: &mut String, quote: &str, mode: Mode) {
        let words = told.as_str();
        let Some(at) = figures(words).last() else { return };
        let (before, figures, after) = (&words[..at], &words[at..at + 4], &words[at + 4..]);
        if after.starts_with('年') {
            return;
        }
        let rest = HOURS.iter().find_map(|word| after.strip_prefix(word));
        let with_colon = format!("{before}{}:{}{}", &figures[..2], &figures[2..], rest.unwrap_or(after));
        let is_after_day = || moment(&with_colon).is_some_and(|clock| moment(words) == Some(clock));
        let is_told = figures.starts_with('0') || rest.is_some() || word_before(before) == "at" || is_after_day();
        // `Day 409, 11 March, 2320` has its day already.
        let is_day = || moment(&format!("{before}2076")).is_some_and(|day| CalendarDay::of(&day).is_some());
        let is_numbered = ["Day ", "day ", "第"].iter().any(|word| before.starts_with(word));
        let is_bare = before.trim().is_empty();
        let is_after_comma = before.trim_end().ends_with([',', '，']);
        let is_last = after.trim().is_empty() && (is_bare || is_numbered && is_after_comma && is_day());
        if is_told || is_last && self.is_clock(figures, quote, mode, is_bare) {
            *told = with_colon;
        }
    }

    /// Returns whether four figures that the sentence `quote` gives as a time are those of a clock; `is_bare` without other words.
    fn is_clock(&self, figures: &str, quote: &str, mode: Mode, is_bare: bool) -> bool {
        if let Some(is_clock) = says_clock(quote, figures).or_else(|| says_clock(self.text, figures)) {
            return is_clock;
        }
        let Some(year) = moment(figures) else { return true };
        let times: Vec<Moment> = self.times().filter(|time| time.is_comparable(&year)).collect();
        let is_far = |years: i64| times.iter().all(|time| time.is_apart_from(&year, years * YEAR));
        let is_known = !times.is_empty();
        let is_happening = mode == Mode::Narrated && is_known && is_far(TOO_FAR);
        is_happening || (is_bare || is_known) && is_far(FAR) && writes_clock_times(self.text)
    }

    /// Iterates over the times of the story.
    fn times(&self) -> impl Iterator<Item = Moment> {
        let era = self.story.worldview.iter().map(|world| world.era.as_str());
        let events = self.story.timeline_events.iter().map(|event| event.timestamp.as_str());
        era.chain(events).filter_map(moment)
    }
}

/// Iterates over the byte positions of four figures in a text that stand alone and may be those of a clock.
fn figures(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let begins = move |at: &usize| bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[*at - 1].is_ascii_digit());
    (0..bytes.len()).filter(begins).filter(move |at| may_be_clock(text, *at))
}

/// Returns whether the digits at a byte position are four that stand alone and may be those of a clock.
fn may_be_clock(text: &str, at: usize) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let length = text[at..].bytes().take_while(u8::is_ascii_digit).count();
    if length != 4 {
        return false;
    }
    let (before, figures, after) = (&text[..at], &text[at..at + 4], &text[at + 4..]);
    let is_begun = before.ends_with(|c: char| c.is_ascii_alphabetic() || "-/.:$£€¥#".contains(c))
        || before.strip_suffix(',').is_some_and(|before| before.ends_with(is_digit));
    let is_in_word =
        after.starts_with(|c: char| c.is_ascii_alphabetic()) && !HOURS.iter().any(|word| after.starts_with(word));
    let goes_on = after.strip_prefix(['-', '/', '.', ':', ',']).is_some_and(|after| after.starts_with(is_digit));
    let is_clock = &figures[..2] < "24" && &figures[2..] < "60" || figures == "2400";
    is_clock && !is_begun && !is_in_word && !goes_on
}

/// Returns whether a text writes four figures as a clock time, `at 1140`, or as a year, `in 1140`; `None` if it does not say.
fn says_clock(text: &str, told: &str) -> Option<bool> {
    let said = |at: usize| {
        let after = &text[at + 4..];
        let before = word_before(&text[..at]);
        let is_month = || MONTHS.iter().any(|month| month.eq_ignore_ascii_case(&before));
        if before == "at" || HOURS.iter().any(|word| after.starts_with(word)) {
            return Some(true);
        }
        (after.starts_with('年') || BEFORE_YEAR.contains(&before.as_str()) || is_month()).then_some(false)
    };
    figures(text).filter(|at| &text[*at..at + 4] == told).find_map(said)
}

/// Returns whether a text has clock times of four figures: `0540`, `1140 hours`, or `at 1140` before a mark.
fn writes_clock_times(text: &str) -> bool {
    figures(text).any(|at| {
        let after = &text[at + 4..];
        let is_at_end = || word_before(&text[..at]) == "at" && !after.starts_with([' ', '年']);
        text[at..].starts_with('0') || HOURS.iter().any(|word| after.starts_with(word)) || is_at_end()
    })
}

/// Returns the word right before the end of a text, in lower case; empty after a mark.
fn word_before(text: &str) -> String {
    let text = text.trim_end_matches(' ');
    text.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::with_clock_times;
    use crate::settlement::Extraction;
    use crate::settlement::extraction::ToldEvent;
    use crate::{Mode, Story};

    fn read(year: &str, text: &str, told: &str, mode: Mode) -> String {
        let story: Story =
            serde_json::from_value(json!({"timeline_events": [{"title": "A", "timestamp": year}]})).unwrap();
        let (timestamp, quote) = (told.to_owned(), text.split_inclusive('.').next().unwrap_or_default().to_owned());
        let event = ToldEvent { timestamp, quote, mode, ..ToldEvent::default() };
        let extraction = Extraction { events: vec![event], ..Extraction::default() };
        with_clock_times(&extraction, &story, text).events[0].timestamp.clone()
    }

    #[test]
    fn four_figures_are_a_clock_time_where_the_words_say_so() {
        let ship = "The ship left. She had come at 0540.";
        for (year, text, told, expected) in [
            ("2231-03-17", "At 1140 the clamps let go.", "1140", "11:40"),
            ("2231-03-17", "She docked early.", "0540", "05:40"),
            ("2231-03-17", ship, "1140", "11:40"),
            ("2231-03-17", "The ship left. At 1140 hours it was dark.", "1140", "11:40"),
            ("2231-03-17", "The ship left.", "1140 hours", "11:40"),
            ("2231-03-17", "The ship left.", "at 1140", "at 11:40"),
            ("2231-03-17", "The ship left.", "Day 412, 1610", "Day 412, 16:10"),
            ("2231-03-17", "The ship left.", "14 March 2231, 1610", "14 March 2231, 16:10"),
            ("2231-03-17", ship, "Day 409, 11 March, 2320", "Day 409, 11 March, 23:20"),
            ("2231-03-17", "舰队离港。她是0540到的。", "1140", "11:40"),
            ("2231-03-17", "1140时，舰队离港。", "1140", "11:40"),
            ("1944-06-06", "At 1945 the guns began.", "1945", "19:45"),
        ] {
            assert_eq!(read(year, text, told, Mode::Narrated), expected, "{told}: {text}");
        }
    }

    #[test]
    fn four_figures_are_a_year_where_the_words_say_so_or_may_mean_one() {
        let near = "He was born. It was 0540, and raining.";
        for (year, text, told) in [
            ("2231-03-17", "In 1140 the abbey was built. It was 0540.", "1140"),
            ("1944-06-06", near, "1914"),
            ("1944-06-06", "He was born in March 1914.", "1914"),
            ("2231-03-17", "The ship left.", "March 1140"),
            ("2231-03-17", "They married. She came at 0540.", "December 14, 2140"),
            ("2231-03-17", "They married. She came at 0540.", "14 March 2140"),
            ("2231-03-17", "The abbey was built.", "1140年"),
            ("2231-03-17", "The ship left.", "1999"),
            ("2231-03-17", "The ship left.", "2231-03-17"),
        ] {
            assert_eq!(read(year, text, told, Mode::Flashback), told, "{told}: {text}");
        }
        assert_eq!(read("2231-03-17", "The abbey was built.", "1140", Mode::Flashback), "1140");
        assert_eq!(read("2231-03-17", "The ship left.", "1140", Mode::Narrated), "11:40", "too far away to happen");
        assert_eq!(read("Day 3", "The ship left.", "1140", Mode::Narrated), "1140");
    }
}
