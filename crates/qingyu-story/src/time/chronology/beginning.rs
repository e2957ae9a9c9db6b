//! The beginning of the book.

use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::{Moment, parse};
use crate::{Mode, Story};

/// The time at which a book begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BookBeginning {
    /// The range of the time.
    pub(crate) moment: Moment,
    /// The position of the earliest event within the range; `None` if only the era of the world is known.
    pub(crate) event: Option<usize>,
}

/// Returns the time of the world's era, if it can be read.
pub(crate) fn era_of(story: &Story) -> Option<Moment> {
    parse(&story.worldview.as_ref()?.era).moment()
}

/// Returns the beginning of the book: the hull of the world's era and the first narrated events, since either may be
/// meant.
///
/// The first events are those of the first chapter with a time, and the earliest event of all chapters: a book may open with
/// a later scene. An event of no chapter is before the book, unless no event has a chapter. `time` returns the time of the
/// event at a position; it and `era` must be on the same calendar, otherwise the calendar of the era decides.
pub(crate) fn beginning(
    story: &Story,
    names: &Names,
    era: Option<Moment>,
    time: impl Fn(usize) -> Option<Moment>,
) -> Option<BookBeginning> {
    let first = first_events(story, names, time);
    match (era, first) {
        (Some(era), Some(first)) => {
            let moment = era.hull(&first.moment);
            let event = first.event.filter(|_| moment.is_some());
            Some(BookBeginning { moment: moment.unwrap_or(era), event })
        }
        (Some(moment), None) => Some(BookBeginning { moment, event: None }),
        (None, first) => first,
    }
}

fn first_events(story: &Story, names: &Names, time: impl Fn(usize) -> Option<Moment>) -> Option<BookBeginning> {
    let narrated = || story.timeline_events.iter().enumerate().filter(|(_, event)| event.mode == Mode::Narrated);
    let is_planned = narrated().any(|(_, event)| event.has_chapter());
    let of_book = narrated().filter(|(_, event)| !is_planned || event.has_chapter());
    let known: Vec<(usize, Moment)> = of_book.filter_map(|(position, _)| Some((position, time(position)?))).collect();
    let (event, earliest) = known.iter().min_by_key(|(position, moment)| {
        // The order of the list does not matter.
        let event = &story.timeline_events[*position];
        (moment.bounds(), event.id.trim(), event.title.trim(), *position)
    })?;
    let order = |(position, moment): &(usize, Moment)| {
        let node = story.timeline_events[*position].outline_node.as_deref()?;
        let node = names.resolve(PieceKind::OutlineNode, node)?;
        let order = Some(story.outline_nodes[node.position].order).filter(|order| *order > 0)?;
        Some((order, moment.clone()))
    };
    let told: Vec<(u32, Moment)> = known.iter().filter_map(order).collect();
    let first = told.iter().map(|(order, _)| *order).min();
    let of_first = told.iter().filter(|(order, _)| Some(*order) == first);
    let moment = of_first.fold(earliest.clone(), |range, (_, moment)| range.hull(moment).unwrap_or(range));
    Some(BookBeginning { moment, event: Some(*event) })
}

#[cfg(test)]
mod tests {
    use super::beginning;
    use crate::names::Names;
    use crate::{Mode, OutlineNode, Story, TimelineEvent, time};

    /// The time, the chapter or 0, and the mode of an event.
    type EventRow = (&'static str, u32, Mode);
    /// The years, and the position of the event.
    type Found = (&'static str, Option<usize>);

    /// Returns the beginning of a book with these events (time, chapter or 0, mode), in words of a range.
    fn range(era: &str, events: &[EventRow]) -> Option<(String, Option<usize>)> {
        let node = |order: u32| OutlineNode { id: format!("o-{order}"), order, ..OutlineNode::default() };
        let event = |(timestamp, chapter, mode): &EventRow| TimelineEvent {
            timestamp: (*timestamp).into(),
            outline_node: (*chapter > 0).then(|| format!("o-{chapter}")),
            mode: *mode,
            ..TimelineEvent::default()
        };
        let story = Story {
            outline_nodes: (1..=3).map(node).collect(),
            timeline_events: events.iter().map(event).collect(),
            ..Story::default()
        };
        let of = |position: usize| time::parse(&story.timeline_events[position].timestamp).moment();
        let found = beginning(&story, &Names::of(&story), time::parse(era).moment(), of)?;
        let (first, last) = found.moment.years();
        Some((format!("{first}-{last}"), found.event))
    }

    #[test]
    fn a_book_begins_with_its_first_chapter() {
        use Mode::{Flashback, Narrated, Said};
        let cases: [(&str, &[EventRow], Option<Found>); 8] = [
            ("", &[], None),
            ("1926", &[], Some(("1926-1926", None))),
            // Before the book, told in memory, told by somebody.
            (
                "",
                &[
                    ("1890", 0, Narrated),
                    ("1912", 1, Flashback),
                    ("1913", 1, Said),
                    ("1926-10-04", 1, Narrated),
                    ("1926-10-09", 2, Narrated),
                ],
                Some(("1926-1926", Some(3))),
            ),
            ("", &[("1890年", 0, Narrated), ("1926年10月4日", 2, Narrated)], Some(("1926-1926", Some(1)))),
            // Where no event has a chapter, all are of the book.
            ("", &[("1890", 0, Narrated), ("1926", 0, Narrated)], Some(("1890-1890", Some(0)))),
            // A book that opens with a later scene, and one whose first chapter goes back.
            ("", &[("1926", 1, Narrated), ("1920", 2, Narrated)], Some(("1920-1926", Some(1)))),
            ("", &[("1890", 1, Narrated), ("1926", 1, Narrated), ("1930", 2, Narrated)], Some(("1890-1926", Some(0)))),
            ("1925", &[("1890", 0, Narrated), ("1926", 1, Narrated)], Some(("1925-1926", Some(1)))),
        ];
        for (era, events, expected) in cases {
            let expected = expected.map(|(years, event)| (years.to_owned(), event));
            assert_eq!(range(era, events), expected, "{era} {events:?}");
        }
    }
}
