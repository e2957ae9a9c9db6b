//! Notes on the dates of a story for its readers: the weekday, and the number of the day where the story counts its days.

use std::collections::BTreeSet;
use std::ops::Range;

use super::civil::DAY;
use super::moment::{Calendar, Moment};
use super::parse::parse;
use super::spoken::CalendarDay;
use super::story_calendar::StoryCalendar;
use super::weekday::{CHINESE_MARKS, WEEKDAYS, chinese_weekday, weekday_in};
use crate::names::fold;
use crate::numerals::is_digit_or_numeral;
use crate::{Language, Story};

/// The Chinese names of the weekdays, from Monday.
const CHINESE: [&str; 7] = ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"];

/// Adds to the dates of a story what it says of its days elsewhere: the weekday, if its premise, world or outline name right ones
/// and no wrong one, and the number of the day, if the story dates its numbered days.
#[derive(Debug, Clone)]
pub struct DateNotes {
    calendar: StoryCalendar,
    has_weekdays: bool,
    language: Language,
}

impl DateNotes {
    /// Reads how a story names its days.
    pub fn of(story: &Story) -> Self {
        let calendar = StoryCalendar::of(story);
        let has_weekdays = names_weekdays(story, &calendar);
        Self { calendar, has_weekdays, language: story.language }
    }

    /// Returns a time on a day of the common calendar with its notes, `2231-03-14 16:10 (Monday, Day 412)`; other times unchanged.
    pub fn noted(&self, time: &str) -> String {
        let time = time.trim();
        let notes = self.notes(time).unwrap_or_default();
        match (notes.is_empty(), self.language) {
            (true, _) => time.to_owned(),
            (false, Language::Zh) => format!("{time}（{}）", notes.join("，")),
            (false, Language::En) => format!("{time} ({})", notes.join(", ")),
        }
    }

    /// Returns the weekday and the number of the day, as far as the words of the time do not have them; of a numbered day also its
    /// date.
    fn notes(&self, time: &str) -> Option<Vec<String>> {
        let moment = self.calendar.moment(time)?;
        let (midnight, _) = moment.day()?;
        let weekday = moment.weekday()?;
        let folded = fold(time);
        let mut notes = Vec::new();
        if self.has_weekdays && weekday_in(&folded).is_none() {
            notes.push(match self.language {
                Language::Zh => CHINESE[weekday].to_owned(),
                Language::En => WEEKDAYS[weekday].to_owned(),
            });
        }
        let is_numbered = parse(time).moment().is_some_and(|moment| moment.calendar == Calendar::Days);
        if is_numbered {
            notes.extend(CalendarDay::of(&moment).and_then(|day| day.in_numbers()));
        } else if let Some(number) = self.calendar.number_of(midnight.div_euclid(DAY))
            && !folded.contains(&format!("day {number}"))
            && !folded.contains(&format!("第{number}天"))
        {
            notes.push(match self.language {
                Language::Zh => format!("第{number}天"),
                Language::En => format!("Day {number}"),
            });
        }
        Some(notes)
    }
}

/// Returns whether the premise, the world or the beginning of the outline name weekdays beside dates of events, and none that the
/// date does not have: the author of a wrong one means another calendar.
fn names_weekdays(story: &Story, calendar: &StoryCalendar) -> bool {
    const MOST_EVENTS: usize = 60;
    const MOST_NODES: usize = 20;
    let world = story.worldview.iter().flat_map(|world| {
        let rules = world.rules.iter().flat_map(|rule| [rule.statement.as_str(), rule.limit.as_str()]);
        std::iter::once(world.summary.as_str()).chain(rules)
    });
    let outline = story.outline_nodes.iter().take(MOST_NODES).map(|node| node.description.as_str());
    let texts: Vec<&str> = std::iter::once(story.premise.as_str()).chain(world).chain(outline).collect();
    let text = texts.join("\n").to_lowercase();
    if weekday_in(&fold(&text)).is_none() {
        return false;
    }
    let mut seen = BTreeSet::new();
    let days = story.timeline_events.iter().filter_map(|event| calendar.moment(event.timestamp.trim()));
    let is_new = |day: &Moment| {
        let midnight = day.day().map(|(midnight, _)| midnight).filter(|_| day.weekday().is_some());
        midnight.is_some_and(|midnight| seen.insert(midnight))
    };
    let days: Vec<Moment> = days.filter(is_new).take(MOST_EVENTS).collect();
    let mut has_right = false;
    for day in &days {
        let Some(written) = CalendarDay::of(day).map(|day| day.written()) else { continue };
        let (year, _) = day.years();
        for form in &written {
            for (at, _) in text.match_indices(form.as_str()) {
                match weekday_beside(&text, at..at + form.len(), year) {
                    None => {}
                    told if told == day.weekday() => has_right = true,
                    Some(_) => return false,
                }
            }
        }
    }
    has_right
}

