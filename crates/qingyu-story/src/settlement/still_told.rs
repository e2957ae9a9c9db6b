//! Whether a text that was edited since its reading still tells an event otherwise than planned.

#[cfg(test)]
mod tests;

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
use crate::prose::{paragraphs_around, scene_at};
use crate::time::with_year;
use crate::{Character, Document, Mode, Story, TimelineEvent};

/// Returns whether the text of `document` may still tell `event` as its reading recorded.
///
/// The words of the record must stand in the text. In a text edited since the reading, the difference is gone if the text
/// has the planned day or place and no longer the told one, shows the participant that was left out, or tells the planned
/// death. A participant of another event in the same scene is shown there for that event, as the reading knew: then only
/// the paragraph of the words counts.
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
            let words = at..at + differs.quote.trim().len();
            let around = if is_beside { paragraphs_around(text, &words) } else { scene };
            !is_shown(story, &text[around], told)
        }
        "deaths" => !is_told_dead(story, document, told),
        _ => !is_placed_as_planned(story, text, event, told),
    }
}

/// Updates the quotes of the differences whose sentence was edited in other words than those of the difference. The event
/// stays as the text tells it, and does not go back to the plan.
pub(super) fn requote_differences(text: &Quotable<'_>, record: &mut Settled) {
    for differs in &mut record.differs {
        let quote = differs.quote.trim();
        if quote.is_empty() || text.text().contains(quote) {
            continue;
        }
        // A number in the sentence may be the difference itself.
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
        is_here && fact.victim().is_some_and(|dead| fold(dead) == fold(name))
    })
}
