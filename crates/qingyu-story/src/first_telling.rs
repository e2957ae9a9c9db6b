//! Where each piece of a story is first told, by the settlement records of its documents.

use std::collections::{BTreeMap, BTreeSet};

use crate::{PieceKind, Story, TimelineEvent};

/// The first place of each piece by the settlement records: of the documents that it was made from and, for an event, of the
/// documents that tell it too.
#[derive(Debug)]
pub struct FirstTellings<'s, P> {
    places: BTreeMap<(PieceKind, &'s str), P>,
    /// The places of the documents whose settlement says which events they tell.
    settled: BTreeSet<P>,
}

impl<'s, P: Copy + Ord> FirstTellings<'s, P> {
    /// Indexes the settlement records of `story`. `place` returns the place of the document at a position in reading order,
    /// `None` for a text outside of the book.
    pub fn of(story: &'s Story, place: impl Fn(usize) -> Option<P>) -> Self {
        let (mut places, mut settled) = (BTreeMap::<(PieceKind, &str), P>::new(), BTreeSet::new());
        for (position, document) in story.documents.iter().enumerate() {
            let Some(record) = &document.settled else { continue };
            let Some(place) = place(position) else { continue };
            let made = record.made.iter().map(|made| (made.kind, made.id.as_str()));
            let told = document.told_events().map(|event| (PieceKind::Event, event));
            for piece in made.chain(told) {
                places.entry(piece).and_modify(|first| *first = place.min(*first)).or_insert(place);
            }
            if record.events.is_some() {
                settled.insert(place);
            }
        }
        Self { places, settled }
    }

    /// Returns the first place at which a document tells the piece; `None` if no record says so.
    pub fn piece(&self, kind: PieceKind, id: &str) -> Option<P> {
        self.places.get(&(kind, id)).copied()
    }

    /// Returns the first place at which a document tells the event, or at which it is planned; `planned` is the place of its
    /// outline node.
    ///
    /// The plan does not count if the documents at its place do not tell the event, but a later one does.
    pub fn event(&self, event: &TimelineEvent, planned: Option<P>) -> Option<P> {
        let Some(told) = self.piece(PieceKind::Event, &event.id) else { return planned };
        match planned {
            Some(planned) if planned < told && !self.settled.contains(&planned) => Some(planned),
            _ => Some(told),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_is_told_first_where_a_text_tells_it() {
        let told = |events: &[&str]| -> serde_json::Value {
            events.iter().map(|event| json!({"event": event, "quote": "雨停了。"})).collect()
        };
        let story: Story = serde_json::from_value(json!({
            "timeline_events": [{"id": "e-1"}, {"id": "e-2"}, {"id": "e-3"}, {"id": "e-4"}, {"id": "e-5"}],
            "documents": [
                {"id": "d-2", "text": "雨停了。", "settled": {"events": told(&["e-2", "e-4"]),
                    "made": [{"kind": "character", "id": "c-1", "digest": ""}]}},
                {"id": "d-1", "text": "雨停了。", "settled": {"events": told(&["e-1"])}},
                {"id": "d-3", "text": "雪停了。", "settled": {"events": told(&["e-3"])}}
            ]
        }))
        .unwrap();
        let first = FirstTellings::of(&story, |document| [Some(2), Some(1), Some(3)][document]);
        let event = |at: usize, planned: Option<u32>| first.event(&story.timeline_events[at], planned);
        assert_eq!(event(0, Some(3)), Some(1), "told before it was planned");
        assert_eq!(event(1, Some(1)), Some(2), "the text of its chapter leaves it to the next");
        assert_eq!(event(3, Some(0)), Some(0), "the chapter of the plan has no record");
        assert_eq!(event(2, Some(3)), Some(3), "the quoted words are gone");
        assert_eq!((event(4, None), event(0, None)), (None, Some(1)));
        assert_eq!(first.piece(PieceKind::Character, "c-1"), Some(2));
        assert_eq!(first.piece(PieceKind::Character, "c-2"), None);
    }
}
