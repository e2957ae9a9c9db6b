//! Pieces that an edit made outdated without changing them: their time is gone from the text, their sentence has other words, or
//! they have a count that the edit changed.

use std::collections::BTreeSet;

use super::apply::{quote_read, stored};
use super::changed_counts::changed_counts;
use super::changed_sentence::piece_left;
use super::date_words::writes_date;
use super::likely_words::{StatementWords, with_likely_words, with_words_alike};
use super::named_cards::NamedCards;
use super::quotes::Quotable;
use super::record::{Made, Settled, ToldHere};
use super::remaining::words_left;
use super::work::places;
use crate::piece::{Piece, PieceKind};
use crate::{Document, Story};

/// Returns the facts and events of a document whose date stood in words that an edit took out: `before` is the document
/// before the edit, `story` the story after it. Their own sentences may stand, so that they keep the old time until the text
/// is read again. Also returns the pieces whose sentence now has other words, which probably tell the same but were never read,
/// and the cards and events with a count that the edit changed.
pub fn outdated(story: &Story, before: &Document) -> Vec<Piece> {
    let after = story.documents.iter().find(|document| document.id == before.id);
    let Some((after, record)) = after.and_then(|after| Some((after, after.settled.as_ref()?))) else {
        return Vec::new();
    };
    let is_gone =
        |time: &str| !time.trim().is_empty() && writes_date(&before.text, time) && !writes_date(&after.text, time);
    let made = record.made.iter().map(|made| (made.kind, made.id.as_str()));
    let dated = record.added.iter().filter(|added| added.field == "timestamp");
    let own: BTreeSet<(PieceKind, &str)> =
        made.chain(dated.map(|added| (added.kind, added.id.as_str()))).filter(|(_, id)| !id.is_empty()).collect();
    let facts = story.facts.iter().filter(|fact| own.contains(&(PieceKind::Fact, fact.id.as_str())));
    let facts = facts.filter(|fact| is_gone(&fact.from) || is_gone(&fact.until));
    let events = story.timeline_events.iter().filter(|event| own.contains(&(PieceKind::Event, event.id.as_str())));
    let events = events.filter(|event| is_gone(&event.timestamp));
    let mut waiting: Vec<Piece> = facts.cloned().map(Piece::Fact).chain(events.cloned().map(Piece::Event)).collect();
    let (old, new) = (Quotable::of(&before.text), Quotable::of(&after.text));
    let unread = unread(story, record, before, (&old, &new)).into_iter();
    let counted = counted_otherwise(story, &before.text, &after.text);
    for piece in unread.chain(unread_events(story, before, (&old, &new))).chain(counted) {
        if !waiting.iter().any(|known| known.kind() == piece.kind() && known.id() == piece.id()) {
            waiting.push(piece);
        }
    }
    waiting
}

/// Returns the pieces whose sentence an edit has changed so that only a reading can say whether it still tells them.
fn unread(
    story: &Story,
    record: &Settled,
    before: &Document,
    (old, new): (&Quotable<'_>, &Quotable<'_>),
) -> Vec<Piece> {
    let at = places(story, record.made.iter().map(|made| (made.kind, made.id.as_str())));
    let cards = NamedCards::of(story, &before.text);
    let waits = |made: &Made| {
        let position = *at.get(&(made.kind, made.id.clone()))?;
        let piece = story.piece(made.kind, position)?;
        let read = quote_read(&piece, &made.quote);
        let is_sure = |text: &Quotable<'_>| piece_left(text, &piece, &read, 0).is_some();
        let is_likely = || with_likely_words(new, &read, 0, &StatementWords::of(&piece, &read)).is_some();
        let is_unread = !read.trim().is_empty() && !is_sure(new) && is_sure(old) && is_likely();
        // Finding the cards that a text names takes time.
        let is_named = || !PieceKind::CARDS.contains(&made.kind) || cards.sentence(made.kind, position).is_some();
        (is_unread && is_named()).then_some(piece)
    };
    record.made.iter().filter(|made| !made.followed).filter_map(waits).collect()
}

/// Returns the events that the document told but did not make, in a sentence that has other words now.
fn unread_events(story: &Story, before: &Document, (old, new): (&Quotable<'_>, &Quotable<'_>)) -> Vec<Piece> {
    let waits = |here: &&ToldHere| {
        let quote = here.quote.trim();
        !quote.is_empty()
            && old.find(quote, 0).is_some()
            && words_left(new, PieceKind::Promise, quote).is_none()
            && with_words_alike(new, quote).is_some()
    };
    let told = before.settled.iter().flat_map(|record| record.events.iter().flatten());
    let told: BTreeSet<&str> = told.filter(waits).map(|here| here.event.as_str()).collect();
    let events = story.timeline_events.iter().filter(|event| told.contains(event.id.as_str()));
    events.cloned().map(Piece::Event).collect()
}

