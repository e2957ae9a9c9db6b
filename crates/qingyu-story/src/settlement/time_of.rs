//! Determines the times at which a chapter's statements hold.

use super::differing::{dated_before, dated_in_year_before, dated_like, is_day_of_year, with_year};
use super::extraction::ToldFact;
use super::year_words::with_whole_year;
use crate::fact_time::beginning;
use crate::names::{Names, fold};
use crate::numerals::is_plain_numeral;
use crate::piece::PieceKind;
use crate::predicate::Predicate;
use crate::time::{CalendarDay, Moment, in_digits};
use crate::{Document, Mode, Story, time};

/// The story time of a chapter, in words usable in facts.
#[derive(Debug, Default)]
pub(super) struct ChapterTime {
    words: String,
    /// The time of an event of the chapter with a full date; empty if there is none.
    date: String,
    /// The weekday, from 0 for Monday, and the date of each day on which the chapter has an event.
    days: Vec<(usize, String)>,
    /// The days on which the chapter has an event, in their order.
    moments: Vec<Moment>,
    /// The text of the chapter, in lower case.
    text: String,
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
        let mut moments: Vec<Moment> = times.iter().filter_map(|time| time::parse(time).moment()).collect();
        moments.retain(|moment| CalendarDay::of(moment).is_some());
        moments.sort_by_key(Moment::bounds);
        moments.dedup_by_key(|moment| CalendarDay::of(moment));
        Self { words: node.unwrap_or_default(), date, days, moments, text: document.text.to_lowercase() }
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

    /// Returns a time as told in the sentence `quote`, with the year of the chapter if it has none, and as a date if it is
    /// named from the day of the chapter, as `昨夜`. Of a memory, a day without a year is the last one before the chapter.
    pub(super) fn dated(&self, told: &str, mode: Mode, quote: &str) -> String {
        let told = told.trim();
        // Most facts have no end, and searching the chapter for the day of a sentence takes time.
        if told.is_empty() {
            return String::new();
        }
        if let Some(dated) = with_whole_year(&self.date, told) {
            return dated;
        }
        // In a memory, `that night` is a night of the memory.
        let is_there = mode == Mode::Flashback && told.starts_with(['当', '这']);
        let resolved = || self.day_at(quote).and_then(|day| day.resolve(told)).filter(|_| !is_there);
        let dated = resolved().unwrap_or_else(|| match mode {
            Mode::Flashback if is_of_other_year(quote) || !is_day_of_year(told) => told.to_owned(),
            Mode::Flashback => self.last_before(told),
            _ => self.on_weekday(told).unwrap_or_else(|| dated_like(&self.date, told)),
        });
        if dated == told { dated } else { in_digits(&dated) }
    }

    /// Returns a day of no year as the last such day that is not after the chapter, if its calendar says which.
    fn last_before(&self, told: &str) -> String {
        let last = self.moments.last().cloned().or_else(|| time::parse(&self.date).moment());
        let is_past = |dated: &String| {
            let times = last.as_ref().zip(time::parse(dated).moment());
            times.is_some_and(|(own, date)| own.is_comparable(&date) && !own.is_before(&date))
        };
        let dates = [Some(with_year(&self.date, told)), dated_in_year_before(&self.date, told)];
        dates.into_iter().flatten().find(is_past).unwrap_or_else(|| told.to_owned())
    }

    /// Returns the day on which a sentence of the chapter is told: of several days, the last one that the text names before
    /// it, or else the first.
    fn day_at(&self, quote: &str) -> Option<CalendarDay> {
        let days: Vec<CalendarDay> = self.moments.iter().filter_map(CalendarDay::of).collect();
        if days.len() < 2 {
            return days.into_iter().next();
        }
        let quote = quote.trim().to_lowercase();
        let until = self.text.find(&quote).filter(|_| !quote.is_empty())? + quote.len();
        let last =
            |day: &CalendarDay| day.written().iter().filter_map(|form| last_mention(&self.text[..until], form)).max();
        let named = days.iter().filter_map(|day| Some((last(day)?, day))).max_by_key(|(at, _)| *at);
        named.map(|(_, day)| day.clone()).or_else(|| days.first().cloned())
    }

    /// Returns whether a date lies before the chapter.
    pub(super) fn is_after(&self, date: &str) -> bool {
        let times = time::parse(date).moment().zip(time::parse(&self.date).moment());
        times.is_some_and(|(date, own)| date.is_before(&own))
    }

