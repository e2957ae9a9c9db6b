//! QY317: a date with a wrong weekday.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::numerals::is_plain_numeral;
use crate::time::{
    CHINESE_MARKS, CalendarDay, Moment, WEEKDAYS, chinese_weekday, dated_before, dated_like, in_calendar_of, lacks_era,
    parse,
};
use crate::{Category, Language, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy317_wrong_weekday.toml");
    Rule::new("QY317", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

/// The Chinese names of the weekdays, from Monday.
const CHINESE: [&str; 7] = ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"];
/// The maximum length of a date beside a weekday, with its hour, in characters.
const NEAR: usize = 56;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    let days = days(material);
    let told: Vec<Vec<DatedWeekday>> = material
        .chapters
        .iter()
        .map(|chapter| {
            let own = node(material, chapter.document.outline_node.as_deref()).and_then(|own| days.get(own));
            dated(&chapter.document.text, own.map_or(&[][..], Vec::as_slice))
        })
        .collect();
    let texts = material.chapters.iter().map(|chapter| chapter.document.text.as_str());
    let last = last_julian_year(material.story.language, texts, told.iter().flatten());
    for (chapter, told) in material.chapters.iter().zip(told) {
        let text = chapter.document.text.as_str();
        let is_wrong = |dated: &DatedWeekday| dated.told != dated.day && !is_right_by_julian(dated, last);
        for DatedWeekday { range, told, day, .. } in told.into_iter().filter(is_wrong) {
            let name = |day: usize| match material.story.language {
                Language::Zh => CHINESE[day],
                Language::En => WEEKDAYS[day],
            };
            let words = text[range.clone()].trim().to_owned();
            drafts.push(
                FindingDraft::about([chapter.handle(), &words])
                    .say("date", words.clone())
                    .say("chapter", chapter.title())
                    .say("day", name(day))
                    .say("told", name(told))
                    .affects(chapter.title())
                    .quote(chapter.anchor(&range), words.clone())
                    .fix_text("correct", chapter.document, &[]),
            );
        }
    }
    drafts
}

/// A date with its weekday.
struct DatedWeekday {
    /// The range of both.
    range: Range<usize>,
    /// The stated weekday, from 0 for Monday.
    told: usize,
    /// The actual weekday of the date.
    day: usize,
    /// The date with its year.
    date: String,
}

/// The day of an event of a chapter.
struct EventDay<'s> {
    /// The time, as written, by the calendar of its story.
    written: Cow<'s, str>,
    time: Moment,
    /// Whether the chapter looks back on it.
    is_remembered: bool,
}

impl EventDay<'_> {
    /// Returns a date, with its weekday, if it is on this day.
    fn dated(&self, date: String) -> Option<(String, usize)> {
        let moment = parse(&date).moment().filter(|moment| day_number(moment) == day_number(&self.time))?;
        Some((date, moment.weekday()?))
    }
}

/// Returns the days of the narrated and the remembered events on the common calendar, by the id of their outline node.
fn days<'s>(material: &RuleMaterial<'s>) -> FxHashMap<&'s str, Vec<EventDay<'s>>> {
    let mut days: FxHashMap<&str, Vec<EventDay<'_>>> = FxHashMap::default();
    let calendar = material.story_calendar();
    for (at, event) in material.story.timeline_events.iter().enumerate() {
        let is_remembered = event.mode == Mode::Flashback;
        if !is_remembered && event.mode != Mode::Narrated {
            continue;
        }
        let time = material.times[at].clone().filter(|moment| moment.weekday().is_some());
        if let Some((node, time)) = node(material, event.outline_node.as_deref()).zip(time) {
            days.entry(node).or_default().push(EventDay {
                written: calendar.mark(&event.timestamp),
                time,
                is_remembered,
            });
        }
    }
    days
}

/// Returns the id of the outline node with this name.
fn node<'s>(material: &RuleMaterial<'s>, name: Option<&str>) -> Option<&'s str> {
    Some(material.outline_node(name?)?.id.as_str())
}

