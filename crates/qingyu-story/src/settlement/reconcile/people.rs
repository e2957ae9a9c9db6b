//! The people of a chapter: who takes part and who dies by its reading, and who is named in its text.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::kinship::Kinship;
use crate::language::has_words;
use crate::names::{Names, fold, parts};
use crate::piece::PieceKind;
use crate::predicate;
use crate::prose::scene_at;
use crate::settlement::Extraction;
use crate::settlement::extraction::ToldEvent;
use crate::settlement::rules::{Presence, PresenceText};
use crate::settlement::told_place::are_certainly_apart;
use crate::time::are_other_hours;
use crate::{Document, Mode, Story, TimelineEvent};

/// The characters of a chapter, by position.
#[derive(Debug)]
pub(super) struct ToldPeople<'s> {
    story: &'s Story,
    document: &'s Document,
    /// The events of the reading, with the people in each.
    told: Vec<(&'s ToldEvent, BTreeSet<usize>)>,
    present: BTreeSet<usize>,
    dead: BTreeSet<usize>,
    /// Built for the first planned participant missing from the reading.
    named: OnceCell<BTreeSet<usize>>,
    /// Built for the first participant.
    read: OnceCell<PresenceText<'s>>,
}

impl<'s> ToldPeople<'s> {
    pub(super) fn of(story: &'s Story, document: &'s Document, names: &Names, extraction: &'s Extraction) -> Self {
        let find = |name: &str| names.resolve(PieceKind::Character, name).map(|named| named.position);
        let events = || extraction.events.iter();
        let fallen = events().flat_map(|event| &event.deaths).filter_map(|name| find(name));
        let narrated = extraction.facts.iter().filter(|fact| fact.mode == Mode::Narrated);
        let dies = narrated.filter_map(|fact| {
            find(predicate::victim(&fact.predicate, &fact.subject, fact.object.as_deref(), &fact.value)?)
        });
        let people = |event: &ToldEvent| event.participants.iter().filter_map(|name| find(name)).collect();
        let told: Vec<(&ToldEvent, BTreeSet<usize>)> = events().map(|event| (event, people(event))).collect();
        let present = told.iter().flat_map(|(_, people)| people).copied().collect();
        let mut told = Self {
            story,
            document,
            told,
            present,
            dead: fallen.chain(dies).collect(),
            named: OnceCell::new(),
            read: OnceCell::new(),
        };
        let gone: Vec<usize> = told.present.iter().copied().filter(|at| told.is_only_remembered(*at, names)).collect();
        told.present.retain(|at| !gone.contains(at));
        told
    }

    /// Returns whether the chapter has the character anywhere: in an event, dying, or shown by the text. A mention alone is
    /// not enough.
    pub(super) fn has(&self, position: usize) -> bool {
        let is_shown = || self.is_named(position) && self.presence(position) != Presence::Mentioned;
        self.present.contains(&position) || self.dies(position) || is_shown()
    }

