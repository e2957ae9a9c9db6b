//! Whether a text that was edited since its reading still tells an event otherwise than planned.

use std::ops::Range;

use super::date_words::writes_day;
use super::digest::digest;
use super::likely_words::with_words_alike;
use super::quotes::{Quotable, numbers};
use super::record::{Differs, Settled};
use super::remaining::words_left;
use super::rules::{Presence, PresenceText};
use super::told_days::names_other_day;
use crate::names::fold;
use crate::piece::PieceKind;
use crate::predicate::victim;
use crate::prose::scene_at;
use crate::time::with_year;
use crate::{Character, Document, Mode, Story, TimelineEvent};

/// Returns whether the text of `document` may still tell `event` as its reading recorded.
///
/// The words of the record must stand in the text. In a text edited since the reading, the told day or place must not have
/// given way to the planned one, nor may the text by now show there who was left out, or tell the planned death. A scene
/// that has somebody in another event shows them in that one: the reading knew it, so only the paragraph of the words counts.
pub(super) fn is_still_told(story: &Story, document: &Document, event: &TimelineEvent, differs: &Differs) -> bool {
    let text = document.text.as_str();
    let Some(at) = text.find(differs.quote.trim()) else { return false };
    let record = document.settled.as_ref();
    let is_read = || record.is_some_and(|record| record.digest.is_empty() || record.digest == digest(text));
    // Another wording is no contradiction, and the most frequent difference.
    if !differs.is_contradiction() || is_read() {
        return true;
    }
    let told = differs.told.trim();
    match differs.field.as_str() {
        "timestamp" => !is_dated_as_planned(text, event.timestamp.trim(), differs),
        "participants" => {
            let scene = scene_at(text, at);
            let is_beside = is_in_other_event(story, document, differs, &scene);
            let around = if is_beside { paragraph(text, &(at..at + differs.quote.trim().len())) } else { &text[scene] };
            !is_shown(story, around, told)
        }
        "deaths" => !is_told_dead(story, document, told),
        _ => !is_placed_as_planned(story, text, event, told),
    }
}

/// Gives what the text tells otherwise than planned the words of its sentence, where the sentence was changed in what the text
/// does not tell by it: the event stays as the text tells it, and does not go back to the plan.
pub(super) fn requote_differences(text: &Quotable<'_>, record: &mut Settled) {
    for differs in &mut record.differs {
        let quote = differs.quote.trim();
        if quote.is_empty() || text.text().contains(quote) {
            continue;
        }
        // The number in the sentence may be what is told.
        let kind = match differs.field.as_str() {
            "timestamp" => PieceKind::Fact,
            "description" if !numbers(&differs.told).is_empty() => PieceKind::Event,
            _ => PieceKind::Promise,
        };
        let left = words_left(text, kind, quote).or_else(|| with_words_alike(text, quote));
        let found = left.and_then(|words| text.quotation("", 0, &words, 0));
        if let Some(found) = found {
            differs.quote = found.quote;
        }
    }
}

/// Returns whether the text writes the planned day, and nowhere the told one. Words that give the day of the event themselves
/// stand by it: `the next day`.
fn is_dated_as_planned(text: &str, planned: &str, differs: &Differs) -> bool {
    let told = with_year(planned, &differs.told);
    !names_other_day(&differs.quote.to_lowercase()) && !writes_day(text, &told) && writes_day(text, planned)
}

/// Returns whether the text names the planned place, and nowhere the told one.
fn is_placed_as_planned(story: &Story, text: &str, event: &TimelineEvent, told: &str) -> bool {
    let text = fold(text);
    let is_named = |place: &str| {
        let card = story.locations().iter().find(|card| fold(&card.name) == fold(place));
        let aliases = card.iter().flat_map(|card| &card.alias).map(String::as_str);
        std::iter::once(place).chain(aliases).any(|name| !name.trim().is_empty() && text.contains(&fold(name)))
    };
    event.location.as_deref().is_some_and(|planned| is_named(planned) && !is_named(told))
}

/// Returns whether the document tells another event in the scene, and the one left out takes part in that one.
fn is_in_other_event(story: &Story, document: &Document, differs: &Differs, scene: &Range<usize>) -> bool {
    let Some(record) = &document.settled else { return false };
    let made = record.made.iter().filter(|made| made.kind == PieceKind::Event);
    let made = made.map(|made| (made.id.as_str(), made.quote.trim()));
    let known = record.events.iter().flatten().map(|here| (here.event.as_str(), here.quote.trim()));
    // An event whose sentence has other words by now may be in any scene.
    let is_near = |quote: &str| document.text.find(quote).is_none_or(|at| scene.contains(&at));
    let is_it = |name: &str| fold(name) == fold(&differs.told);
    let is_left_out = |id: &str| {
        let mut left_out = record.differs.iter().filter(|other| other.event == id && other.field == "participants");
        left_out.any(|other| is_it(&other.told))
    };
    let others = made.chain(known).filter(|(id, quote)| *id != differs.event && !quote.is_empty() && is_near(quote));
    let others: Vec<&str> = others.map(|(id, _)| id).filter(|id| !is_left_out(id)).collect();
    let mut told = story.timeline_events.iter().filter(|event| event.mode == Mode::Narrated);
    told.any(|event| others.contains(&event.id.as_str()) && event.participants.iter().any(|name| is_it(name)))
}

/// Returns the paragraphs that have the words at `range`.
fn paragraph<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    let begin = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    &text[begin..end]
}

