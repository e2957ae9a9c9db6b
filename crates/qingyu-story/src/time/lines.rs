//! Arranges the events of a story on lines for drawing.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::chronology::{Chronology, SecondsRange};
use super::moment::Calendar;
use super::network::Limit;
use super::parse::parse;
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
    let chronology = Chronology::of(story, &names);
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

/// Returns the positions of all events of a story in the order in which they certainly begin. An event that only somebody tells
/// of is at the time that it is said to have. An event that a text tells as happening, at no time or within a longer one,
/// follows the event told before it; another event without a time follows the one that is listed before it. Calendars follow
/// each other in the order of the list.
pub fn in_order(story: &Story) -> Vec<usize> {
    let names = Names::of(story);
    let chronology = Chronology::of(story, &names);
    let mut calendars: Vec<Calendar> = Vec::new();
    let mut begun: Vec<Option<EventStart>> = Vec::with_capacity(story.timeline_events.len());
    for (position, event) in story.timeline_events.iter().enumerate() {
        let certain = chronology.event(position).and_then(|points| {
            chronology.limits(points.start).find_map(|(calendar, (least, most))| Some((calendar.clone(), least?, most)))
        });
        let said = || {
            let said = Some(&event.timestamp).filter(|_| chronology.event(position).is_none())?;
            let moment = parse(said).moment()?;
            Some((moment.calendar, Limit::exactly(moment.start), Some(Limit::below(moment.end))))
        };
        let found = certain.or_else(said);
        begun.push(found.map(|(calendar, least, most)| {
            let line = calendars.iter().position(|known| *known == calendar).unwrap_or_else(|| {
                calendars.push(calendar);
                calendars.len() - 1
            });
            EventStart { line, least, most }
        }));
    }
    let followed = followed(story, &begun);
    let mut last: Option<(usize, Limit, usize)> = None;
    let mut order: Vec<(Option<(usize, Limit, usize)>, usize)> = Vec::with_capacity(begun.len());
    for (position, (begun, followed)) in begun.into_iter().zip(followed).enumerate() {
        last = followed.or_else(|| begun.map(|begun| (begun.line, begun.least, 0))).or(last);
        order.push((last, position));
    }
    order.sort();
    order.into_iter().map(|(_, position)| position).collect()
}

/// The beginning of an event.
#[derive(Debug, Clone, Copy)]
struct EventStart {
    /// The number of the calendar.
    line: usize,
    least: Limit,
    most: Option<Limit>,
}

/// Returns for each event that follows the one told before it in its text the calendar and the beginning of that event, and
/// its own place in the text, counted from 1.
fn followed(story: &Story, begun: &[Option<EventStart>]) -> Vec<Option<(usize, Limit, usize)>> {
    let mut followed = vec![None; begun.len()];
    for document in &story.documents {
        let Some(settled) = &document.settled else { continue };
        let made = settled.made.iter().filter(|made| made.kind == PieceKind::Event);
        let made = made.map(|made| (made.id.as_str(), made.quote.as_str()));
        let told = settled.events.iter().flatten().map(|told| (told.event.as_str(), told.quote.as_str()));
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (id, quote) in made.chain(told) {
            let event = story.timeline_events.iter().position(|event| event.id == id && event.mode == Mode::Narrated);
            let place = document.text.find(quote).filter(|_| !quote.is_empty());
            places.extend(place.zip(event));
        }
        places.sort_unstable();
        let mut reached: Option<(usize, Limit)> = None;
        for (place, event) in places {
            let follows = |start: &EventStart, (line, least): (usize, Limit)| {
                start.line == line && start.least < least && start.most.is_none_or(|most| least < most)
            };
            match (begun[event], reached) {
                (Some(start), Some(before)) if follows(&start, before) => {
                    followed[event] = Some((before.0, before.1, place + 1));
                }
                (None, Some(before)) => followed[event] = Some((before.0, before.1, place + 1)),
                (Some(start), _) => reached = Some((start.line, start.least)),
                (None, None) => {}
            }
        }
    }
    followed
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
        let cases: [(&[(&str, &str)], &str); 6] = [
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
            (&[], ""),
        ];
        for (times, expected) in cases {
            assert_eq!(order(times), expected);
        }
    }

    #[test]
    fn an_event_without_an_hour_follows_the_one_told_before_it() {
        let story: Story = serde_json::from_value(json!({
            "timeline_events": [
                {"id": "e-1", "title": "Empty", "timestamp": "1911-03-11 07:00"},
                {"id": "e-2", "title": "Questions", "timestamp": "1911-03-11 07:30"},
                {"id": "e-3", "title": "Next", "timestamp": "1911-03-13 14:00"},
                {"id": "e-4", "title": "Scrubs", "timestamp": "Saturday the eleventh of March, 1911"},
                {"id": "e-5", "title": "Bed", "timestamp": "1911-03-10 nine at night", "mode": "said"},
                {"id": "e-6", "title": "Watch"},
                {"id": "e-7", "title": "Tea"},
            ],
            "documents": [{"id": "d-1", "title": "One", "order": 1,
                "text": "It was empty. She scrubbed. She asked. He was in bed. She gave it. She poured.",
                "settled": {
                    "made": [
                        {"kind": "event", "id": "e-7", "digest": "", "quote": "She poured."},
                        {"kind": "event", "id": "e-4", "digest": "", "quote": "She scrubbed."},
                        {"kind": "event", "id": "e-5", "digest": "", "quote": "He was in bed."},
                        {"kind": "event", "id": "e-6", "digest": "", "quote": "She gave it."},
                    ],
                    "events": [
                        {"event": "e-1", "quote": "It was empty."},
                        {"event": "e-2", "quote": "She asked."},
                    ],
                }}],
        }))
        .unwrap();
        let titles: Vec<&str> =
            in_order(&story).into_iter().map(|at| story.timeline_events[at].title.as_str()).collect();
        assert_eq!(titles, ["Bed", "Empty", "Scrubs", "Questions", "Watch", "Tea", "Next"]);
    }
}
