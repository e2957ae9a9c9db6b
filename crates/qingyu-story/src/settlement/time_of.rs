//! Determines the times at which a chapter's statements hold.

use super::differing::{dated_before, dated_like};
use super::extraction::ToldFact;
use super::year_words::{with_relative_year, with_whole_year};
use crate::fact_time::beginning;
use crate::names::{Names, fold};
use crate::piece::PieceKind;
use crate::predicate::Predicate;
use crate::{Document, Mode, Story, time};

/// The story time of a chapter, in words usable in facts.
#[derive(Debug)]
pub(super) struct ChapterTime {
    words: String,
    /// The time of an event of the chapter with a full date; empty if there is none.
    date: String,
    /// The weekday, from 0 for Monday, and the date of each day on which the chapter has an event.
    days: Vec<(usize, String)>,
}

/// The names of the weekdays from Monday, lower case.
const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "星期一", "礼拜一", "周一"],
    &["tuesday", "星期二", "礼拜二", "周二"],
    &["wednesday", "星期三", "礼拜三", "周三"],
    &["thursday", "星期四", "礼拜四", "周四"],
    &["friday", "星期五", "礼拜五", "周五"],
    &["saturday", "星期六", "礼拜六", "周六"],
    &["sunday", "星期日", "星期天", "礼拜天", "礼拜日", "周日"],
];

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
        let narrated = story
            .timeline_events
            .iter()
            .filter(|event| event.mode == Mode::Narrated && event.outline_node.as_deref().is_some_and(is_own));
        let times: Vec<&str> = narrated.map(|event| event.timestamp.trim()).collect();
        let is_dated = |time: &&&str| time::parse(time).moment().is_some_and(|moment| moment.is_dated());
        let date = times.iter().find(is_dated).map(|time| (*time).to_owned()).unwrap_or_default();
        let mut days: Vec<(usize, String)> = times.iter().filter_map(|time| day(time)).collect();
        days.sort();
        days.dedup();
        Self { words: node.unwrap_or_default(), date, days }
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

    /// Returns a time as told, with the year of the chapter if it has none; a memory may be of any year.
    pub(super) fn dated(&self, told: &str, mode: Mode) -> String {
        if let Some(dated) = with_whole_year(&self.date, told) {
            return dated;
        }
        let counted = || with_relative_year(&self.date, told);
        match mode {
            Mode::Flashback => told.trim().to_owned(),
            _ => self.on_weekday(told).or_else(counted).unwrap_or_else(|| dated_like(&self.date, told)),
        }
    }

    /// Returns whether a date lies before the chapter.
    pub(super) fn is_after(&self, date: &str) -> bool {
        let times = time::parse(date).moment().zip(time::parse(&self.date).moment());
        times.is_some_and(|(date, own)| date.is_before(&own))
    }

    /// Returns the time at which something began, as told. A month without a year has begun before.
    fn begun(&self, told: &str, mode: Mode) -> String {
        let dated = self.dated(told, mode);
        match mode {
            Mode::Narrated | Mode::Disguised => dated_before(&self.date, &dated),
            _ => dated,
        }
    }

    /// Returns a weekday, with or without a part of the day, on the date of the only day of the chapter that is one.
    fn on_weekday(&self, told: &str) -> Option<String> {
        let told = fold(told);
        let told = told.strip_prefix("on ").unwrap_or(&told);
        let after = |name: &&str| told.strip_prefix(name);
        let mut named = WEEKDAYS.iter().enumerate();
        let (weekday, part) = named.find_map(|(weekday, names)| Some((weekday, names.iter().find_map(after)?)))?;
        let mut dates = self.days.iter().filter(|(day, _)| *day == weekday).map(|(_, date)| date);
        let (date, None) = (dates.next()?, dates.next()) else { return None };
        let dated = format!("{date} {}", part.trim_start_matches([' ', ',', '，']));
        let dated = dated.trim().to_owned();
        time::parse(&dated).moment().is_some().then_some(dated)
    }

    /// Returns the start and end of a statement: the stated times, with the chapter's time as the default start.
    ///
    /// Timeless predicates, constants of the whole story and statements not narrated as present get no time.
    pub(super) fn span(&self, said: &ToldFact, word: Option<&Predicate>) -> (String, String) {
        let (from, until) = (self.begun(&said.from, said.mode), self.dated(&said.until, said.mode));
        let lasts = word.is_some_and(|word| word.immutable || word.steady);
        if from.is_empty() && !lasts && (until.is_empty() || until != self.words) {
            return (beginning(&from, said.mode, &self.words, &said.quote).words.to_owned(), until);
        }
        (from, until)
    }
}

/// Returns the weekday and the date of a time on the common calendar, such as `1978-03-18 21:00`.
fn day(time: &str) -> Option<(usize, String)> {
    let date = time.split_whitespace().next()?;
    let weekday = time::parse(date).moment()?.weekday()?;
    Some((weekday, date.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{ChapterTime, Mode};

    #[test]
    fn a_weekday_is_the_day_of_the_chapter_that_is_one() {
        let days = ["1978-03-18", "1978-03-19"].iter().filter_map(|date| super::day(date)).collect();
        let hour = ChapterTime { words: "o-2".into(), date: "1978-03-18 21:00".into(), days };
        for (told, expected) in [
            ("Sunday", "1978-03-19"),
            ("on Saturday", "1978-03-18"),
            ("Saturday night", "1978-03-18 night"),
            ("星期六夜里", "1978-03-18 夜里"),
            ("Monday", "Monday"),
            ("the Sunday before", "the Sunday before"),
            ("Sunday week", "Sunday week"),
            ("the nineteenth of March", "the nineteenth of March, 1978"),
        ] {
            assert_eq!(hour.dated(told, Mode::Narrated), expected, "{told}");
        }
        assert_eq!(hour.dated("Sunday", Mode::Flashback), "Sunday", "any Sunday");
        assert_eq!(hour.dated("March of last year", Mode::Said), "March, 1977");
        assert_eq!(hour.dated("'thirteen", Mode::Flashback), "1913");
        assert_eq!(hour.begun("November", Mode::Narrated), "November, 1977");
        assert_eq!(hour.begun("November", Mode::Planned), "November", "the next one, perhaps");
        assert!(hour.is_after("1978-03-14") && !hour.is_after("1978-03-19") && !hour.is_after("some day"));
    }

    #[test]
    fn of_two_days_of_one_name_none_is_meant() {
        let days = ["1978-03-12", "1978-03-19"].iter().filter_map(|date| super::day(date)).collect();
        let hour = ChapterTime { words: "o-2".into(), date: "1978-03-12".into(), days };
        assert_eq!(hour.dated("Sunday", Mode::Narrated), "Sunday");
    }
}