/// Returns whether a scene shows the character as there.
fn is_shown(story: &Story, scene: &str, name: &str) -> bool {
    let is_card =
        |card: &&Character| std::iter::once(&card.name).chain(&card.alias).any(|known| fold(known) == fold(name));
    let card = story.characters.iter().find(is_card);
    card.is_some_and(|card| PresenceText::of(scene).presence(card) == Presence::Shown)
}

/// Returns whether a fact that the document tells is the death of the character.
fn is_told_dead(story: &Story, document: &Document, name: &str) -> bool {
    let names = [document.id.trim(), document.title.trim()];
    story.facts.iter().filter(|fact| fact.mode == Mode::Narrated).any(|fact| {
        let is_here = fact.source.as_ref().is_some_and(|source| names.contains(&source.document.trim()));
        let dead = victim(&fact.predicate, &fact.subject, fact.object.as_deref(), &fact.value);
        is_here && dead.is_some_and(|dead| fold(dead) == fold(name))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::settlement::open_differences;

    /// Returns whether the difference of a field is open after the text was edited.
    #[track_caller]
    fn is_open(field: &str, told: &str, quote: &str, read: &str, now: &str) -> bool {
        let mut story: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林深"}, {"id": "c-2", "name": "周建国", "alias": ["老周"]}],
            "worldview": {"locations": [{"id": "l-1", "name": "旧港"}, {"id": "l-2", "name": "大理寺"}]},
            "timeline_events": [{"id": "e-1", "title": "抵港", "timestamp": "1926年6月7日 19:00", "location": "大理寺",
                "participants": ["林深", "周建国"]}],
            "documents": [{"id": "d-1", "title": "1", "order": 1, "text": read, "settled": {"digest": digest(read),
                "differs": [{"event": "e-1", "field": field, "told": told, "quote": quote}]}}]
        }))
        .unwrap();
        assert_eq!(open_differences(&story).len(), 1, "the text is as it was read");
        story.documents[0].text = now.into();
        !open_differences(&story).is_empty()
    }

    #[test]
    fn a_day_is_told_otherwise_until_the_text_writes_the_planned_one() {
        let read = "六月十二号，雨。林深走进旧港。周围没有人。";
        let quote = "林深走进旧港。";
        for (now, expected) in [
            ("六月七号，雨。林深走进旧港。周围没有人。", false),
            ("六月十二号，雪。林深走进旧港。周围没有人。", true),
            ("雨。林深走进旧港。周围没有人。", true),
            ("六月七号，雨。林深走进车站。周围没有人。", false),
        ] {
            assert_eq!(is_open("timestamp", "1926年6月12日", quote, read, now), expected, "{now}");
        }
        let read = "六月七号，雨。第二天，林深走进旧港。";
        let now = "六月七号，雪。第二天，林深走进旧港。";
        assert!(
            is_open("timestamp", "1926年6月8日", "第二天，林深走进旧港。", read, now),
            "counted from a day that stands"
        );
    }

    #[test]
    fn a_place_is_told_otherwise_until_the_text_names_the_planned_one() {
        let read = "林深到了旧港。他坐下来等人。";
        for (now, expected) in [("林深到了大理寺。他坐下来等人。", false), ("林深又到了旧港。他坐下来等人。", true)]
        {
            assert_eq!(is_open("location", "旧港", "他坐下来等人。", read, now), expected, "{now}");
        }
    }

    #[test]
    fn somebody_is_left_out_until_the_scene_shows_them() {
        let read = "林深到了旧港。他想起周建国。";
        for (now, expected) in [
            ("林深到了旧港。周建国坐在桌边喝酒。他想起周建国。", false),
            ("林深到了旧港。老周给他倒茶。", false),
            ("林深到了旧港。雨下大了。", true),
            ("林深到了旧港。\n\n* * *\n\n周建国坐在桌边喝酒。", true),
        ] {
            assert_eq!(is_open("participants", "周建国", "林深到了旧港。", read, now), expected, "{now}");
        }
    }

    #[test]
    fn somebody_in_another_event_of_the_scene_stays_left_out_of_the_first() {
        let read = "傍晚，周建国坐在桌边喝酒。\n亥时，林深到了旧港。\n雨停了。";
        let mut story: Story = serde_json::from_value(json!({
            "characters": [{"id": "c-1", "name": "林深"}, {"id": "c-2", "name": "周建国"}],
            "timeline_events": [
                {"id": "e-1", "title": "抵港", "participants": ["林深", "周建国"]},
                {"id": "e-2", "title": "喝酒", "participants": ["周建国"]}
            ],
            "documents": [{"id": "d-1", "title": "1", "order": 1, "text": read, "settled": {
                "digest": digest(read),
                "made": [{"kind": "event", "id": "e-2", "digest": "", "quote": "周建国坐在桌边喝酒。"}],
                "differs": [{"event": "e-1", "field": "participants", "told": "周建国", "quote": "林深到了旧港。"}]
            }}]
        }))
        .unwrap();
        for (now, expected) in [
            (read.to_owned(), true),
            (read.replace("雨停了", "风停了"), true),
            (read.replace("坐在桌边喝酒", "坐在桌边喝茶"), true),
            (read.replace("旧港。", "旧港。周建国走过来坐下。"), false),
        ] {
            story.documents[0].text.clone_from(&now);
            assert_eq!(!open_differences(&story).is_empty(), expected, "{now}");
        }
    }
}