/// Returns the weekday right before or behind the day of a year that a text in lower case writes at `range`; `None` if it has none
/// there, or if the day is one of another year.
fn weekday_beside(text: &str, range: Range<usize>, year: i64) -> Option<usize> {
    const MARKS: [char; 8] = [' ', ',', '，', '、', '（', '(', '）', ')'];
    let (before, after) = (&text[..range.start], &text[range.end..]);
    if before.ends_with(is_digit_or_numeral) || after.starts_with(is_digit_or_numeral) {
        return None;
    }
    let behind = after.trim_start_matches([' ', ',']);
    let length = behind.bytes().take_while(u8::is_ascii_digit).count();
    let behind = match behind[..length].parse::<i64>() {
        Ok(told) if length == 4 && told != year => return None,
        Ok(_) if length == 4 => &behind[length..],
        _ => after,
    };
    let (before, behind) = (before.trim_end_matches(MARKS), behind.trim_start_matches(MARKS));
    let named = |word: &str| WEEKDAYS.iter().position(|name| name.eq_ignore_ascii_case(word));
    let last = before.rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let first = behind.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let chinese_before = || {
        let numeral = before.chars().next_back()?;
        let marked = &before[..before.len() - numeral.len_utf8()];
        CHINESE_MARKS.iter().find(|mark| marked.ends_with(**mark))?;
        chinese_weekday(numeral)
    };
    let chinese_behind = || {
        let rest = CHINESE_MARKS.iter().find_map(|mark| behind.strip_prefix(mark))?;
        chinese_weekday(rest.chars().next()?)
    };
    named(last).or_else(|| named(first)).or_else(chinese_behind).or_else(chinese_before)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{DateNotes, parse};
    use crate::Story;

    fn notes(language: &str, rule: &str, outline: &str, times: &[&str]) -> DateNotes {
        let events: Vec<_> = times.iter().map(|time| json!({"title": "A", "timestamp": time})).collect();
        let story: Story = serde_json::from_value(json!({
            "language": language,
            "worldview": {"rules": [{"name": "R", "statement": rule}]},
            "outline_nodes": [{"id": "o-1", "name": "1", "order": 1, "description": outline}],
            "timeline_events": events,
        }))
        .unwrap();
        DateNotes::of(&story)
    }

    #[test]
    fn a_date_has_the_weekday_and_the_number_that_its_story_gives_to_days() {
        let rule = "Day 1 is 27 January 2230, so that Day 412 is Monday 14 March 2231.";
        let both = notes("en", rule, "", &["2231-03-14 16:10"]);
        for (time, expected) in [
            ("2231-03-08 20:15", "2231-03-08 20:15 (Tuesday, Day 406)"),
            ("2231-03-14", "2231-03-14 (Monday, Day 412)"),
            ("Day 412, 16:10", "Day 412, 16:10 (Monday, 2231-03-14)"),
            ("Monday 14 March 2231, Day 412", "Monday 14 March 2231, Day 412"),
            // Before the first day; a month; no time.
            ("2221-02-02 11:00", "2221-02-02 11:00 (Friday)"),
            ("2231-03", "2231-03"),
            ("", ""),
        ] {
            assert_eq!(both.noted(time), expected);
            assert_eq!(parse(&both.noted(time)), parse(time), "{expected}");
        }
        let numbered = notes("en", "Day 412 is 14 March 2231.", "", &["2231-03-14 16:10"]);
        assert_eq!(numbered.noted("2231-03-14 16:10"), "2231-03-14 16:10 (Day 412)");
        let plain = notes("en", "", "On 14 March the ship comes.", &["2231-03-14 16:10"]);
        assert_eq!(plain.noted("2231-03-14 16:10"), "2231-03-14 16:10");
    }

    #[test]
    fn a_weekday_is_noted_if_the_author_names_right_ones() {
        let times = ["民国二十二年三月初九 20:00"];
        let right = notes("zh", "", "三月初九，星期一，船到巴东。", &times);
        assert_eq!(right.noted("民国二十二年三月初九 20:00"), "民国二十二年三月初九 20:00（星期一）");
        assert_eq!(right.noted("民国二十二年三月十一 21:00"), "民国二十二年三月十一 21:00（星期三）");
        assert_eq!(right.noted("万历二十三年三月初五"), "万历二十三年三月初五");
        for outline in [
            "三月初九星期二，船到巴东。",
            "星期二（三月初九），船到巴东。",
            "三月初九，船到巴东。",
            "星期一，船到巴东。",
        ] {
            let silent = notes("zh", "", outline, &times);
            assert_eq!(silent.noted("民国二十二年三月初九 20:00"), "民国二十二年三月初九 20:00", "{outline}");
        }
        let numbered = notes("zh", "第1天是2230年1月27日。", "", &[]);
        assert_eq!(numbered.noted("2231年3月14日 16:10"), "2231年3月14日 16:10（第412天）");
        assert_eq!(parse("2231年3月14日 16:10（第412天）"), parse("2231年3月14日 16:10"));
    }
}