fn dated(text: &str, days: &[EventDay<'_>]) -> Vec<DatedWeekday> {
    let mut found = Vec::new();
    for marker in CHINESE_MARKS {
        for (at, _) in text.match_indices(marker) {
            let Some(numeral) = text[at + marker.len()..].chars().next() else { continue };
            let Some(told) = chinese_weekday(numeral) else { continue };
            let end = at + marker.len() + numeral.len_utf8();
            if let Some((start, date, day)) = date_before(&text[..at], '年', days) {
                found.push(DatedWeekday { range: start..end, told, day, date });
            } else if let Some((until, date, day)) = date_in_parentheses(&text[end..], days) {
                found.push(DatedWeekday { range: at..end + until, told, day, date });
            }
        }
    }
    for (told, name) in WEEKDAYS.iter().enumerate() {
        for (at, _) in text.match_indices(name) {
            let end = at + name.len();
            // Of a date before the weekday, `a Monday` or `(Monday)` says that it is one.
            let before = text[..at].strip_suffix(", a ").or_else(|| text[..at].strip_suffix(" ("));
            if let Some((until, date, day)) = date_after(&text[end..], days) {
                found.push(DatedWeekday { range: at..end + until, told, day, date });
            } else if let Some((start, date, day)) = before.and_then(|before| date_before(before, ' ', days)) {
                found.push(DatedWeekday { range: start..end, told, day, date });
            }
        }
    }
    found
}

/// Returns the last year in which a book may use the Julian calendar: that in which its language changed to the Gregorian
/// one, or 1923, the last one in Europe, if the book names the old style or has more weekdays of it than of the new one.
fn last_julian_year<'d>(
    language: Language,
    mut texts: impl Iterator<Item = &'d str>,
    told: impl Iterator<Item = &'d DatedWeekday> + Clone,
) -> usize {
    const OLD_STYLE: [&str; 6] = ["俄历", "儒略历", "Old Style", "old style", "Julian calendar", "O.S."];
    const LAST: usize = 1923;
    let new_style = told.clone().filter(|dated| dated.told == dated.day).count();
    let old_style = told.filter(|dated| dated.told != dated.day && is_right_by_julian(dated, LAST)).count();
    let is_used = old_style > new_style.max(1)
        || old_style > 0 && texts.any(|text| OLD_STYLE.iter().any(|words| text.contains(words)));
    match language {
        _ if is_used => LAST,
        Language::Zh => 1582,
        Language::En => 1752,
    }
}

/// Returns whether the stated weekday is right by the Julian calendar, for a date up to the year `last`.
fn is_right_by_julian(dated: &DatedWeekday, last: usize) -> bool {
    let numbers = dated.date.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<usize>().ok());
    let Some(year) = numbers.filter(|number| (200..=last).contains(number)).max() else { return false };
    let century = year / 100;
    let apart = century - century / 4 - 2;
    // In January and February of a century the difference is still that of the century before.
    [apart, apart.saturating_sub(1)].iter().any(|apart| (dated.day + apart) % 7 == dated.told)
}

/// Parses a date at the end of the text; returns its start, the date with its year, and its weekday.
fn date_before(text: &str, mark: char, days: &[EventDay<'_>]) -> Option<(usize, String, usize)> {
    let text = text.trim_end_matches([' ', '，', '、', '（', '(', '·']);
    // A date does not begin within another one: `四月初九` in `闰四月初九`, `十八日` in `七月十八日`.
    let is_within = |c: char| matches!(c, '月' | '闰' | '閏') || c.is_ascii_digit() || is_plain_numeral(c);
    let starts: Vec<usize> = text.char_indices().rev().take(NEAR).map(|(at, _)| at).collect();
    let is_start = |at: &usize| match mark {
        '年' => !text[*at..].starts_with(char::is_whitespace) && !text[..*at].ends_with(is_within),
        _ => !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()),
    };
    for at in starts.into_iter().rev().filter(is_start) {
        let found = weekday(&text[at..], mark, days);
        // No later start has the year: that of `光绪十五年六月` has an era.
        if lacks_era(&text[at..]) {
            let is_part = text[..at].ends_with(char::is_alphanumeric);
            return found.filter(|_| !is_part).map(|(date, day)| (at, date, day));
        }
        if let Some((date, day)) = found {
            return Some((at, date, day));
        }
    }
    None
}

