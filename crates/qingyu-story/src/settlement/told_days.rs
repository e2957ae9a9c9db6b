//! The times of the events of a chapter, in the order of its text.

use std::ops::Range;

use crate::language::has_words;
use crate::numerals::{is_digit_or_numeral, is_plain_numeral};
use crate::time::Moment;

/// The times of the events told so far, with the places of their words in the text.
#[derive(Debug, Default)]
pub(super) struct ToldDays {
    /// The byte range of the words of each event, and its time if its day is known.
    events: Vec<(Range<usize>, Option<Moment>)>,
}

/// English words with which a text comes to another day.
const ENGLISH: [&str; 31] = [
    "next day",
    "next morning",
    "next evening",
    "following",
    "day after",
    "morning after",
    "days later",
    "days after",
    "week",
    "weeks",
    "month",
    "months",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "of may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Chinese words with which a text comes to another day.
const CHINESE: [&str; 18] = [
    "第二天",
    "第三天",
    "次日",
    "次晨",
    "翌",
    "隔天",
    "隔日",
    "转天",
    "天后",
    "天之后",
    "星期",
    "礼拜",
    "天亮",
    "正月",
    "冬月",
    "腊月",
    "廿",
    "卅",
];

impl ToldDays {
    /// Inserts an event with the words `quote`; without a time, its day is not known.
    pub(super) fn insert(&mut self, text: &str, quote: &str, time: Option<Moment>) {
        if let Some(range) = range_of(text, quote) {
            self.events.push((range, time));
        }
    }

    /// Returns the time of the event told last before the words `quote`, or with them; `first` before the first event.
    /// `None` if its day is not known or the text between comes to another day.
    pub(super) fn last_before(&self, text: &str, quote: &str, first: Option<Moment>) -> Option<Moment> {
        let own = range_of(text, quote)?;
        let before = self.events.iter().filter(|(range, _)| range.start <= own.start);
        let Some((range, time)) = before.max_by_key(|(range, _)| range.start) else { return first };
        if range.contains(&own.start) {
            return time.clone();
        }
        time.clone().filter(|_| !names_other_day(&text[range.end..own.end]))
    }
}

/// Returns the byte range of words in a text in lower case.
pub(super) fn range_of(text: &str, quote: &str) -> Option<Range<usize>> {
    let quote = quote.trim().to_lowercase();
    let at = text.find(&quote).filter(|_| !quote.is_empty())?;
    Some(at..at + quote.len())
}

/// Returns whether a text in lower case comes to another day.
pub(super) fn names_other_day(text: &str) -> bool {
    let is_date = |(at, _): (usize, &str)| text[..at].ends_with(is_digit_or_numeral);
    // `初三`, `周三`
    let is_named = |rest: &str| rest.starts_with(is_plain_numeral);
    ENGLISH.iter().any(|words| has_words(text, words))
        || CHINESE.iter().any(|word| text.contains(word))
        || text.match_indices(['月', '日', '号']).any(is_date)
        || text.split(['初', '周']).skip(1).any(is_named)
}

#[cfg(test)]
mod tests {
    use super::ToldDays;
    use crate::time;

    #[test]
    fn the_day_goes_on_until_the_text_comes_to_another() {
        let ninth = time::parse("1898-06-09 10:00").moment();
        for (between, goes_on) in [
            (" he went home.", true),
            (" the next morning he went home.", false),
            (" on friday he went home.", false),
            ("他回家去了。", true),
            ("第二天他回家去了。", false),
            ("六月十日他回家去了。", false),
            ("腊月廿三他回家去了。", false),
            ("廿三那天他回家去了。", false),
        ] {
            let text = format!("he came.{between} at eight that evening they met.");
            let mut days = ToldDays::default();
            days.insert(&text, "He came.", ninth.clone());
            let last = days.last_before(&text, "At eight that evening they met.", None);
            assert_eq!(last, ninth.clone().filter(|_| goes_on), "{between}");
            assert_eq!(days.last_before(&text, "He came.", None), ninth, "with the words of the event");
        }
    }
}