    /// Returns whether the chapter has the character in other events, but not where `event` is, which is the planned event
    /// `known`: in no event of the same scene, place and hour, and not shown there by the text. A chapter may tell one planned
    /// event as several, with planned people at the planned place.
    pub(super) fn is_elsewhere(
        &self,
        position: usize,
        event: &ToldEvent,
        known: &TimelineEvent,
        names: &Names,
    ) -> bool {
        let Some(scene) = self.scene(event).filter(|_| !self.dies(position)) else { return false };
        if self.is_in_part_of(position, known, names) {
            return false;
        }
        let planned = known.location.as_deref();
        let is_one = |other: &ToldEvent| is_same_event(other, event);
        let own = self.told.iter().filter(|(other, _)| is_one(other)).find_map(|(other, _)| place(other));
        let own = own.or_else(|| planned.map(fold).filter(|name| !name.is_empty()));
        let with_them = self.told.iter().filter(|(_, people)| people.contains(&position)).map(|(other, _)| *other);
        let with_them: Vec<&ToldEvent> =
            with_them.filter(|other| other.mode == Mode::Narrated || is_one(other)).collect();
        let is_near = |other: &ToldEvent| self.scene(other).is_none_or(|there| there == scene);
        let is_other_place = |other: &ToldEvent| {
            place(other)
                .zip(own.as_ref())
                .is_some_and(|(there, own)| are_certainly_apart(self.story, self.document, known, [own, &there]))
        };
        let is_apart = |other: &ToldEvent| !is_one(other) && (!is_near(other) || is_other_place(other));
        let is_at_other_hour =
            |other: &ToldEvent| !is_one(other) && are_other_hours(self.time_of(event), self.time_of(other));
        if with_them.is_empty() || !with_them.iter().all(|other| is_apart(other) || is_at_other_hour(other)) {
            return false;
        }
        if !with_them.iter().all(|other| is_apart(other)) {
            return self.is_gone(position, event, &with_them, names);
        }
        // A scene of several places shows the people of each.
        let words = match with_them.iter().any(|other| is_near(other)) {
            true => format!("{}\n{}", event.quote, event.description),
            false => self.document.text[scene.clone()].to_owned(),
        };
        PresenceText::of(&words).presence(&self.story.characters[position]) != Presence::Shown
    }

    /// Returns whether the character is in an unplanned event of the chapter that may be a part of the planned one: at its place,
    /// and only with people planned for it.
    fn is_in_part_of(&self, position: usize, known: &TimelineEvent, names: &Names) -> bool {
        let planned = known.location.as_deref().map(fold).filter(|name| !name.is_empty());
        let find = |name: &String| names.resolve(PieceKind::Character, name).map(|named| named.position);
        let people: BTreeSet<usize> = known.participants.iter().filter_map(find).collect();
        planned.is_some()
            && self.told.iter().any(|(other, with_them)| {
                other.planned.is_none()
                    && other.mode == Mode::Narrated
                    && with_them.contains(&position)
                    && with_them.is_subset(&people)
                    && place(other) == planned
            })
    }

    /// Returns the time of an event as told, or else as planned; empty if there is none.
    fn time_of(&self, event: &ToldEvent) -> &str {
        let told = self.told.iter().filter(|(other, _)| is_same_event(other, event));
        let told = told.map(|(other, _)| other.timestamp.trim()).find(|time| !time.is_empty());
        let planned = || {
            let name = event.planned.as_deref()?;
            let known = self.story.timeline_events.iter().find(|known| known.title == name || known.id == name)?;
            Some(known.timestamp.trim())
        };
        told.or_else(planned).unwrap_or_default()
    }

