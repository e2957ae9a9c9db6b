//! Arranges the events of a story on lines for drawing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::chronology::{Chronology, SecondsRange};
use super::moment::Calendar;
use super::network::Limit;
use super::story_calendar::StoryCalendar;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::{Mode, Story, TimelineEvent};

/// The events of one calendar, in an order consistent with all certain relations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CalendarLine {
    /// The calendar; `None` for events without a date.
    pub calendar: Option<Calendar>,
    /// The events, earliest first.
    pub events: Vec<PlacedEvent>,
}

/// An event on a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlacedEvent {
    /// The event's position in the story's list.
    pub event: usize,
    /// The name of the event's act or other top outline node, if known.
    pub storyline: Option<String>,
    /// The range of the beginning, in seconds of the calendar.
    pub start: SecondsRange,
    /// The range of the end, in seconds of the calendar.
    pub end: SecondsRange,
    /// Whether the event certainly follows the previous event on the line.
    pub follows: bool,
}

/// Returns a line for each calendar with the events in story time, then a line for events without a date.
pub fn lines(story: &Story) -> Vec<CalendarLine> {
    type Key = (Option<Limit>, Limit, Limit);
    type Laid<'c> = BTreeMap<(bool, Option<&'c Calendar>), Vec<(Key, PlacedEvent)>>;
    let names = Names::of(story);
    let chronology = Chronology::of(story, &names, &StoryCalendar::of(story));
    let mut lines: Laid<'_> = BTreeMap::new();
    for (event, told) in story.timeline_events.iter().enumerate() {
        let Some(points) = chronology.event(event) else { continue };
        let possible = chronology.possible(points.start);
        let storyline = storyline(story, &names, told);
        let dated = chronology.limits(points.start).zip(chronology.limits(points.end));
        let dated = dated.filter(|((_, (least, most)), _)| least.is_some() || most.is_some());
        let mut is_dated = false;
        for ((calendar, (least, most)), (_, end)) in dated {
            is_dated = true;
            let seconds =
                |(least, most): (Option<Limit>, Option<Limit>)| (least.map(Limit::seconds), most.map(Limit::seconds));
            let (start, end, storyline) = (seconds((least, most)), seconds(end), storyline.clone());
            let placed = PlacedEvent { event, storyline, start, end, follows: false };
            let key = (least, most.unwrap_or(Limit::FAR), possible);
            lines.entry((false, Some(calendar))).or_default().push((key, placed));
        }
        if !is_dated {
            let placed = PlacedEvent { event, storyline, start: (None, None), end: (None, None), follows: false };
            lines.entry((true, None)).or_default().push(((None, possible, possible), placed));
        }
    }
    let laid = lines.into_iter().map(|((_, calendar), mut events)| {
        events.sort_by_key(|(key, placed)| (*key, placed.event));
        let mut events: Vec<PlacedEvent> = events.into_iter().map(|(_, placed)| placed).collect();
        for index in 1..events.len() {
            events[index].follows = chronology.is_over_before(events[index - 1].event, events[index].event);
        }
        CalendarLine { calendar: calendar.cloned(), events }
    });
    laid.collect()
}

/// Returns the positions of all events of a story in the order of their times: no event before one that certainly precedes it,
/// and those of one day by the usual hours of its parts. An event without a time follows the one that is listed before it, and
/// calendars follow each other in the order of the list.
pub fn in_order(story: &Story) -> Vec<usize> {
    let begun = beginnings(story);
    let mut calendars: Vec<&Calendar> = Vec::new();
    let mut last: Option<(usize, Limit)> = None;
    let mut order: Vec<(Option<(usize, Limit)>, usize)> = Vec::with_capacity(begun.len());
    for (position, begun) in begun.iter().enumerate() {
        if let Some(EventStart { calendar, usual, .. }) = begun {
            let known = calendars.iter().position(|known| *known == calendar);
            let line = known.unwrap_or(calendars.len());
            if known.is_none() {
                calendars.push(calendar);
            }
            last = Some((line, *usual));
        }
        order.push((last, position));
    }
    order.sort();
    order.into_iter().map(|(_, position)| position).collect()
}

