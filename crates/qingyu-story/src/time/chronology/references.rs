//! Parses relative times and finds their reference events.

use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::{Moment, RelativeTime, StoryCalendar, TimeShift, relative};
use crate::{Mode, TimelineEvent};

/// The times parsed from the words of an event.
#[derive(Debug, Default)]
pub(super) struct EventTimes<'s> {
    /// The date with the original words.
    pub(super) date: Option<(Moment, &'s str)>,
    /// A relative time with the field and the original words, and the reference event if named.
    pub(super) relative: Option<(RelativeTime, &'static str, &'s str, Option<usize>)>,
}

/// Parses the timestamp of `event` and the opening of the description. `calendar` is that of the story.
pub(super) fn told<'s>(event: &'s TimelineEvent, names: &Names, calendar: &StoryCalendar) -> EventTimes<'s> {
    let text = event.timestamp.trim();
    let mut told = one(text, names, calendar);
    if told.date.is_none() && told.relative.is_none() {
        // `三天后（2077-03-08）`: a relative time and a date for the same event.
        for (at, separator) in text.match_indices(['，', ',', '（', '(']) {
            let trim = |part: &'s str| part.trim_matches(['，', ',', '（', '(', '）', ')', ' ']);
            let part = |part: &'s str| one(trim(part), names, calendar);
            let (first, second) = (part(&text[..at]), part(&text[at + separator.len()..]));
            let both = EventTimes { date: first.date.or(second.date), relative: first.relative.or(second.relative) };
            if both.date.is_some() && both.relative.is_some() {
                told = both;
                break;
            }
        }
    }
    if told.relative.is_none() && event.mode == Mode::Narrated {
        told.relative = opening(event);
    }
    told
}

fn one<'s>(text: &'s str, names: &Names, calendar: &StoryCalendar) -> EventTimes<'s> {
    if let Some(moment) = calendar.moment(text) {
        return EventTimes { date: Some((moment, text)), relative: None };
    }
    let told = relative(text).map(|time| (time, None)).or_else(|| named(text, names));
    EventTimes { date: None, relative: told.map(|(time, event)| (time, "timestamp", text, event)) }
}

/// Parses `三天后，…` or `The next morning, …` at the beginning of the description.
fn opening(event: &TimelineEvent) -> Option<(RelativeTime, &'static str, &str, Option<usize>)> {
    const LONGEST: usize = 40;
    let text = event.description.trim_start();
    let end = text.char_indices().take(LONGEST).find(|(_, c)| matches!(c, '，' | ','))?.0;
    let time = relative(&text[..end])?;
    let is_later = match time.shift {
        TimeShift::Days { least, .. } | TimeShift::Between { least, .. } => least >= 0,
        TimeShift::Later => false,
    };
    is_later.then_some((time, "description", &text[..end], None))
}

/// Parses a time relative to a named event: `审讯三天后`, `the day after the Trial`.
fn named(text: &str, names: &Names) -> Option<(RelativeTime, Option<usize>)> {
    const LONGEST: usize = 120;
    if text.len() > LONGEST {
        return None;
    }
    let event = |name: &str| {
        let name = name.trim_matches(['的', ' ', '“', '”', '"', '\'', '「', '」', '《', '》']);
        let bare = name.strip_prefix("the ").unwrap_or(name);
        let named = names.resolve(PieceKind::Event, name).or_else(|| names.resolve(PieceKind::Event, bare))?;
        Some(named.position)
    };
    let before = |(at, _): (usize, char)| Some((relative(&text[at..])?, event(&text[..at])?));
    let after = |(word, way): (&str, &str)| {
        let (head, name) = text.split_once(word)?;
        let time = relative(&format!("{head} {way}")).or_else(|| {
            relative(&format!("the next {}", head.trim().trim_start_matches("the "))).filter(|_| way == "later")
        })?;
        Some((time, event(name)?))
    };
    let found = text.char_indices().skip(1).find_map(before);
    let found = found.or_else(|| [(" after ", "later"), (" before ", "earlier")].into_iter().find_map(after));
    found.map(|(time, event)| (time, Some(event)))
}
