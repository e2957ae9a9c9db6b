//! Joins an event as the text tells it with the known event that it is.

use serde_json::Value;

use super::other_names::CERTAIN;
use super::people::ToldPeople;
use super::reconciler::Reconciler;
use crate::piece::PieceKind;
use crate::settlement::date_words::{are_of_one_day, sentence_of_date};
use crate::settlement::differing::{are_other_words, is_at_other_time};
use crate::settlement::extraction::ToldEvent;
use crate::settlement::record::{Added, Differs, ToldHere};
use crate::settlement::told_place::are_other_places;
use crate::time::{are_other_hours_of_one_day, is_other_weekday, with_year};
use crate::{Document, Mode, TimelineEvent};

/// An event of the text with resolved names.
pub(super) struct ResolvedEvent<'e> {
    pub(super) event: &'e ToldEvent,
    /// The time, as a date if the chapter dates it.
    pub(super) timestamp: String,
    /// Whether the time has the day of the event told before.
    pub(super) is_dated: bool,
    pub(super) participants: Vec<String>,
    pub(super) deaths: Vec<String>,
    /// Who says, believes, dreams or plans it, or lies.
    pub(super) by: Option<String>,
    pub(super) location: Option<String>,
    /// The words of the text.
    pub(super) quote: String,
}

