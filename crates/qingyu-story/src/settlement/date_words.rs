//! The sentence of a text that gives the date of an event.

use crate::excerpt::sentence_ends;
use crate::prose::paragraphs_around;
use crate::time::{CalendarDay, LUNAR_CALENDAR, MONTHS, parse};

/// Returns the sentence of `text` with the date of `told`, the last one before `quote`, or else the first; `None` if the
/// quote has the date itself or nothing in the text is written like it. `day` is the told time as a date, which the text may
/// write in other words.
pub(super) fn sentence_of_date<'t>(text: &'t str, told: &str, day: &str, quote: &str) -> Option<&'t str> {
    let (lower, own) = (text.to_ascii_lowercase(), quote.trim().to_ascii_lowercase());
    let names: Vec<String> = names(told).into_iter().map(str::to_ascii_lowercase).chain(forms(day)).collect();
    if names.iter().any(|name| own.contains(name.as_str())) {
        return None;
    }
    let limit = lower.find(&own).unwrap_or_default();
    let find = |name: &String| lower[..limit].rfind(name.as_str()).or_else(|| lower.find(name.as_str()));
    Some(sentence_at(text, names.iter().find_map(find)?))
}

/// Returns whether a text writes the day of a time, with or without its year, in digits or in words.
pub(super) fn writes_day(text: &str, told: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    writes_date(text, told) || forms(told).iter().any(|form| has_date(&lower, form))
}

/// Returns whether both times are of one day of the year.
pub(super) fn are_of_one_day(one: &str, other: &str) -> bool {
    let forms = forms(one);
    !forms.is_empty() && forms == self::forms(other)
}

/// Returns the ways in which a text may write the day of a time, in lower case; none of a time that is no day.
fn forms(told: &str) -> Vec<String> {
    let moment = parse(told).moment();
    moment.as_ref().and_then(CalendarDay::of).map(|day| day.written()).unwrap_or_default()
}

/// Returns whether a text writes the date of `told`, with or without the year and the hour.
pub(super) fn writes_date(text: &str, told: &str) -> bool {
    names(told).into_iter().any(|name| has_date(text, name))
}

/// Returns whether a text has a date, and not as a part of another one: 八月十 in 八月十二, `June 1` in `June 12`.
fn has_date(text: &str, date: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let goes_on = |rest: &str| {
        date.ends_with('十') && rest.starts_with(['一', '二', '三', '四', '五', '六', '七', '八', '九'])
            || date.ends_with(is_digit) && rest.starts_with(is_digit)
    };
    let is_begun = |before: &str| {
        date.starts_with(['一', '二']) && before.ends_with('十')
            || date.starts_with(is_digit) && before.ends_with(is_digit)
    };
    text.match_indices(date).any(|(at, _)| !goes_on(&text[at + date.len()..]) && !is_begun(&text[..at]))
}

/// Returns how a text may write the date of a time, the longest first: with and without its year, without the name of the
/// lunar calendar, and without the hour.
fn names(told: &str) -> Vec<&str> {
    let day = told.find('年').map_or(told, |at| &told[at + '年'.len_utf8()..]);
    let mut names: Vec<&str> = Vec::new();
    for words in [told, day, day.strip_prefix(LUNAR_CALENDAR).unwrap_or(day)] {
        let mut rest = words.trim();
        while !rest.is_empty() {
            if is_date(rest) && !names.contains(&rest) {
                names.push(rest);
            }
            rest = rest.rfind(char::is_whitespace).map_or("", |at| rest[..at].trim_end_matches([' ', ',', '，']));
        }
    }
    names
}

fn is_date(words: &str) -> bool {
    let has = |is: fn(&char) -> bool| words.chars().any(|c| is(&c));
    words.contains('月')
        || words.starts_with('第')
        || has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
        // An English day in words ends with the month: `Saturday, the ninth of October`.
        || words.contains(' ') && MONTHS.iter().any(|month| words.ends_with(month))
}

/// Returns the sentence around a byte position, within its paragraph.
fn sentence_at(text: &str, at: usize) -> &str {
    let paragraph = paragraphs_around(text, &(at..at));
    let ends = sentence_ends(text);
    let next = ends.partition_point(|end| *end <= at);
    let start = next.checked_sub(1).map_or(paragraph.start, |before| ends[before].max(paragraph.start));
    let end = ends.get(next).map_or(paragraph.end, |end| (*end).min(paragraph.end));
    text[start..end].trim()
}

#[cfg(test)]
mod tests {
    use super::{are_of_one_day, sentence_of_date, writes_date, writes_day};

    #[test]
    fn the_date_of_an_event_is_found_where_the_text_gives_it() {
        let text = "三月初五，辰时。驿馆还没有开门。\n林深牵马出来。\n三月初九，他到了渡口。船已经走了。";
        let found = |told, quote| sentence_of_date(text, told, told, quote);
        assert_eq!(found("三月初五 辰时", "林深牵马出来。"), Some("三月初五，辰时。"));
        assert_eq!(found("景和十七年三月初九 午时", "船已经走了。"), Some("三月初九，他到了渡口。"));
        assert_eq!(found("三月初九", "三月初九，他到了渡口。"), None, "the words have it themselves");
        assert_eq!(found("三月十二", "船已经走了。"), None);
        assert_eq!(found("夜里", "船已经走了。"), None);
        let text = "It was 12 May, and raining. Ann led the horse out.";
        assert_eq!(
            sentence_of_date(text, "12 May, 1850", "12 May, 1850", "Ann led the horse out."),
            Some("It was 12 May, and raining.")
        );
        assert!(writes_date("四月十九那天夜里，他走了。", "民国十五年农历四月十九那天夜里"));
        assert_eq!(
            sentence_of_date(text, "1850-05-12 10:00", "1850-05-12 10:00", "Ann led the horse out."),
            Some("It was 12 May, and raining."),
            "the same day in other words"
        );
        assert!(writes_date("On Saturday, the ninth of October, they met.", "Saturday, the ninth of October, 1926"));
        assert!(writes_date("八月十，晴。", "景和十七年八月十") && !writes_date("八月十二，晴。", "景和十七年八月十"));
        assert!(are_of_one_day("1926-06-07 19:00", "1926年6月7日") && !are_of_one_day("1926-06-07", "1926-06-08"));
        assert!(!are_of_one_day("夜里", "夜里"), "of any day");
        assert!(writes_date("八月初七一早，晴。", "景和十七年八月初七") && !writes_date("十二月初一。", "二月初一"));
        assert!(
            writes_day("六月七号，晴。", "1926-06-07 19:00") && !writes_day("六月十七号，晴。", "1926-06-07 19:00")
        );
        assert!(!writes_date(
            "On Saturday, the sixteenth of October, they met.",
            "Saturday, the ninth of October, 1926"
        ));
    }
}