    /// Returns whether the text around an event, between the nearest events of `with_them`, neither shows the character nor
    /// calls them by what they do or what they are to somebody.
    fn is_gone(&self, position: usize, event: &ToldEvent, with_them: &[&ToldEvent], names: &Names) -> bool {
        let text = &self.document.text;
        let Some(own) = self.words_of(event) else { return false };
        let others: Option<Vec<Range<usize>>> = with_them.iter().map(|other| self.words_of(other)).collect();
        let Some(others) = others else { return false };
        // The rest of a paragraph still belongs to the other event.
        let before = others.iter().map(|other| other.end).filter(|end| *end <= own.start).max();
        let begin = before.map_or(0, |end| text[end..own.start].find('\n').map_or(end, |at| end + at));
        let after = others.iter().map(|other| other.start).filter(|start| *start >= own.end).min();
        let end = after.map_or(text.len(), |start| text[own.end..start].rfind('\n').map_or(start, |at| own.end + at));
        let (words, card) = (&text[begin..end], &self.story.characters[position]);
        let lower = words.to_lowercase();
        let occupation = card.occupation.to_lowercase();
        let mut titles = occupation.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= 4);
        let told = self.told.iter().find(|(other, _)| std::ptr::eq(*other, event));
        let near: Vec<usize> = told.map(|(_, people)| people.iter().copied().collect()).unwrap_or_default();
        PresenceText::of(words).presence(card) != Presence::Shown
            && !titles.any(|word| has_words(&lower, word))
            && !Kinship::of(self.story, names).called(&near, words).contains(&position)
    }

    /// Returns the scene of the text that has the words of an event.
    fn scene(&self, event: &ToldEvent) -> Option<Range<usize>> {
        Some(scene_at(&self.document.text, self.words_of(event)?.start))
    }

    /// Returns the place of the words of an event in the text.
    fn words_of(&self, event: &ToldEvent) -> Option<Range<usize>> {
        let quote = event.quote.trim();
        let at = self.document.text.find(quote).filter(|_| !quote.is_empty())?;
        Some(at..at + quote.len())
    }

    /// Returns whether the character is dead before the chapter, and its text only speaks of them: a reader of such a
    /// chapter may count them among those present.
    pub(super) fn is_only_remembered(&self, position: usize, names: &Names) -> bool {
        !self.dies(position) && self.presence(position) == Presence::Mentioned && self.is_dead_before(position, names)
    }

    fn presence(&self, position: usize) -> Presence {
        let read = self.read.get_or_init(|| PresenceText::of(&self.document.text));
        read.presence(&self.story.characters[position])
    }

    /// Returns whether an event or a fact of a chapter read earlier tells the character's death. The date on the card may
    /// be told later, or only be planned.
    fn is_dead_before(&self, position: usize, names: &Names) -> bool {
        let story = self.story;
        let is_it =
            |name: &str| names.resolve(PieceKind::Character, name).is_some_and(|named| named.position == position);
        let own = self.document.order;
        let earlier = story.documents.iter().filter(|document| (1..own).contains(&document.order));
        let place = |node: &str| {
            let named = names.resolve(PieceKind::OutlineNode, node)?;
            Some(story.outline_nodes[named.position].order).filter(|order| *order > 0)
        };
        let own_node = self.document.outline_node.as_deref().and_then(place);
        let is_earlier = |event: &TimelineEvent| match (event.outline_node.as_deref().and_then(place), own_node) {
            (Some(other), Some(own)) => other < own,
            // Without a place in the outline, the event is where the chapter is whose settlement made it.
            _ => earlier.clone().any(|document| {
                document.settled.as_ref().is_some_and(|settled| settled.made(PieceKind::Event, &event.id).is_some())
            }),
        };
        let by_event = story.timeline_events.iter().any(|event| {
            event.mode == Mode::Narrated && event.deaths.iter().any(|name| is_it(name)) && is_earlier(event)
        });
        let is_source = |document: &Document, source: &str| {
            !source.is_empty() && [document.id.trim(), document.title.trim()].contains(&source)
        };
        by_event
            || story.facts.iter().filter(|fact| fact.mode == Mode::Narrated).any(|fact| {
                fact.victim().is_some_and(is_it)
                    && fact.source.as_ref().is_some_and(|source| {
                        earlier.clone().any(|document| is_source(document, source.document.trim()))
                    })
            })
    }

    /// Returns whether the chapter tells the character's death.
    pub(super) fn dies(&self, position: usize) -> bool {
        self.dead.contains(&position)
    }

    fn is_named(&self, position: usize) -> bool {
        let named = self.named.get_or_init(|| {
            let names = Names::of_entities(self.story);
            let bearers = names.mentions(&self.document.text).into_iter().flat_map(|mention| mention.bearers);
            bearers.filter(|named| named.kind == PieceKind::Character).map(|named| named.position).collect()
        });
        named.contains(&position)
            || parts(&self.story.characters[position].name).any(|part| self.document.text.contains(part))
    }
}

/// Returns whether both are told of one event: the same words, or the same planned event.
fn is_same_event(one: &ToldEvent, other: &ToldEvent) -> bool {
    std::ptr::eq(one, other) || one.planned.is_some() && one.planned == other.planned
}

/// Returns the place of an event in comparable form.
fn place(event: &ToldEvent) -> Option<String> {
    event.location.as_deref().map(fold).filter(|name| !name.is_empty())
}