/// Parses a date in parentheses after a weekday and, perhaps, an hour: `（3月14日）`, `下午三点（3月14日）`; returns its end, the
/// date with its year, and its weekday.
fn date_in_parentheses(text: &str, days: &[EventDay<'_>]) -> Option<(usize, String, usize)> {
    let near = text.char_indices().nth(NEAR).map_or(text, |(end, _)| &text[..end]);
    let at = near.find(['（', '('])?;
    let is_hour = at == 0 || parse(&format!("2000年1月1日{}", &near[..at])).moment().is_some();
    let date = near[at..].trim_start_matches(['（', '(']);
    let start = near.len() - date.len();
    let end = start + date.find(['）', ')'])?;
    let (date, day) = weekday(near[start..end].trim(), '年', days).filter(|_| is_hour)?;
    Some((end, date, day))
}

/// Parses a date at the beginning of the text; returns its end, the date with its year, and its weekday.
fn date_after(text: &str, days: &[EventDay<'_>]) -> Option<(usize, String, usize)> {
    let rest = text.strip_prefix([',', ' '])?.trim_start();
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let skipped = text.len() - rest.len();
    let ends: Vec<usize> = rest.char_indices().take(NEAR).map(|(at, c)| at + c.len_utf8()).collect();
    let is_end = |end: &usize| !rest[*end..].starts_with(|c: char| c.is_ascii_alphanumeric());
    ends.into_iter().rev().filter(is_end).find_map(|end| {
        let (date, day) = weekday(&rest[..end], ' ', days)?;
        Some((skipped + end, date, day))
    })
}

/// Returns a date with its year, and its weekday. A date without a year has that of an event of the chapter on the same day;
/// one of this month, or of the last, that of a chapter of one day; a year without its era must be near an event.
fn weekday(date: &str, mark: char, days: &[EventDay<'_>]) -> Option<(String, usize)> {
    let date = date.trim();
    let has_year = date.contains(mark) && date.chars().filter(char::is_ascii_digit).count() >= 4
        || date.contains('年') && date.contains('月');
    let narrated = || days.iter().filter(|day| !day.is_remembered);
    if lacks_era(date) {
        return narrated().find_map(|known| {
            let dated = dated_like(&known.written, date);
            let weekday = parse(&dated).moment()?.weekday()?;
            (!lacks_era(&dated)).then_some((dated, weekday))
        });
    }
    if has_year {
        // A date that fits both calendars is read by the calendar of the chapter's events.
        let written = days.first().map_or("", |day| &*day.written);
        let weekday = parse(&in_calendar_of(written, date)).moment()?.weekday()?;
        return Some((date.to_owned(), weekday));
    }
    // `本月十四日` is told from the chapter, if it has one day.
    let first = narrated().next();
    let is_only = |first: &&EventDay<'_>| narrated().all(|known| day_number(&known.time) == day_number(&first.time));
    let own = first.filter(is_only).and_then(|known| CalendarDay::of(&known.time));
    if let Some(dated) = own.and_then(|own| own.resolve_in_month(date)) {
        let weekday = parse(&dated).moment()?.weekday()?;
        return Some((dated, weekday));
    }
    let found = narrated().find_map(|known| known.dated(dated_like(&known.written, date)));
    // The day of a memory must be the last such day before the chapter: the date may be one of another year.
    found.or_else(|| {
        days.iter().filter(|day| day.is_remembered).find_map(|known| {
            let base = first.map_or(&*known.written, |own| &*own.written);
            known.dated(dated_before(base, &dated_like(base, date)))
        })
    })
}

/// Returns the number of the day on which a time begins.
fn day_number(moment: &Moment) -> i64 {
    moment.bounds().0.div_euclid(DAY)
}

const DAY: i64 = 86_400;

#[cfg(test)]
mod tests {
    use super::{Cow, EventDay, Language, dated, is_right_by_julian, last_julian_year, parse};

    /// A text, the times of its events, and the weekdays expected: the one told and that of the date.
    type Case = (&'static str, &'static [&'static str], &'static [(usize, usize)]);

    #[test]
    fn a_weekday_is_beside_its_date_in_many_forms() {
        // 14 March 1978 was a Tuesday.
        let cases: [Case; 30] = [
            ("1978年3月14日，礼拜二晚上，雨停了。", &[], &[(1, 1)]),
            ("1978年3月14日下午三点，周三。", &[], &[(2, 1)]),
            ("周三下午三点（1978年3月14日），雨停了。", &[], &[(2, 1)]),
            ("星期三（3月14日）", &["1978-03-14"], &[(2, 1)]),
            ("本月十四日，星期三，他来了。", &["1978年3月14日"], &[(2, 1)]),
            ("上月十四日，星期二，他来过。", &["1978年3月14日 9:00"], &[(1, 1)]),
            ("周三他去了镇上（1978年3月14日）。", &[], &[]),
            ("本月初三，星期三。", &["景和十七年八月初十"], &[]),
            ("Tuesday at three o'clock on the fourteenth of March, 1978, it rained.", &[], &[(1, 1)]),
            ("It was Wednesday, at three, the fourteenth of March.", &["1978-03-14"], &[(2, 1)]),
            ("Monday, the third of this month, he came.", &["1978-03-14"], &[(0, 4)]),
            ("It was 14 March 1978, a Wednesday.", &[], &[(2, 1)]),
            ("He left on 14 March 1978 (Tuesday).", &[], &[(1, 1)]),
            ("He left on 14 March 1978. Wednesday came.", &[], &[]),
            ("On Monday, last month, he came.", &["1978-03-14"], &[]),
            // 16 June 1926 was a Wednesday.
            ("十五年六月十六号，礼拜三。", &["1926年6月16日 19:00"], &[(2, 2)]),
            ("雨停了。\n十五年六月十六号，礼拜五。", &["民国十五年六月十四日"], &[(4, 2)]),
            ("十五年六月十六号，礼拜五。", &[], &[]),
            ("九年六月十六号，礼拜五。", &["1926年6月16日"], &[]),
            ("光绪十五年六月十六号，礼拜五。", &["1926年6月16日"], &[]),
            ("民国十五年六月十六号，礼拜五。", &[], &[(4, 2)]),
            // The ninth day of the fifth lunar month was 18 June 1926, a Friday.
            ("民国十五年五月初九，礼拜五。", &[], &[(4, 4)]),
            ("民国十五年五月初九，礼拜三。", &[], &[(2, 4)]),
            ("五月初九，礼拜五。", &["1926年6月18日"], &[(4, 4)]),
            ("五月初九，礼拜三。", &["1926-05-09", "1926-06-09"], &[]),
            ("闰四月初九，礼拜三。", &["1926-05-20"], &[]),
            ("民国十五年四月十九，礼拜三。", &[], &[]),
            // The nineteenth day of the fourth lunar month was 30 May 1926, a Sunday.
            ("民国十五年四月十九，礼拜三。", &["民国十五年五月初九"], &[(2, 6)]),
            ("四月十九，礼拜日。", &["民国十五年农历四月十九"], &[(6, 6)]),
            ("七月十八日，礼拜三。", &["1926年6月18日"], &[]),
        ];
        for (text, events, expected) in cases {
            let days: Vec<_> = events.iter().map(|time| day(time, false)).collect();
            let found: Vec<_> = dated(text, &days).into_iter().map(|found| (found.told, found.day)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    fn day(written: &str, is_remembered: bool) -> EventDay<'_> {
        EventDay {
            written: Cow::Borrowed(written),
            time: parse(written).moment().expect("it is a date"),
            is_remembered,
        }
    }

    #[test]
    fn a_day_of_a_memory_is_the_last_such_day_before_the_chapter() {
        // 28 February 1911 was a Tuesday, and 3 December 1910 a Saturday.
        for (text, memory, expected) in [
            ("On Wednesday, the twenty-eighth of February, she was dead.", "1911-02-28", Some((2, 1))),
            ("On Wednesday the twenty-eighth of February she was dead.", "1911-02-28", Some((2, 1))),
            ("On the Tuesday, the twenty-eighth of February, she was dead.", "1911-02-28", Some((1, 1))),
            ("Sunday the third of December.", "1910-12-03", Some((6, 5))),
            ("二月二十八日，星期三，她死了。", "1911-02-28", Some((2, 1))),
            // The text may mean the day of another year.
            ("On Wednesday, the twenty-eighth of February, she was dead.", "1905-02-28", None),
            ("On Wednesday, the first of March, she was dead.", "1911-02-28", None),
        ] {
            let found = dated(text, &[day(memory, true), day("1911-03-11 07:00", false)]);
            let found: Vec<_> = found.into_iter().map(|found| (found.told, found.day)).collect();
            assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{text} {memory}");
        }
    }

    #[test]
    fn a_weekday_of_the_old_style_is_right_in_a_book_that_uses_it() {
        use Language::{En, Zh};
        // 19 October 1911 was a Thursday, and a Wednesday by the Julian calendar; 3 September 1650 was a Tuesday by it.
        for (language, text, wrong) in [
            (
                En,
                "Wednesday the nineteenth of October, 1911, at ten. On Friday the twentieth of October, 1911, it rained.",
                1,
            ),
            (En, "Wednesday the nineteenth of October, 1911.", 1),
            (En, "Wednesday the nineteenth of October, 1911. Thursday the twentieth of October, 1911.", 0),
            (En, "In Petersburg, by the Old Style, it was Wednesday the nineteenth of October, 1911.", 0),
            (En, "On Tuesday the third of September, 1650, it rained.", 0),
            (Zh, "1911年10月19日，星期三。", 1),
            (Zh, "俄历1911年10月19日，星期三。", 0),
            (Zh, "1465年9月29日星期天，雨停了。", 0),
            (Zh, "1650年9月3日，星期二。", 1),
        ] {
            let told = dated(text, &[]);
            let last = last_julian_year(language, [text].into_iter(), told.iter());
            let found = told.iter().filter(|dated| dated.told != dated.day && !is_right_by_julian(dated, last));
            assert_eq!(found.count(), wrong, "{text}");
        }
    }
}