/// Returns the cards and events with a count that the edit changed.
fn counted_otherwise(story: &Story, before: &str, after: &str) -> Vec<Piece> {
    let changed = changed_counts(before, after);
    if changed.is_empty() {
        return Vec::new();
    }
    let kinds = PieceKind::CARDS.into_iter().chain([PieceKind::Event]);
    let pieces = kinds.flat_map(|kind| story.pieces_of(kind));
    let has_old = |piece: &Piece| {
        let value = stored(piece);
        changed.iter().any(|count| count.is_in_value(&value))
    };
    pieces.filter(has_old).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::outdated;
    use crate::Story;

    #[test]
    fn what_stands_in_words_that_were_never_read_is_named() {
        let [old, new] = ["沈岳把刀放在桌上。", "沈岳把刀搁在桌上。"];
        let mut story: Story = serde_json::from_value(json!({
            "documents": [{"id": "d-1", "title": "1", "order": 1, "text": old, "settled": {"made": [
                {"kind": "fact", "id": "f-1", "digest": "", "quote": old}
            ]}}],
            "facts": [{"id": "f-1", "subject": "沈岳", "predicate": "交出", "object": "刀",
                "source": {"document": "d-1", "quote": new}}]
        }))
        .unwrap();
        let before = story.documents[0].clone();
        let waiting = |story: &Story| -> Vec<String> {
            outdated(story, &before).iter().map(|piece| piece.id().to_owned()).collect()
        };
        assert_eq!(waiting(&story), [""; 0]);
        story.documents[0].text = new.into();
        assert_eq!(waiting(&story), ["f-1"]);
        story.documents[0].text = "沈岳把刀放在了桌上。".into();
        assert_eq!(waiting(&story), [""; 0], "the same in another form");
    }

    #[test]
    fn an_event_of_the_plan_told_in_other_words_is_named() {
        let old = "Then he handed the whistle to her and walked in.";
        let mut story: Story = serde_json::from_value(json!({
            "documents": [{"id": "d-1", "title": "1", "order": 1, "text": old, "settled": {"events": [
                {"event": "e-1", "quote": old}
            ]}}],
            "timeline_events": [{"id": "e-1", "title": "The whistle changes hands"}]
        }))
        .unwrap();
        let before = story.documents[0].clone();
        for (verb, waiting) in [("passed", 1), ("sold", 0)] {
            story.documents[0].text = old.replace("handed", verb);
            assert_eq!(outdated(&story, &before).len(), waiting, "{verb}");
        }
    }

    #[test]
    fn a_card_with_a_count_that_the_edit_changed_is_named() {
        for (old, new, card, other) in [
            ("东家给了他四十块银元作盘缠。", "东家给了他六十块银元作盘缠。", "得过四十块银元的盘缠。", "站柜四十年。"),
            (
                "Edwin lent him forty silver dollars.",
                "Edwin lent him sixty silver dollars.",
                "He owes Edwin forty dollars.",
                "Has served for forty years.",
            ),
        ] {
            let mut story: Story = serde_json::from_value(json!({
                "documents": [{"id": "d-1", "title": "1", "order": 1, "text": old, "settled": {}}],
                "characters": [
                    {"id": "c-1", "name": "x", "background": card}, {"id": "c-2", "name": "y", "background": other}
                ]
            }))
            .unwrap();
            let before = story.documents[0].clone();
            assert!(outdated(&story, &before).is_empty(), "nothing changed");
            story.documents[0].text = new.into();
            let ids: Vec<String> = outdated(&story, &before).iter().map(|piece| piece.id().to_owned()).collect();
            assert_eq!(ids, ["c-1"], "{new}");
        }
    }

    #[test]
    fn a_card_that_the_text_never_named_does_not_wait() {
        let [old, new] = ["He handed the whistle to her.", "He passed the whistle to her."];
        let mut story: Story = serde_json::from_value(json!({
            "documents": [{"id": "d-1", "title": "1", "order": 1, "text": old, "settled": {"made": [
                {"kind": "location", "id": "l-1", "digest": "", "quote": old}
            ]}}],
            "worldview": {"locations": [{"id": "l-1", "name": "Mill Hill"}]}
        }))
        .unwrap();
        let before = story.documents[0].clone();
        story.documents[0].text = new.into();
        assert!(outdated(&story, &before).is_empty());
    }

    #[test]
    fn what_was_dated_by_words_that_are_gone_is_named() {
        for (old, new, said, date) in [
            (
                "Saturday, the ninth of October",
                "Saturday, the sixteenth of October",
                "Gideon was sixty-five.",
                ", 1926",
            ),
            ("十月初九", "十月十六", "沈岳六十五岁。", ""),
        ] {
            let text = |day: &str| format!("{day}. {said}");
            let mut story: Story = serde_json::from_value(json!({
                "documents": [{"id": "d-1", "title": "1", "order": 1, "text": text(old), "settled": {"made": [
                    {"kind": "fact", "id": "f-1", "digest": ""}, {"kind": "fact", "id": "f-2", "digest": ""},
                    {"kind": "event", "id": "e-1", "digest": ""}
                ]}}],
                "facts": [
                    {"id": "f-1", "subject": "x", "predicate": "age", "value": 65, "from": format!("{old}{date}")},
                    {"id": "f-2", "subject": "x", "predicate": "trait", "value": "old"},
                    {"id": "f-3", "subject": "y", "predicate": "age", "value": 65, "from": format!("{old}{date}")}
                ],
                "timeline_events": [{"id": "e-1", "title": "e", "timestamp": format!("{old}{date}")}]
            }))
            .unwrap();
            let before = story.documents[0].clone();
            assert!(outdated(&story, &before).is_empty(), "nothing changed");
            story.documents[0].text = text(new);
            let ids: Vec<String> = outdated(&story, &before).iter().map(|piece| piece.id().to_owned()).collect();
            assert_eq!(ids, ["f-1", "e-1"], "{old}");
        }
    }
}