/// The beginning of an event.
struct EventStart {
    calendar: Calendar,
    least: Limit,
    /// The usual hour of a part of the day, if it is possible; the least limit of other times.
    usual: Limit,
}

/// Returns the beginning of each event, if known. An event outside story time has the one that it states.
fn beginnings(story: &Story) -> Vec<Option<EventStart>> {
    let names = Names::of(story);
    let story_calendar = StoryCalendar::of(story);
    let chronology = Chronology::of(story, &names, &story_calendar);
    let beginning = |(position, event): (usize, &TimelineEvent)| {
        let stated = story_calendar.moment(event.timestamp.trim());
        let Some(points) = chronology.event(position) else {
            let stated = stated?;
            let (least, usual) = (Limit::exactly(stated.bounds().0), Limit::exactly(stated.usual_start()));
            return Some(EventStart { calendar: stated.calendar, least, usual });
        };
        let known = |(calendar, (least, most)): (&Calendar, (Option<Limit>, Option<Limit>))| {
            least.map(|least| (calendar.clone(), least, most.unwrap_or(Limit::FAR)))
        };
        let (calendar, least, most) = chronology.limits(points.start).find_map(known)?;
        let usual = stated.filter(|stated| stated.calendar == calendar).map(|stated| stated.usual_start());
        let usual = usual.map(Limit::exactly).filter(|usual| (least..most).contains(usual)).unwrap_or(least);
        Some(EventStart { calendar, least, usual })
    };
    let mut begun: Vec<Option<EventStart>> = story.timeline_events.iter().enumerate().map(beginning).collect();
    keep_order(story, &names, &mut begun);
    begun
}

/// Moves events after the usual hours of those after which they come.
fn keep_order(story: &Story, names: &Names, begun: &mut [Option<EventStart>]) {
    let is_narrated = |position: &usize| story.timeline_events[*position].mode == Mode::Narrated;
    let resolve = |name: &String| names.resolve(PieceKind::Event, name).map(|named| named.position);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for position in (0..begun.len()).filter(is_narrated) {
        let before = story.timeline_events[position].after.iter().filter_map(resolve).filter(is_narrated);
        pairs.extend(before.map(|before| (before, position)));
    }
    // A chain moves one event at a time, and a circle ends with the number of events.
    for _ in 0..begun.len() {
        let mut is_settled = true;
        for (before, position) in &pairs {
            let (Some(early), Some(late)) = (&begun[*before], &begun[*position]) else { continue };
            // An event that is dated before the other stays there.
            let is_dated_so = early.calendar == late.calendar && early.least <= late.least;
            let usual = early.usual + Limit::above(0);
            if is_dated_so && usual > late.usual {
                if let Some(late) = &mut begun[*position] {
                    late.usual = usual;
                }
                is_settled = false;
            }
        }
        if is_settled {
            break;
        }
    }
}

