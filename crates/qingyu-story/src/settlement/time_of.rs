//! Determines the times at which a chapter's statements hold.

use super::extraction::{Extraction, ToldEvent, ToldFact};
use super::memory_days::MemoryDays;
use super::told_back::is_told_back;
use super::told_days::{ToldDays, range_of};
use crate::fact_time::beginning;
use crate::language::has_words;
use crate::names::Names;
use crate::numerals::is_digit_or_numeral;
use crate::piece::PieceKind;
use crate::predicate::Predicate;
use crate::time::{
    CalendarDay, MONTHS, Moment, TimeAnchor, TimeDirection, WEEKDAYS, hour_on_day, is_day_of_year,
    is_weekday_of_other_day, names_weekday, on_same_day, part_on_day, split_at_chinese_weekday,
};
use crate::{Document, Mode, Prose, Story, TimelineEvent, time};

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
        let anchor = TimeAnchor::of(narrated().filter(is_of_chapter).map(|event| event.timestamp.trim()));
        // The last event of an earlier chapter.
        let before = || {
            let order = Some(story.outline_nodes[own?.position].order).filter(|order| *order > 0)?;
            let before = narrated().filter_map(|event| {
                let node = names.resolve(PieceKind::OutlineNode, event.outline_node.as_deref()?)?;
                let before =
                    Some(story.outline_nodes[node.position].order).filter(|other| (1..order).contains(other))?;
                Some((before, time::parse(&event.timestamp).moment()?, event.timestamp.as_str()))
            });
            before.max_by_key(|(order, moment, _)| (*order, moment.bounds()))
        };
        let before = if anchor.date().is_empty() { before() } else { None };
        let previous = before.as_ref().and_then(|(_, moment, _)| CalendarDay::of(moment));
        let anchor = anchor.following(before.map_or("", |(.., written)| written));
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
        if let Some(dated) = self.on_day_before(event).or_else(|| self.at_hour(event)) {
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

    /// Returns the time of an event that is told only with its hour, as a date: `下午五点`.
    fn at_hour(&self, event: &ToldEvent) -> Option<String> {
        let is_now = matches!(event.mode, Mode::Narrated | Mode::Disguised);
        if is_now { self.at_hour_of_sentence(&event.timestamp, &event.quote) } else { None }
    }

    /// Returns an hour told in the sentence `quote` as a date. A sentence that looks back may mean another day.
    fn at_hour_of_sentence(&self, told: &str, quote: &str) -> Option<String> {
        self.on_told_day(told, quote, hour_on_day).filter(|_| !looks_back(quote))
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
        let aloud = if is_remembered { self.told_aloud(quote) } else { None };
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

    /// Returns the paragraph of a sentence in which somebody tells aloud of a weekday: `I had this from your brother on Friday
    /// night`. `None` if the narrator tells of it.
    fn told_aloud(&self, quote: &str) -> Option<&str> {
        let range = range_of(&self.text, quote)?;
        let weekday = weekday_at(&self.text[range.clone()])?;
        let start = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[range.end..].find('\n').map_or(self.text.len(), |at| range.end + at);
        let paragraph = &self.text[start..end];
        Prose::of(paragraph).is_spoken(range.start + weekday - start).then_some(paragraph)
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

    /// Returns the beginning of a fact that is told of the day of the event before, or only with its hour, as a date.
    fn on_day_of_sentence(&self, said: &ToldFact) -> Option<String> {
        if said.mode != Mode::Narrated {
            return None;
        }
        let same_day = self.on_told_day(&said.from, &said.quote, on_same_day);
        same_day.or_else(|| self.at_hour_of_sentence(&said.from, &said.quote))
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
        let from = self.on_day_of_sentence(said).unwrap_or_else(|| self.read(&said.from, &said.quote, None, own));
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
fn with_article(told: &str, quote: &str) -> String {
    let told = told.trim();
    let with = format!("the {told}");
    let is_last = told.to_lowercase().starts_with("last ") && names_weekday(told);
    let has_article = is_last && quote.to_lowercase().contains(&with.to_lowercase());
    if has_article { with } else { told.to_owned() }
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

/// Returns the byte position of a weekday in a text in lower case.
fn weekday_at(text: &str) -> Option<usize> {
    let english = || WEEKDAYS.iter().find_map(|name| text.find(&name.to_lowercase()));
    split_at_chinese_weekday(text).map(|(before, ..)| before.len()).or_else(english)
}

/// Returns whether a text in lower case speaks of months, years or times long past: it may mean any weekday.
fn speaks_of_long_time(text: &str) -> bool {
    const WORDS: [&str; 19] = [
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "ago",
        "once",
        "when i was",
        "used to",
        "in those days",
        "spring",
        "summer",
        "autumn",
        "winter",
        "before he died",
        "before she died",
        "funeral",
        "the war",
    ];
    const CHINESE: [&str; 9] = ["年", "月", "从前", "以前", "小时候", "那时", "那会", "当初", "那阵"];
    let is_month = |name: &&str| has_words(text, &name.to_lowercase());
    MONTHS.iter().any(is_month)
        || WORDS.iter().any(|words| has_words(text, words))
        || CHINESE.iter().any(|word| text.contains(word))
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ChapterTime, Extraction, Mode, Names, Story, TimeAnchor, ToldEvent, ToldFact};

    /// The time of a chapter with events at some times.
    fn of_days(days: &[&str], text: &str) -> ChapterTime {
        let anchor = TimeAnchor::of(days.iter().copied());
        ChapterTime { words: "o-2".into(), anchor, text: text.to_lowercase(), ..ChapterTime::default() }
    }

    /// The beginning and the end of a fact.
    fn span(hour: &ChapterTime, from: &str, until: &str, mode: Mode, quote: &str) -> (String, String) {
        let (from, until, quote) = (from.into(), until.into(), quote.into());
        hour.span(&ToldFact { from, until, mode, quote, ..ToldFact::default() }, None)
    }

    /// The time of an event.
    fn event(hour: &ChapterTime, timestamp: &str, mode: Mode, quote: &str) -> String {
        let (timestamp, quote) = (timestamp.into(), quote.into());
        hour.of_event(&ToldEvent { timestamp, mode, quote, ..ToldEvent::default() })
    }

    #[test]
    fn a_time_is_told_from_the_chapter() {
        let hour = of_days(&["1978-03-18 21:00", "1978-03-19"], "");
        for (told, expected) in [
            ("Sunday", "1978-03-19"),
            ("on Saturday", "1978-03-18"),
            ("Saturday night", "1978-03-18 night"),
            ("星期六夜里", "1978年3月18日夜里"),
            ("Monday", "Monday"),
            ("the Sunday before", "the Sunday before"),
            ("the nineteenth of March", "the nineteenth of March, 1978"),
        ] {
            assert_eq!(event(&hour, told, Mode::Narrated, ""), expected, "{told}");
        }
        assert_eq!(event(&hour, "Sunday", Mode::Flashback, ""), "Sunday", "any Sunday");
        assert_eq!(event(&hour, "'thirteen", Mode::Flashback, ""), "1913");
        assert_eq!(span(&hour, "November", "", Mode::Narrated, "").0, "November, 1977");
        assert_eq!(span(&hour, "November", "", Mode::Planned, "").0, "November", "the next one, perhaps");
        assert!(hour.is_after("1978-03-14") && !hour.is_after("1978-03-19") && !hour.is_after("some day"));
    }

    #[test]
    fn a_weekday_is_past_unless_it_is_planned_or_happens_next() {
        // 14 March 1978 was a Tuesday.
        let text = "It was cold. It had been found on Saturday. 二商局礼拜六翻了老账。";
        let mut hour = of_days(&["1978-03-14 09:00"], text);
        for (told, mode, from, until) in [
            ("on Thursday at four", Mode::Narrated, "1978-03-09 at four", "on Thursday at four"),
            ("on Thursday at four", Mode::Said, "1978-03-09 at four", "on Thursday at four"),
            ("on Thursday at four", Mode::Planned, "1978-03-16 at four", "1978-03-16 at four"),
            ("Tuesday, three o'clock", Mode::Narrated, "1978-03-14 three o'clock", "1978-03-14 three o'clock"),
            ("next Thursday", Mode::Narrated, "1978-03-16", "1978-03-16"),
            ("Thursday", Mode::Flashback, "Thursday", "Thursday"),
            ("礼拜二晚上", Mode::Narrated, "1978年3月14日晚上", "1978年3月14日晚上"),
            ("下周三下午三点", Mode::Said, "1978年3月22日下午3点", "1978年3月22日下午3点"),
        ] {
            let found = span(&hour, told, told, mode, "It was cold.");
            assert_eq!(found, (from.to_owned(), until.to_owned()), "{told} {mode:?}");
        }
        assert_eq!(event(&hour, "on Saturday", Mode::Narrated, ""), "1978-03-11", "the nearest");
        hour.advance("1978-03-15 10:00");
        assert_eq!(event(&hour, "on Saturday", Mode::Narrated, ""), "1978-03-18", "after the event before");
        assert_eq!(event(&hour, "周六晚上", Mode::Narrated, ""), "1978年3月18日晚上");
        assert_eq!(event(&hour, "on Saturday", Mode::Said, "It was cold."), "1978-03-11");
        let back = "It had been found on Saturday.";
        assert_eq!(event(&hour, "on Saturday", Mode::Narrated, back), "1978-03-11", "the narrator looks back");
        let back = "二商局礼拜六翻了老账。";
        assert_eq!(event(&hour, "礼拜六", Mode::Narrated, back), "1978年3月11日");
        hour.advance("some day");
        hour.advance("1978-03-02");
        assert_eq!(event(&hour, "on Saturday", Mode::Narrated, ""), "1978-03-18");
    }

    #[test]
    fn a_weekday_of_a_memory_is_counted_from_the_day_of_the_memory() {
        let gift = "her mother had worked it off herself, on the last Sunday.";
        let death = "On the Tuesday, the twenty-eighth of February, she was dead.";
        let other = "He had gone on the last Sunday.";
        let text = format!(
            "It was seven. Gold; {gift} {death}\n\n{other} 母亲最后一个星期天把戒指给了她。二月二十八日她死了。"
        );
        let mut hour = of_days(&["1911-03-11 07:00", "1911-03-11 07:30"], &text);
        let told = |timestamp: &str, quote: &str| ToldEvent {
            timestamp: timestamp.into(),
            mode: Mode::Flashback,
            quote: quote.into(),
            ..ToldEvent::default()
        };
        let chinese = "母亲最后一个星期天把戒指给了她。";
        for (words, quote) in [("the last Sunday", gift), ("last Sunday", gift), ("最后一个星期天", chinese)] {
            let raw = words.replace("last S", "the last S").replace("the the", "the");
            assert_eq!(hour.of_event(&told(words, quote)), raw, "nothing dates the memory");
        }
        hour.remember(&Extraction {
            events: vec![
                told("the last Sunday", gift),
                told("Tuesday, the twenty-eighth of February", death),
                told("二月二十八日", "二月二十八日她死了。"),
            ],
            ..Extraction::default()
        });
        for (words, quote, expected) in [
            ("the last Sunday", gift, "1911-02-26"),
            ("last Sunday", gift, "1911-02-26"),
            ("最后一个星期天", chinese, "1911年2月26日"),
            // Any Sunday.
            ("Sunday", gift, "Sunday"),
        ] {
            assert_eq!(hour.of_event(&told(words, quote)), expected, "{words}");
            assert_eq!(span(&hour, words, "", Mode::Flashback, quote).0, expected, "{words}");
        }
        assert_eq!(event(&hour, "last Monday", Mode::Said, death), "1911-03-06", "somebody speaks of his own week");
    }

    #[test]
    fn a_memory_told_aloud_is_of_the_week_of_the_speaker() {
        let text = "It was two. “Neil Darroch,” he said. “I had this from your brother on Friday night, Miss.”\n\n\
            She had hidden it on Friday night.\n\n“It was in January. On Friday he came to me.”\n\n\
            “戒指是礼拜五晚上他给我的。”他说。\n\n礼拜五晚上他把戒指藏了起来。\n\n“那年礼拜五他来过。”";
        // 13 March 1911 was a Monday.
        let hour = of_days(&["1911-03-13 14:00"], text);
        for (told, quote, expected) in [
            ("Friday night", "I had this from your brother on Friday night, Miss.”", "1911-03-10 night"),
            ("the night of Friday", "“I had this from your brother on Friday night, Miss.”", "1911-03-10 night"),
            ("礼拜五晚上", "戒指是礼拜五晚上他给我的。", "1911年3月10日晚上"),
            ("last Friday", "On Friday he came to me.”", "1911-03-10"),
            // The narrator remembers any Friday, and so does somebody who speaks of another month or year.
            ("Friday night", "She had hidden it on Friday night.", "Friday night"),
            ("Friday", "On Friday he came to me.”", "Friday"),
            ("礼拜五晚上", "礼拜五晚上他把戒指藏了起来。", "礼拜五晚上"),
            ("礼拜五", "那年礼拜五他来过。", "礼拜五"),
        ] {
            assert_eq!(event(&hour, told, Mode::Flashback, quote), expected, "{quote}");
            assert_eq!(span(&hour, told, "", Mode::Flashback, quote).0, expected, "{quote}");
        }
        let death = "She died on the twenty-eighth of February, and gave it me on the last Sunday.";
        let mut hour = of_days(&["1911-03-13 14:00"], &format!("“{death} I saw him last Friday.”"));
        let died = ToldFact {
            from: "the twenty-eighth of February".into(),
            mode: Mode::Flashback,
            quote: death.into(),
            ..ToldFact::default()
        };
        hour.remember(&Extraction { facts: vec![died], ..Extraction::default() });
        assert_eq!(event(&hour, "last Friday", Mode::Flashback, "I saw him last Friday."), "1911-03-10");
        assert_eq!(event(&hour, "the last Sunday", Mode::Flashback, death), "1911-02-26");
    }

    #[test]
    fn a_time_of_that_day_has_the_day_of_the_event_before() {
        let text = "On Thursday the ninth of June, at ten, he bought it. At three that afternoon she came. \
            At eight that evening they met. They ate. The next day it rained. At nine that night he left.";
        let mut hour = of_days(&["1898-06-08 10:00", "1898-06-08 20:00"], text);
        for (told, quote, expected) in [
            ("Thursday the ninth of June, at ten in the morning", "at ten, he bought it.", None),
            ("three that afternoon", "she came.", Some("1898-06-09 three in the afternoon")),
            ("", "They ate.", None),
            ("eight that evening", "At eight that evening they met.", Some("1898-06-09 eight in the evening")),
        ] {
            let dated = event(&hour, told, Mode::Narrated, quote);
            if let Some(expected) = expected {
                assert_eq!(dated, expected, "{told}");
            }
            hour.follow(quote, &dated, "");
            hour.advance(&dated);
        }
        for (told, mode, quote, expected) in [
            (
                "eight that evening",
                Mode::Narrated,
                "At eight that evening they met.",
                "1898-06-09 eight in the evening",
            ),
            ("three that afternoon", Mode::Narrated, "At three that afternoon", "1898-06-09 three in the afternoon"),
            ("nine in the evening", Mode::Narrated, "They ate.", "1898-06-09 nine in the evening"),
            // The text has come to another day; somebody speaks of another evening; it was before.
            ("nine that night", Mode::Narrated, "At nine that night he left.", "nine that night"),
            ("eight that evening", Mode::Said, "They ate.", "eight that evening"),
            ("six that morning", Mode::Narrated, "They ate.", "six that morning"),
        ] {
            assert_eq!(span(&hour, told, "", mode, quote).0, expected, "{told} {mode:?}");
        }
        let mut hour = of_days(&["1911-03-13 14:00"], "He put it down. They ate.");
        hour.follow("He put it down.", "by the other clock", "1911-03-13 14:00");
        let dated = span(&hour, "two that afternoon", "", Mode::Narrated, "They ate.").0;
        assert_eq!(dated, "1911-03-13 two in the afternoon", "it is on the planned day");
        hour.follow("He put it down.", "by the other clock", "");
        assert_eq!(span(&hour, "two that afternoon", "", Mode::Narrated, "They ate.").0, "two that afternoon");
        let mut hour = of_days(&["1898年6月8日 20:00"], "六月九日上午他来了。当天下午三点她走了。那天晚上八点下了雨。");
        for (told, quote, expected) in [
            ("六月九日上午", "六月九日上午他来了。", "1898年6月9日上午"),
            ("当天下午三点", "当天下午三点她走了。", "1898年6月9日下午3点"),
            ("那天晚上八点", "那天晚上八点下了雨。", "1898年6月9日晚上8点"),
        ] {
            let dated = event(&hour, told, Mode::Narrated, quote);
            assert_eq!(dated, expected, "{told}");
            hour.follow(quote, &dated, "");
            hour.advance(&dated);
        }
    }

    #[test]
    fn an_hour_is_one_of_the_day_of_its_sentence() {
        let text = "六月十八日上午他来了。下午五点她走了。夜里十一点半下了雨。他昨天下午五点来过。第二天她醒了。上午九点她出了门。";
        let mut hour = of_days(&["1926年6月18日 9:00"], text);
        for (told, quote, expected) in [
            ("六月十八日上午", "六月十八日上午他来了。", "1926年6月18日上午"),
            ("下午五点", "下午五点她走了。", "1926年6月18日下午5点"),
            ("夜里十一点半", "夜里十一点半下了雨。", "1926年6月18日夜里11点半"),
        ] {
            assert_eq!(span(&hour, told, "", Mode::Narrated, quote).0, expected, "{told}");
            let dated = event(&hour, told, Mode::Narrated, quote);
            assert_eq!(dated, expected, "{told}");
            hour.follow(quote, &dated, "");
            hour.advance(&dated);
        }
        for (told, mode, quote) in [
            // It looks back, somebody speaks of it, the text has come to another day, and it was before.
            ("下午五点", Mode::Narrated, "他昨天下午五点来过。"),
            ("下午五点", Mode::Said, "夜里十一点半下了雨。"),
            ("上午九点", Mode::Narrated, "上午九点她出了门。"),
            ("上午九点", Mode::Narrated, "夜里十一点半下了雨。"),
        ] {
            assert_eq!(event(&hour, told, mode, quote), told, "{quote}");
            assert_eq!(span(&hour, told, "", mode, quote).0, told, "{quote}");
        }
        let text =
            "They met at half past six in the evening. Lunar days are days, too. 五月初十酉时三刻他来了。戌时她走了。";
        let hour = of_days(&["1926-06-18 09:00"], text);
        let quote = "They met at half past six in the evening.";
        let dated = event(&hour, "half past six in the evening", Mode::Narrated, quote);
        assert_eq!(dated, "1926-06-18 half past six in the evening");
        let mut hour = of_days(&["民国十五年五月初九", "民国十五年五月初十"], text);
        let quote = "五月初十酉时三刻他来了。";
        let dated = event(&hour, "五月初十酉时三刻", Mode::Narrated, quote);
        assert_eq!(dated, "民国十五年五月初十酉时三刻");
        hour.follow(quote, &dated, "");
        assert_eq!(event(&hour, "戌时", Mode::Narrated, "戌时她走了。"), "1926年6月19日戌时");
    }

    #[test]
    fn the_first_dated_event_dates_a_chapter_without_one() {
        let mut hour = of_days(&[], "");
        assert_eq!(event(&hour, "周三下午三点", Mode::Narrated, ""), "周三下午三点");
        hour.advance("1978年3月14日");
        assert_eq!(event(&hour, "周三下午三点", Mode::Narrated, ""), "1978年3月15日下午3点");
        assert_eq!(span(&hour, "昨夜", "", Mode::Narrated, "").0, "1978年3月13日夜");
        let mut hour = of_days(&[], "");
        hour.advance("景和十七年八月初十");
        assert_eq!(event(&hour, "本月初三", Mode::Said, ""), "景和十七年八月初三");
        assert_eq!(event(&hour, "周三", Mode::Said, ""), "周三", "no weekday of this calendar");
    }

    #[test]
    fn a_chapter_without_a_dated_event_follows_the_one_before() {
        let story: Story = serde_json::from_value(json!({
            "outline_nodes": [{"id": "o-1", "name": "One", "order": 1}, {"id": "o-2", "name": "Two", "order": 2},
                {"id": "o-3", "name": "Three", "order": 3}],
            "timeline_events": [
                {"id": "e-1", "title": "A", "timestamp": "1978-03-14 09:00", "outline_node": "o-1"},
                {"id": "e-2", "title": "B", "timestamp": "1978-04-01", "outline_node": "o-3"}
            ],
            "documents": [{"id": "d-2", "title": "Two", "order": 2, "outline_node": "o-2", "text": "."}]
        }))
        .unwrap();
        let hour = ChapterTime::of(&story, &story.documents[0], &Names::of(&story));
        assert_eq!(event(&hour, "on Thursday at four", Mode::Narrated, ""), "1978-03-16 at four");
        assert_eq!(span(&hour, "Thursday", "", Mode::Narrated, "").0, "Thursday", "its own day is not known");
        assert_eq!(
            event(&hour, "the second of April, at ten", Mode::Narrated, ""),
            "the second of April, 1978, at ten"
        );
    }

    #[test]
    fn a_chapter_without_a_dated_event_begins_with_the_first_day_that_it_tells() {
        let mut hour = of_days(&[], "");
        hour.anchor = hour.anchor.following("1988年10月23日傍晚5点");
        let told =
            |timestamp: &str, mode: Mode| ToldEvent { timestamp: timestamp.into(), mode, ..ToldEvent::default() };
        hour.begin(&[
            told("大前天夜里", Mode::Narrated),
            told("1983年5月9日", Mode::Flashback),
            told("十月三十号，礼拜日，早上八点", Mode::Narrated),
        ]);
        for (words, expected) in [
            ("大前天夜里", "1988年10月27日夜里"),
            ("前天礼拜五", "1988年10月28日礼拜五"),
            ("礼拜日六点多", "1988年10月30日6点多"),
            ("十月三十号早上八点", "1988年10月30号早上8点"),
        ] {
            assert_eq!(event(&hour, words, Mode::Narrated, ""), expected, "{words}");
            assert_eq!(span(&hour, words, "", Mode::Narrated, "").0, expected, "{words}");
        }
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
            assert_eq!(event(&hour, told, mode, quote), expected, "{told} {quote}");
        }
        let english = of_days(&["1978-03-18 21:00"], "It was cold.");
        assert_eq!(event(&english, "last night", Mode::Said, "It was cold."), "1978-03-17 night");
        assert_eq!(event(&english, "December 3", Mode::Flashback, "It was cold."), "December 3, 1977");
    }

    #[test]
    fn what_was_over_before_the_chapter_did_not_begin_in_it() {
        let hour = of_days(&["1934年10月10日 6:00"], "雨停了。");
        let until = |until: &str| span(&hour, "", until, Mode::Narrated, "");
        assert_eq!(until("民国二十年十二月"), (String::new(), "民国二十年十二月".to_owned()));
        assert_eq!(until("1934年10月11日"), ("o-2".to_owned(), "1934年10月11日".to_owned()));
    }
}