    /// Returns the time at which something began, as told. A month without a year has begun before.
    fn begun(&self, told: &str, mode: Mode, quote: &str) -> String {
        let dated = self.dated(told, mode, quote);
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
        let from = self.begun(&said.from, said.mode, &said.quote);
        let until = self.dated(&said.until, said.mode, &said.quote);
        let lasts = word.is_some_and(|word| word.immutable || word.steady);
        // What was over before the chapter did not begin in it.
        if from.is_empty() && !lasts && until != self.words && !self.is_after(&until) {
            return (beginning(&from, said.mode, &self.words, &said.quote).words.to_owned(), until);
        }
        (from, until)
    }
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
    let is_number = |c: char| c.is_ascii_digit() || is_plain_numeral(c);
    let is_whole = |(at, found): &(usize, &str)| {
        !text[..*at].ends_with(is_number) && !text[at + found.len()..].starts_with(is_number)
    };
    text.rmatch_indices(form).find(is_whole).map(|(at, _)| at)
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
        let hour = ChapterTime { words: "o-2".into(), date: "1978-03-18 21:00".into(), days, ..ChapterTime::default() };
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
            assert_eq!(hour.dated(told, Mode::Narrated, ""), expected, "{told}");
        }
        assert_eq!(hour.dated("Sunday", Mode::Flashback, ""), "Sunday", "any Sunday");
        assert_eq!(hour.dated("'thirteen", Mode::Flashback, ""), "1913");
        assert_eq!(hour.begun("November", Mode::Narrated, ""), "November, 1977");
        assert_eq!(hour.begun("November", Mode::Planned, ""), "November", "the next one, perhaps");
        assert!(hour.is_after("1978-03-14") && !hour.is_after("1978-03-19") && !hour.is_after("some day"));
    }

    #[test]
    fn of_two_days_of_one_name_none_is_meant() {
        let days = ["1978-03-12", "1978-03-19"].iter().filter_map(|date| super::day(date)).collect();
        let hour = ChapterTime { words: "o-2".into(), date: "1978-03-12".into(), days, ..ChapterTime::default() };
        assert_eq!(hour.dated("Sunday", Mode::Narrated, ""), "Sunday");
    }

    /// The time of a chapter of several days, by the hours of its events.
    fn of_days(days: &[&str], text: &str) -> ChapterTime {
        let moments = days.iter().filter_map(|day| crate::time::parse(day).moment()).collect();
        let date = days.first().map(|day| (*day).to_owned()).unwrap_or_default();
        ChapterTime { words: "o-1".into(), date, moments, text: text.into(), ..ChapterTime::default() }
    }

    #[test]
    fn a_time_named_from_the_day_of_the_sentence_is_a_date() {
        let text =
            "民国二十三年十月十日，桥下围了人。“听人讲，昨夜跌下去的。”十月十一日上午，他们寻到了他。“昨夜我在。”";
        let hour = of_days(&["1934年10月10日 6:00", "1934年10月11日 10:00"], text);
        for (told, mode, quote, expected) in [
            ("昨夜", Mode::Said, "听人讲，昨夜跌下去的。", "1934年10月9日夜"),
            ("昨夜", Mode::Said, "昨夜我在。", "1934年10月10日夜"),
            ("昨夜", Mode::Said, "不在正文里的话。", "昨夜"),
            ("三年前的八月十六日", Mode::Said, "昨夜我在。", "1931年8月16日"),
            ("当夜", Mode::Flashback, "昨夜我在。", "当夜"),
            ("当夜", Mode::Narrated, "昨夜我在。", "1934年10月11日夜"),
            ("十月九日夜里", Mode::Narrated, "昨夜我在。", "1934年10月9日夜里"),
            ("十月九日", Mode::Flashback, "昨夜我在。", "1934年10月9日"),
            ("十二月三日", Mode::Flashback, "昨夜我在。", "1933年12月3日"),
            ("十月九日", Mode::Flashback, "那年十月九日下着雨。", "十月九日"),
        ] {
            assert_eq!(hour.dated(told, mode, quote), expected, "{told} {quote}");
        }
        let english = of_days(&["1978-03-18 21:00"], "It was cold.");
        assert_eq!(english.dated("last night", Mode::Said, "It was cold."), "1978-03-17 night");
        assert_eq!(english.dated("December 3", Mode::Flashback, "It was cold."), "December 3, 1977");
    }

    #[test]
    fn what_was_over_before_the_chapter_did_not_begin_in_it() {
        let hour = of_days(&["1934年10月10日 6:00"], "雨停了。");
        let said = |until: &str| super::ToldFact { until: until.into(), ..super::ToldFact::default() };
        assert_eq!(hour.span(&said("民国二十年十二月"), None), (String::new(), "民国二十年十二月".to_owned()));
        assert_eq!(hour.span(&said("1934年10月11日"), None), ("o-1".to_owned(), "1934年10月11日".to_owned()));
    }
}