/// Returns the name of the top outline node above the event's node.
fn storyline(story: &Story, names: &Names, event: &TimelineEvent) -> Option<String> {
    let find = |name: &str| names.resolve(PieceKind::OutlineNode, name).map(|named| named.position);
    let mut node = event.outline_node.as_deref().and_then(find)?;
    let mut seen = BTreeSet::from([node]);
    while let Some(parent) =
        story.outline_nodes[node].parent.as_deref().and_then(find).filter(|next| seen.insert(*next))
    {
        node = parent;
    }
    Some(story.outline_nodes[node].name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Calendar, in_order, lines};
    use crate::Story;

    #[test]
    fn events_are_laid_in_certain_order_on_the_lines_of_their_calendars() {
        let story: Story = serde_json::from_value(json!({
            "outline_nodes": [{ "id": "o-1", "name": "第一幕" }, { "id": "o-2", "name": "第一章", "parent": "o-1" }],
            "timeline_events": [
                { "title": "C", "timestamp": "第5天" },
                { "title": "B", "after": ["A"] },
                { "title": "A", "timestamp": "第3天", "outline_node": "第一章" },
                { "title": "D", "timestamp": "2077" },
                { "title": "Y", "after": ["X"] },
                { "title": "X" },
                { "title": "梦", "timestamp": "第4天", "mode": "dreamt" },
            ],
        }))
        .unwrap();
        let found = lines(&story);
        type Shown<'a> = (Option<&'a Calendar>, Vec<(&'a str, bool)>);
        let shown: Vec<Shown<'_>> = found
            .iter()
            .map(|line| {
                let event =
                    |placed: &super::PlacedEvent| (story.timeline_events[placed.event].title.as_str(), placed.follows);
                (line.calendar.as_ref(), line.events.iter().map(event).collect())
            })
            .collect();
        let expected = [
            (Some(&Calendar::Era(String::new())), vec![("D", false)]),
            (Some(&Calendar::Days), vec![("A", false), ("B", true), ("C", false)]),
            (None, vec![("X", false), ("Y", true)]),
        ];
        assert_eq!(shown, expected);
        assert_eq!(found[1].events[0].storyline.as_deref(), Some("第一幕"));
        assert_eq!(found[1].events[0].start, (Some(3 * 86_400), Some(4 * 86_400)));
    }

    #[test]
    fn events_are_in_the_order_of_their_times() {
        let order = |times: &[(&str, &str)]| -> String {
            let event = |(title, time): &(&str, &str)| json!({"title": title, "timestamp": time});
            let events: Vec<_> = times.iter().map(event).collect();
            let story: Story = serde_json::from_value(json!({ "timeline_events": events })).unwrap();
            in_order(&story).into_iter().map(|at| story.timeline_events[at].title.clone()).collect()
        };
        let cases: [(&[(&str, &str)], &str); 8] = [
            (
                &[
                    ("A", "1988年10月28日"),
                    ("B", "1988年10月27日夜里"),
                    ("C", "1988年10月30日 08:00"),
                    ("D", "1978年10月6日"),
                ],
                "DBAC",
            ),
            (&[("A", "1988年10月28日"), ("B", "前些日子"), ("C", "1983年5月9日 14:00")], "CAB"),
            (&[("A", "从前"), ("B", "1988年10月28日"), ("C", "1983年5月9日 14:00")], "ACB"),
            (&[("A", "第3天"), ("B", "1988年10月28日"), ("C", "第1天"), ("D", "1983")], "CADB"),
            (
                &[
                    ("A", "民国十五年五月初九"),
                    ("B", "民国十五年四月十九"),
                    ("C", "1926年6月1日"),
                    ("D", "民国十五年四月初二"),
                ],
                "DBCA",
            ),
            (
                &[
                    ("A", "民国十五年五月初三 21:00"),
                    ("B", "民国十五年五月初三 23:00"),
                    ("C", "民国十五年五月初三傍晚"),
                    ("D", "民国十五年五月初三夜里"),
                    ("E", "民国十五年五月初三清晨"),
                    ("F", "民国十五年五月初三酉时三刻"),
                ],
                "EFCADB",
            ),
            (
                &[
                    ("A", "1926-06-12 21:00"),
                    ("B", "1926-06-12 23:00"),
                    ("C", "the night of June 12, 1926"),
                    ("D", "June 12, 1926, in the evening"),
                    ("E", "1926-06-12 at dawn"),
                ],
                "EDACB",
            ),
            (&[], ""),
        ];
        for (times, expected) in cases {
            assert_eq!(order(times), expected);
        }
    }

    #[test]
    fn an_event_stays_after_those_after_which_it_comes() {
        let story: Story = serde_json::from_value(json!({
            "timeline_events": [
                { "title": "A", "after": ["B"] },
                { "title": "B", "timestamp": "两小时后", "after": ["C"] },
                { "title": "C", "timestamp": "第3天夜里" },
                { "title": "D", "timestamp": "第3天 13:00" },
                { "title": "E", "timestamp": "第3天 14:00", "mode": "said" },
            ],
        }))
        .unwrap();
        let order: String = in_order(&story).into_iter().map(|at| story.timeline_events[at].title.clone()).collect();
        assert_eq!(order, "DECBA");
    }
}