impl Reconciler<'_> {
    /// Adds the people told by the text to the event at `position`, and time, place, description and who says it if the
    /// event has none. Others are recorded as differences, and so are planned people that the chapter leaves out and planned
    /// deaths that it does not tell; a title confirmed by the author becomes an alias.
    pub(super) fn join_event(&mut self, position: usize, told: ResolvedEvent<'_>, here: &ToldPeople<'_>) {
        let story = self.story;
        let known = &story.timeline_events[position];
        let ResolvedEvent { event, timestamp, is_dated, participants, deaths, by, location, quote } = told;
        let added = |field: &str, entry: &str| {
            let (kind, id, entry) = (PieceKind::Event, known.id.clone(), Value::String(entry.trim().to_owned()));
            Added { kind, id, field: field.to_owned(), entry, quote: quote.clone() }
        };
        let differs = |field: &str, told: &str| Differs {
            event: known.id.clone(),
            field: field.to_owned(),
            told: told.trim().to_owned(),
            quote: quote.clone(),
        };
        let (mut new, mut different) = (Vec::new(), Vec::new());
        // The time and place of a lie or a rumour from another chapter are those of the first telling.
        let is_told_again = self.is_said_elsewhere(known) && event.mode.is_said_or_imagined();
        // A value that this text gave may be given anew.
        let planned = if self.has_added(&known.id, "timestamp") { "" } else { known.timestamp.trim() };
        // Another weekday is another day, whichever week is meant.
        let is_other_day = is_dated || is_other_weekday(planned, &event.timestamp);
        // Hours are compared on the planned day only, since the day that the chapter gives to an hour may be wrong.
        let is_other_hour = are_other_hours_of_one_day(planned, &timestamp);
        let told_time = if is_other_day || is_other_hour { &timestamp } else { &event.timestamp };
        if !is_told_again && !planned.is_empty() && is_at_other_time(known, told_time) {
            let told = differs("timestamp", &with_year(planned, told_time));
            // The sentence with the day does not tell another hour of the planned day.
            let day = if are_of_one_day(planned, &told.told) { "" } else { told.told.as_str() };
            let dated = sentence_of_date(&self.document.text, &event.timestamp, day, &quote).unwrap_or(&quote);
            different.push(Differs { quote: dated.to_owned(), ..told });
        } else if !is_told_again && planned.is_empty() && !event.timestamp.trim().is_empty() {
            new.push(added("timestamp", &timestamp));
        }
        let planned = known.location.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let location = location.filter(|_| !is_told_again);
        match (planned.filter(|_| !self.has_added(&known.id, "location")), &location) {
            (Some(planned), Some(told)) if are_other_places(planned, told) => different.push(differs("location", told)),
            (None, Some(told)) => new.push(added("location", told)),
            _ => {}
        }
        if self.tells_course(known, event.mode) {
            let planned = if self.has_added(&known.id, "description") { "" } else { known.description.trim() };
            if are_other_words(planned, &event.description) {
                different.push(differs("description", &event.description));
            } else if planned.is_empty() && !event.description.trim().is_empty() {
                new.push(added("description", &event.description));
            }
        }
        if self.tells_plan(known, event.mode) {
            let left_out = |field: &str, name: &str, is_here: &dyn Fn(usize) -> bool| {
                let card = self.cast.names().resolve(PieceKind::Character, name).map(|card| card.position);
                let is_new = |at: usize| self.cast.is_own(PieceKind::Character, at);
                card.is_some_and(|at| !is_here(at) && !is_new(at)) && !self.is_added(&known.id, field, name)
            };
            // A reading without participants does not say who is missing.
            if !participants.is_empty() {
                let names = self.cast.names();
                let is_here = |at: usize| here.has(at) && !here.is_elsewhere(at, event, known, names);
                let absent = known.participants.iter().filter(|name| left_out("participants", name, &is_here));
                different.extend(absent.map(|name| differs("participants", name)));
                let alive = known.deaths.iter().filter(|name| left_out("deaths", name, &|at| here.dies(at)));
                different.extend(alive.map(|name| differs("deaths", name)));
            }
        }
        for (field, names, has) in
            [("participants", participants, &known.participants), ("deaths", deaths, &known.deaths)]
        {
            for name in names {
                let is_there = has.iter().any(|other| self.is_same(PieceKind::Character, other, &name));
                let entry = added(field, &name);
                if !is_there || self.was_added(&entry) {
                    new.push(entry);
                }
            }
        }
        // Planned hearsay that the text shows to be a lie, or tells in a flashback as a real event.
        let shown = match event.mode {
            Mode::Lied => Some(added("mode", "lied")),
            Mode::Flashback => Some(added("mode", "flashback")),
            _ => None,
        };
        let is_plan = event.mode == Mode::Lied || !self.made_events().contains(known.id.as_str());
        // Of two tellings in one text, the first counts.
        let is_shown = |other: &Added| other.id == known.id && other.kind == PieceKind::Event && other.field == "mode";
        let shown = shown.filter(|_| !self.plan.added.iter().any(is_shown));
        new.extend(shown.filter(|shown| known.mode == Mode::Said && is_plan || self.was_added(shown)));
        let is_saying = |mode: Mode| matches!(mode, Mode::Said | Mode::Lied);
        let is_asserted = known.mode == event.mode && !matches!(event.mode, Mode::Narrated | Mode::Flashback)
            || is_saying(known.mode) && is_saying(event.mode);
        let has_teller = known.by.as_deref().is_some_and(|name| !name.trim().is_empty());
        if let Some(by) = by.filter(|_| is_asserted && (!has_teller || self.has_added(&known.id, "by"))) {
            new.push(added("by", &by));
        }
        let alias = added("alias", &event.title);
        let is_confirmed = event.confidence >= CERTAIN && !self.is_same(PieceKind::Event, &known.title, &event.title);
        if is_confirmed || self.was_added(&alias) {
            new.push(alias);
        }
        if known.id.is_empty() {
            return;
        }
        // Words about what is still to come tell no event, except one that is a plan itself.
        let is_told = event.mode != Mode::Planned || known.mode == Mode::Planned;
        if is_told && !self.plan.events.iter().any(|told| told.event == known.id) {
            self.plan.events.push(ToldHere { event: known.id.clone(), quote });
        }
        new.retain(|new| !self.plan.added.iter().any(|other| other.is_of(new)));
        self.plan.added.extend(new);
        different.retain(|different| !self.plan.differs.contains(different));
        self.plan.differs.extend(different);
    }

    /// Returns whether the document tells the event of the plan itself: its own chapter's, and as happening.
    fn tells_plan(&self, known: &TimelineEvent, mode: Mode) -> bool {
        known.mode == Mode::Narrated && mode == Mode::Narrated && self.tells_course(known, mode)
    }

    /// Returns whether another document made the event, as something that somebody says, believes or dreams.
    fn is_said_elsewhere(&self, known: &TimelineEvent) -> bool {
        known.mode.is_said_or_imagined() && self.made_events().contains(known.id.as_str())
    }

    /// Returns whether the document tells a planned event of its own chapter, as happening or as a memory. A memory may be planned
    /// as hearsay.
    fn tells_course(&self, known: &TimelineEvent, mode: Mode) -> bool {
        let is_own = known.outline_node.as_deref().is_some_and(|node| self.is_own_node(node));
        let happens = [known.mode, mode].iter().all(|mode| matches!(mode, Mode::Narrated | Mode::Flashback))
            || known.mode == Mode::Said && mode == Mode::Flashback;
        // With several texts in a chapter, none of them alone leaves out what is planned.
        let is_of_node = |text: &&Document| {
            text.order > 0 && text.outline_node.as_deref().is_some_and(|node| self.is_own_node(node))
        };
        let is_whole = self.story.documents.iter().filter(is_of_node).count() < 2;
        is_own && is_whole && happens && !self.made_events().contains(known.id.as_str())
    }

    /// Returns whether a text added the name to a list of the event.
    fn is_added(&self, event: &str, field: &str, name: &str) -> bool {
        let settled = self.story.documents.iter().filter_map(|document| document.settled.as_ref());
        let mut added = settled.flat_map(|settled| &settled.added);
        let is_it = |old: &Added| old.kind == PieceKind::Event && old.id == event && old.field == field;
        added.any(|old| is_it(old) && old.entry.as_str() == Some(name))
    }

    /// Returns whether the document gave the event a value for the field before.
    fn has_added(&self, event: &str, field: &str) -> bool {
        let mut added = self.document.settled.iter().flat_map(|settled| &settled.added);
        added.any(|old| old.kind == PieceKind::Event && old.id == event && old.field == field)
    }
}
