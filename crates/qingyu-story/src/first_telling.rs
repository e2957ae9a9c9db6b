//! Where each piece of a story is first told, by the settlement records of its documents.

use std::collections::{BTreeMap, BTreeSet};

use crate::{PieceKind, Story, TimelineEvent};

/// The documents that tell each piece by their settlement records: the documents that it was made from
/// and, for an event, the documents that tell it too.
///
/// Documents are positions in the story. The caller orders them: `place` returns the place of a document in reading order,
/// `None` for a text outside of the book.
#[derive(Debug)]
pub struct FirstTellings<'s> {
    documents: BTreeMap<(PieceKind, &'s str), Vec<usize>>,
    /// The documents whose settlement says which events they tell.
    settled: BTreeSet<usize>,
}

impl<'s> FirstTellings<'s> {
    /// Indexes the settlement records of `story`.
    pub fn of(story: &'s Story) -> Self {
        let (mut documents, mut settled) = (BTreeMap::<_, Vec<usize>>::new(), BTreeSet::new());
        for (position, document) in story.documents.iter().enumerate() {
            let Some(record) = &document.settled else { continue };
            for made in &record.made {
                documents.entry((made.kind, made.id.as_str())).or_default().push(position);
            }
            let told = record.events.iter().flatten();
            for here in told.filter(|here| document.text.contains(here.quote.trim())) {
                documents.entry((PieceKind::Event, here.event.as_str())).or_default().push(position);
            }
            if record.events.is_some() {
                settled.insert(position);
            }
        }
        Self { documents, settled }
    }

    /// Returns the first place at which a document tells the piece; `None` if no record says so.
    pub fn piece<P: Ord>(&self, kind: PieceKind, id: &str, place: impl Fn(usize) -> Option<P>) -> Option<P> {
        self.documents.get(&(kind, id))?.iter().filter_map(|document| place(*document)).min()
    }

    /// Returns the first place at which a document tells the event, or at which it is planned; `planned` is the place of its
    /// outline node.
    ///
    /// The plan does not count if the documents at its place do not tell the event, but a later one does.
    pub fn event<P: Ord>(
        &self,
        event: &TimelineEvent,
        planned: Option<P>,
        place: impl Fn(usize) -> Option<P>,
    ) -> Option<P> {
        let Some(told) = self.piece(PieceKind::Event, &event.id, &place) else { return planned };
        let is_settled = |planned: &P| self.settled.iter().any(|document| place(*document).as_ref() == Some(planned));
        match planned {
            Some(planned) if planned < told && !is_settled(&planned) => Some(planned),
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
        let first = FirstTellings::of(&story);
        let place = |document: usize| [Some(2), Some(1), Some(3)][document];
        let event = |at: usize, planned: Option<u32>| first.event(&story.timeline_events[at], planned, place);
        assert_eq!(event(0, Some(3)), Some(1), "told before it was planned");
        assert_eq!(event(1, Some(1)), Some(2), "the text of its chapter leaves it to the next");
        assert_eq!(event(3, Some(0)), Some(0), "the chapter of the plan has no record");
        assert_eq!(event(2, Some(3)), Some(3), "the quoted words are gone");
        assert_eq!((event(4, None), event(0, None)), (None, Some(1)));
        assert_eq!(first.piece(PieceKind::Character, "c-1", place), Some(2));
        assert_eq!(first.piece(PieceKind::Character, "c-2", place), None);
    }
}
