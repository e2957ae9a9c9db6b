//! Reconciliation of an extraction with a story: resolves names, finds quotes, and separates existing from new
//! statements.
//!
//! - `reconciler`: the state, below the others
//! - `values`: the stored form of values, and equal statements
//! - `counts`: counts that differ from an earlier chapter's or a card's
//! - `joining`: an event as told, joined with the known one; `people`: who is in the chapter
//! - `other_names`: cards, events and promises known under other names; `spoken_of`: planned events of which somebody speaks
//! - `places`: places of the plan without a card
//! - `promises`: promises and secrets
//! - `returns`: things that change hands more than once

mod counts;
mod joining;
mod other_names;
mod people;
mod places;
mod promises;
mod reconciler;
mod returns;
mod spoken_of;
mod values;

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

use self::joining::ResolvedEvent;
use self::other_names::{CERTAIN, KnownEvent};
use self::people::ToldPeople;
use self::returns::returns_before;
use super::Extraction;
use super::ahead::with_plans;
use super::cast::{Candidate, NameLookup, has_other_given_name, has_other_number};
use super::extraction::{Introduced, ToldEvent, ToldFact};
use super::fact_index::{FactPositions, SubjectFacts};
use super::outcome::{Doubt, Question, Reason, Rejected, Told};
use super::record::{Added, Differs, Retold};
use super::time_of::ChapterTime;
use crate::audience::{everybody, is_everybody};
use crate::fact::with_unit;
use crate::names::fold;
use crate::panel::change_of;
use crate::part::{ENTITIES, MINDS};
use crate::piece::{Piece, PieceKind};
use crate::predicate::{self, word};
use crate::time::moment;
use crate::{
    Character, Document, Fact, Item, Knower, Language, Location, Mode, Organisation, Quotation, RoleType, TimelineEvent,
};
use values::value;

pub(super) use reconciler::{LeavingPieces, PlannedPiece, Reconciler, SettlementPlan};
pub(super) use values::{same_value, says_the_same};

/// A fact with resolved names.
struct ResolvedFact<'e> {
    fact: Fact,
    said: &'e ToldFact,
    told: Told,
}

impl Reconciler<'_> {
    pub(super) fn reconcile(mut self, extraction: &Extraction) -> SettlementPlan {
        let extraction = &*with_plans(extraction);
        extraction.entities.iter().for_each(|one| self.introduce(one));
        self.introduce_planned_places(extraction);
        let people = ToldPeople::of(self.story, self.document, self.cast.names(), extraction);
        let planned = extraction.events.iter().filter_map(|event| event.planned.as_deref());
        self.named_events = planned.filter_map(|name| self.event_named(name)).collect();
        let mut hour = ChapterTime::of(self.story, self.document, self.cast.names());
        hour.begin(&extraction.events);
        hour.remember(extraction);
        let mut events: Vec<Option<String>> = Vec::with_capacity(extraction.events.len());
        for event in &extraction.events {
            let told = hour.of_event(event);
            let title = self.event(event, &told, &people, &hour);
            if let Some(title) = &title {
                let known = self.cast.names().resolve(PieceKind::Event, title);
                let known = known.and_then(|named| self.story.timeline_events.get(named.position));
                let planned = known.filter(|known| told.is_empty() || self.is_told_at_planned_time(known));
                let planned = planned.map_or("", |event| event.timestamp.as_str());
                hour.follow(&event.quote, &told, planned);
                hour.advance(if moment(&told).is_none() { planned } else { &told });
            }
            events.push(title);
        }
        let only = match events.iter().flatten().collect::<Vec<_>>().as_slice() {
            [one] => Some((*one).clone()),
            _ => None,
        };
        let hour = hour.or_event(only);
        let ready: Vec<ResolvedFact<'_>> = extraction.facts.iter().filter_map(|fact| self.fact(fact, &hour)).collect();
        self.facts(ready);
        extraction.promises.iter().for_each(|promise| self.promise(promise));
        extraction.revealed.iter().for_each(|secret| self.reveal(secret));
        self.plan
    }

    /// Returns the quotation of a statement, if found in the document and accepted; otherwise registers a rejection or
    /// a question.
    fn believe(&mut self, told: &Told) -> Option<Quotation> {
        let id = reference(self.document);
        let Some(quote) = self.text.citation(id, self.document.version, &told.quote) else {
            self.reject(told, Reason::NotInText);
            return None;
        };
        // A NaN confidence counts as zero.
        if told.confidence.is_nan() || told.confidence < self.config.ask {
            self.ask(told, Doubt::Unsure);
            return None;
        }
        if told.confidence < self.config.accept {
            self.plan.doubtful.push(told.clone());
        }
        Some(quote)
    }

    fn reject(&mut self, told: &Told, reason: Reason) {
        self.plan.rejected.push(Rejected { told: told.clone(), reason });
    }

    fn ask(&mut self, told: &Told, doubt: Doubt) {
        self.plan.questions.push(Question { told: told.clone(), doubt });
    }

    fn introduce(&mut self, one: &Introduced) {
        let kind = PieceKind::from(one.kind);
        let told = told_piece(kind, one.name.trim(), &one.quote, one.confidence);
        if one.name.trim().is_empty() {
            return self.reject(&told, Reason::Empty);
        }
        let is_decided = one.confidence >= CERTAIN;
        if let Some(known) = one.same.as_deref().and_then(|name| self.known_card(kind, name, &one.name)) {
            // A slip must not become another name; a name that the text changes is said to be one.
            let is_other_person = kind == PieceKind::Character && has_other_given_name(&one.name, &known.name);
            let is_slip =
                is_other_person && self.named_before(kind, one).is_empty() || has_other_number(&one.name, &known.name);
            if is_slip && !is_decided && !self.has_alias(&known, &one.name) {
                return self.ask(&told, Doubt::Same { name: told.label.clone(), of: vec![known] });
            }
            return self.call(&told, &one.name, &known);
        }
        match self.cast.find_other(&one.name, &[kind]) {
            NameLookup::One(known) => self.call_again(&told, &one.name, &known),
            NameLookup::Several(of) => self.ask(&told, Doubt::Which { name: told.label.clone(), of }),
            NameLookup::Nobody(of) if !of.is_empty() && !is_decided => {
                self.ask(&told, Doubt::Same { name: told.label.clone(), of });
            }
            NameLookup::Nobody(_) => {
                if self.is_own_alias(kind, &one.name) {
                    return;
                }
                let alias = one.alias.iter().find_map(|alias| match self.cast.find_other(alias, &[kind]) {
                    NameLookup::One(known) => Some(known),
                    _ => None,
                });
                if let Some(known) = alias.filter(|_| !is_decided) {
                    return self.ask(&told, Doubt::Same { name: told.label.clone(), of: vec![known] });
                }
                // A thing known only by a proper name shares no word with its new one.
                let renamed = if is_decided { Vec::new() } else { self.named_before(kind, one) };
                if !renamed.is_empty() {
                    return self.ask(&told, Doubt::Same { name: told.label.clone(), of: renamed });
                }
                let Some(quote) = self.believe(&told) else { return };
                self.cast.introduce(one);
                self.plan.wanted.push(PlannedPiece { piece: card(one), quote, told });
            }
        }
    }

    /// Returns the title in the story of an event at the time `timestamp`, if accepted and actually happening.
    fn event(
        &mut self,
        event: &ToldEvent,
        timestamp: &str,
        here: &ToldPeople<'_>,
        hour: &ChapterTime,
    ) -> Option<String> {
        let told = told_piece(PieceKind::Event, event.title.trim(), &event.quote, event.confidence);
        if event.title.trim().is_empty() {
            self.reject(&told, Reason::Empty);
            return None;
        }
        let quote = self.believe(&told)?;
        let mut people = |names: &[String]| -> Vec<String> {
            let mut known = Vec::new();
            for name in names {
                match self.cast.find_exactly(name, &[PieceKind::Character]) {
                    NameLookup::One(one) if known.contains(&one.name) => {}
                    NameLookup::One(one) => known.push(one.name),
                    _ => self.reject(&told, Reason::LeftOut { name: name.trim().to_owned() }),
                }
            }
            known
        };
        let (mut participants, deaths) = (people(&event.participants), people(&event.deaths));
        if event.mode == Mode::Narrated {
            participants.retain(|name| !self.leaves_out(name, &told, here));
        }
        let location = event.location.as_deref().filter(|name| !name.trim().is_empty());
        let location = location.and_then(|name| match self.cast.find_exactly(name, &[PieceKind::Location]) {
            NameLookup::One(one) => Some(one.name),
            // A shop or an office is called a place, and has a card as a body.
            _ if matches!(self.cast.find_exactly(name, &[PieceKind::Organisation]), NameLookup::One(_)) => None,
            _ => {
                self.reject(&told, Reason::LeftOut { name: name.trim().to_owned() });
                None
            }
        });
        let planned = event.planned.as_deref();
        let same_chapter = |position: &usize| {
            let node = self.story.timeline_events[*position].outline_node.as_deref();
            node.is_none() || node.is_some_and(|node| self.is_own_node(node))
        };
        let there = planned.and_then(|name| self.event_named(name));
        let there = there.or_else(|| self.event_named(&event.title).filter(same_chapter));
        let known = || self.known_event(event, &participants, &deaths);
        let there = match there.map_or_else(known, KnownEvent::Certain) {
            KnownEvent::None => None,
            KnownEvent::Certain(position) => Some(position),
            KnownEvent::Perhaps(of) => {
                self.ask(&told, Doubt::Same { name: told.label.clone(), of });
                return None;
            }
        };
        // Hearsay of people without a card is of nobody known.
        let by = event.by.as_deref().and_then(|name| match self.cast.find_exactly(name, &[PieceKind::Character]) {
            NameLookup::One(one) => Some(one.name),
            _ => None,
        });
        let happens = matches!(event.mode, Mode::Narrated);
        if let Some(position) = there {
            let quote = quote.quote;
            let timestamp = timestamp.to_owned();
            let is_dated = hour.on_day_before(event).is_some();
            let told = ResolvedEvent { event, timestamp, is_dated, participants, deaths, by, location, quote };
            self.join_event(position, told, here);
            return happens.then(|| self.story.timeline_events[position].title.clone());
        }
        let mut title = event.title.trim().to_owned();
        // A title with the chapter's note is from an earlier settlement, and found by the title without the note.
        let is_taken = !matches!(self.cast.find_other(&title, &[PieceKind::Event]), NameLookup::Nobody(_));
        if is_taken && !title.ends_with(&self.note()) {
            title = self.noted(&title);
        }
        self.cast.happen(&title);
        // Named as planned events name it, where the name is clear.
        let node = Some(hour.words().to_owned()).filter(|name| !name.is_empty());
        let piece = TimelineEvent {
            title: title.clone(),
            description: event.description.trim().to_owned(),
            timestamp: timestamp.to_owned(),
            participants,
            deaths,
            location,
            importance: event.importance.clamp(1, 10),
            outline_node: node.or_else(|| self.document.outline_node.clone()),
            mode: event.mode,
            by: by.filter(|_| !matches!(event.mode, Mode::Narrated | Mode::Flashback)),
            ..TimelineEvent::default()
        };
        self.plan.wanted.push(PlannedPiece { piece: Piece::Event(piece), quote, told });
        happens.then_some(title)
    }

    /// Returns whether the document tells a known event, and its record has no other time for it.
    fn is_told_at_planned_time(&self, known: &TimelineEvent) -> bool {
        let is_added =
            |added: &Added| added.kind == PieceKind::Event && added.id == known.id && added.field == "timestamp";
        let is_other = |differs: &Differs| differs.event == known.id && differs.field == "timestamp";
        self.plan.events.iter().any(|told| told.event == known.id)
            && !self.plan.added.iter().any(is_added)
            && !self.plan.differs.iter().any(is_other)
    }

    /// Returns the position of the known event with the title or id, unless the document made it.
    fn event_named(&self, name: &str) -> Option<usize> {
        if name.trim().is_empty() {
            return None;
        }
        let NameLookup::One(one) = self.cast.find_other(name, &[PieceKind::Event]) else { return None };
        let names = self.cast.names();
        let named = names.resolve(PieceKind::Event, &one.id).or_else(|| names.resolve(PieceKind::Event, &one.name));
        named.map(|named| named.position)
    }

    /// Returns whether somebody dead, whom the text only mentions, is left out of an event.
    fn leaves_out(&mut self, name: &str, told: &Told, here: &ToldPeople<'_>) -> bool {
        let card = self.cast.names().resolve(PieceKind::Character, name).map(|named| named.position);
        let is_out = card.is_some_and(|position| here.is_only_remembered(position, self.cast.names()));
        if is_out {
            self.reject(told, Reason::OnlyMentioned { name: name.trim().to_owned() });
        }
        is_out
    }

    fn fact<'e>(&mut self, said: &'e ToldFact, hour: &ChapterTime) -> Option<ResolvedFact<'e>> {
        let word = predicate::find(&said.predicate);
        let mut fact = Fact {
            subject: said.subject.trim().to_owned(),
            predicate: said.predicate.trim().to_owned(),
            object: said.object.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned),
            unit: said.unit.trim().to_owned(),
            mode: said.mode,
            ..Fact::default()
        };
        (fact.value, fact.unit) = value(&said.value, &fact.unit, word.map(|word| word.value));
        let told = told_piece(PieceKind::Fact, &fact.sentence(self.story.language), &said.quote, said.confidence);
        // A word such as `dies` says all by itself.
        if fact.object.is_none()
            && fact.value.is_null()
            && word.is_some_and(|word| word.value == predicate::ValueKind::Flag)
        {
            fact.value = true.into();
        }
        let says_nothing = fact.object.is_none() && fact.value.is_null();
        if fact.subject.is_empty() || fact.predicate.is_empty() || says_nothing {
            self.reject(&told, Reason::Empty);
            return None;
        }
        fact.subject = match self.cast.find(&said.subject, ENTITIES) {
            NameLookup::One(one) => one.name,
            // The answer about a card is one for all that is said of it.
            NameLookup::Nobody(_) | NameLookup::Several(_) if self.asks_about_card(&fact.subject) => return None,
            NameLookup::Nobody(of) if of.is_empty() => {
                self.reject(&told, Reason::Unknown { name: fact.subject });
                return None;
            }
            NameLookup::Nobody(of) => {
                self.ask(&told, Doubt::Same { name: fact.subject, of });
                return None;
            }
            NameLookup::Several(of) => {
                self.ask(&told, Doubt::Which { name: fact.subject, of });
                return None;
            }
        };
        if let Some(name) = &fact.object {
            let place = matches!(
                word.and_then(|word| word.role),
                Some(predicate::PredicateRole::Place | predicate::PredicateRole::Within)
            );
            let first: &[PieceKind] = if place { &[PieceKind::Location] } else { ENTITIES };
            match (self.cast.find_exactly(name, first), self.cast.find_exactly(name, ENTITIES)) {
                (NameLookup::One(one), _) | (_, NameLookup::One(one)) => fact.object = Some(one.name),
                (_, NameLookup::Several(of)) => {
                    self.ask(&told, Doubt::Which { name: name.clone(), of });
                    return None;
                }
                // An object without a card is stored as text.
                (_, NameLookup::Nobody(_)) if fact.value.is_null() => fact.value = Value::String(fact.object.take()?),
                (_, NameLookup::Nobody(_)) => fact.object = None,
            }
        }
        let quote = self.believe(&told)?;
        fact.by = said.by.as_deref().and_then(|name| self.mind(&told, name));
        (fact.from, fact.until) = hour.span(said, word);
        let is_death = said.from.trim().is_empty() && word.is_some_and(|word| word.name == "dies");
        if is_death
            && matches!(said.mode, Mode::Narrated | Mode::Flashback)
            && let Some(death) = self.death_before(&fact.subject, hour)
        {
            fact.from = death;
        }
        let since = if said.mode == Mode::Narrated { hour.words().to_owned() } else { String::new() };
        for learns in &said.known_by {
            let known = match is_everybody(&learns.who) {
                true => Some(everybody(self.story.language).to_owned()),
                false => self.mind(&told, &learns.who),
            };
            let Some(who) = known else { continue };
            if !fact.known_by.iter().any(|knower| knower.who == who) {
                fact.known_by.push(Knower { who, since: since.clone(), how: learns.how.trim().into(), told_by: None });
            }
        }
        fact.source = Some(quote);
        Some(ResolvedFact { fact, said, told })
    }

    /// Returns the date of death on somebody's card, if it lies before the chapter: a funeral is not the hour of the death.
    fn death_before(&self, name: &str, hour: &ChapterTime) -> Option<String> {
        let named = self.cast.names().resolve(PieceKind::Character, name)?;
        let death = self.story.characters[named.position].death.as_deref()?.trim();
        hour.is_after(death).then(|| death.to_owned())
    }

    /// Returns whether the author is asked what a new card with the name is.
    fn asks_about_card(&self, name: &str) -> bool {
        let folded = fold(name);
        self.plan.questions.iter().any(|question| {
            let is_card = PieceKind::CARDS.contains(&question.told.kind);
            let asked = match &question.doubt {
                Doubt::Same { name, .. } | Doubt::Which { name, .. } => fold(name),
                _ => return false,
            };
            is_card && asked == folded
        })
    }

    fn mind(&mut self, told: &Told, name: &str) -> Option<String> {
        match self.cast.find_exactly(name, MINDS) {
            NameLookup::One(Candidate { name, .. }) => Some(name),
            _ if name.trim().is_empty() => None,
            _ => {
                self.reject(told, Reason::LeftOut { name: name.trim().to_owned() });
                None
            }
        }
    }

    /// Separates existing facts from new facts.
    fn facts(&mut self, ready: Vec<ResolvedFact<'_>>) {
        let index = Arc::clone(&self.facts);
        let known = self.known(&index, &ready);
        let moving = self.moving(ready.iter().map(|ready| &ready.fact));
        let returns = returns_before(ready.iter().map(|ready| &ready.fact));
        // By the position of the wanted fact.
        let mut returns_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (ResolvedFact { fact, said, told }, returns) in ready.into_iter().zip(returns) {
            let key = (fact.subject.clone(), word(&fact.predicate));
            let same = |other: &Fact| self.is_same_fact(other, &fact, said.from.trim().is_empty());
            let known = known.get(&key).map(Vec::as_slice).unwrap_or_default();
            let is_other = |at: &usize| !self.own.contains(self.story.facts[*at].id.as_str());
            let starts = [fact.from.as_str(), ""];
            let alike = starts.into_iter().flat_map(|from| known.iter().flat_map(move |known| known.starting(from)));
            let there = alike.copied().filter(|at| is_other(at) && same(&self.story.facts[*at])).min();
            let Some(position) = there else {
                // A subject can have several names.
                let counted = || {
                    let all = known.iter().flat_map(|known| known.all()).copied().filter(|at| is_other(at));
                    all.collect::<BTreeSet<usize>>()
                };
                let earlier = self.earlier_count(&fact, said, counted, &moving).filter(|_| told.confidence < CERTAIN);
                let label = earlier.map(|earlier| changed(&earlier, &fact, said, self.story.language));
                if let Some(label) = label {
                    self.ask(&Told { label, ..told }, Doubt::Unsure);
                    continue;
                }
                let quote = fact.source.clone().unwrap_or_default();
                let is_once = |at: usize, other: &Fact| {
                    let is_again = returns_of.get(&at).is_some_and(|before| *before != returns);
                    says_the_same(other, &fact) && other.from == fact.from && is_one_saying(other, &fact, is_again)
                };
                let twice = self.plan.wanted.iter_mut().enumerate().find_map(|(at, wanted)| match &mut wanted.piece {
                    Piece::Fact(other) if is_once(at, other) => Some(other),
                    _ => None,
                });
                match twice {
                    Some(other) => gain(other, fact.known_by),
                    None => {
                        returns_of.insert(self.plan.wanted.len(), returns);
                        self.plan.wanted.push(PlannedPiece { piece: Piece::Fact(fact), quote, told });
                    }
                }
                continue;
            };
            let other = &self.story.facts[position];
            let quote = fact.source.clone().unwrap_or_default();
            for knower in &fact.known_by {
                let is_there = other
                    .known_by
                    .iter()
                    .any(|known| MINDS.iter().any(|kind| self.is_same(*kind, &known.who, &knower.who)));
                let (id, field, entry) = (other.id.clone(), "known_by".to_owned(), json!(knower));
                let new = Added { kind: PieceKind::Fact, id, field, entry, quote: quote.quote.clone() };
                if !is_there || self.was_added(&new) {
                    self.plan.added.push(new);
                }
            }
            if !self.plan.retold.iter().any(|retold| retold.id == other.id) && !other.id.is_empty() {
                self.plan.retold.push(Retold { id: other.id.clone(), source: quote });
            }
        }
    }

    /// Returns the facts in `index` with the same subject and word, for each name of the subject.
    fn known<'i>(
        &self,
        index: &'i SubjectFacts,
        ready: &[ResolvedFact<'_>],
    ) -> FxHashMap<(String, String), Vec<&'i FactPositions>> {
        let mut known: FxHashMap<(String, String), Vec<&FactPositions>> = FxHashMap::default();
        for ResolvedFact { fact, .. } in ready {
            known.entry((fact.subject.clone(), word(&fact.predicate))).or_default();
        }
        let subjects: FxHashSet<String> = known.keys().map(|(subject, _)| subject.clone()).collect();
        if subjects.is_empty() {
            return known;
        }
        for (spelling, by_word) in index.subjects() {
            let subject = match self.cast.find_exactly(spelling, ENTITIES) {
                NameLookup::One(one) if subjects.contains(&one.name) => one.name,
                _ => continue,
            };
            for (word, positions) in by_word {
                if let Some(known) = known.get_mut(&(subject.clone(), word.clone())) {
                    known.push(positions);
                }
            }
        }
        known
    }

    /// Returns whether a fact of the story states the same as `fact` for the same time; `is_open` if the chapter gives
    /// no start.
    fn is_same_fact(&self, other: &Fact, fact: &Fact, is_open: bool) -> bool {
        let is_timeless = other.from.trim().is_empty() && other.until.trim().is_empty();
        let at_once = other.from.trim() == fact.from && other.until.trim() == fact.until;
        let is_same_name = |kinds: &[PieceKind], one: Option<&str>, other: Option<&str>| match (one, other) {
            (Some(one), Some(other)) => kinds.iter().any(|kind| self.is_same(*kind, one, other)),
            (None, None) => true,
            _ => false,
        };
        (at_once || is_timeless && is_open)
            && other.mode == fact.mode
            && is_same_name(ENTITIES, other.object.as_deref(), fact.object.as_deref())
            && is_same_name(MINDS, other.by.as_deref(), fact.by.as_deref())
            && same_value(other, fact)
            && self.may_be_retold(other, fact)
    }

    /// Returns whether a fact may be told a second time. A gain of another text is another gain; one without a text is the
    /// same at the same time.
    fn may_be_retold(&self, other: &Fact, fact: &Fact) -> bool {
        change_of(&fact.value).is_none()
            || match &other.source {
                Some(source) => [self.document.id.trim(), self.document.title.trim()].contains(&source.document.trim()),
                None => !fact.from.is_empty() && other.from.trim() == fact.from,
            }
    }

    /// Returns whether the document added the entry before.
    pub(super) fn was_added(&self, new: &Added) -> bool {
        self.document.settled.as_ref().is_some_and(|settled| settled.added.iter().any(|old| old.is_of(new)))
    }
}

/// Returns the reference to a document for use in other pieces.
pub(super) fn reference(document: &Document) -> &str {
    if document.id.trim().is_empty() { document.title.trim() } else { document.id.trim() }
}

fn told_piece(kind: PieceKind, label: &str, quote: &str, confidence: f32) -> Told {
    Told { kind, label: label.to_owned(), quote: quote.trim().to_owned(), confidence }
}

fn card(one: &Introduced) -> Piece {
    let (name, description) = (one.name.trim().to_owned(), one.description.trim().to_owned());
    let alias: Vec<String> = one.alias.iter().map(|alias| alias.trim().to_owned()).collect();
    let alias = alias.into_iter().filter(|alias| !alias.is_empty() && *alias != name).collect();
    match PieceKind::from(one.kind) {
        PieceKind::Location => Piece::Location(Location { name, alias, description, ..Location::default() }),
        PieceKind::Item => Piece::Item(Item { name, alias, description, ..Item::default() }),
        PieceKind::Organisation => Piece::Organisation(Organisation { name, alias, description, id: String::new() }),
        _ => Piece::Character(Character {
            name,
            alias,
            background: description,
            role_type: RoleType::Minor,
            ..Character::default()
        }),
    }
}

/// Returns a fact, by the names of the text, and the earlier number in a line: `沈家 母鸡数 9只 → 10只`.
fn changed(earlier: &Fact, fact: &Fact, said: &ToldFact, language: Language) -> String {
    let number = |fact: &Fact| with_unit(&fact.value.to_string(), &fact.unit);
    let object = fact.object.iter().map(|object| format!(" {object}")).collect::<String>();
    let (subject, predicate) = (said.subject.trim(), predicate::written_or_shown(said.predicate.trim(), language));
    format!("{subject} {predicate}{object} {} → {}", number(earlier), number(fact))
}

/// Appends the missing knowers.
fn gain(fact: &mut Fact, known_by: Vec<Knower>) {
    for knower in known_by {
        if !fact.known_by.iter().any(|known| known.who == knower.who) {
            fact.known_by.push(knower);
        }
    }
}

/// Returns whether two equal facts of one text say something once. Two equal gains in two sentences are two gains, and so is
/// what happens again after a return.
fn is_one_saying(a: &Fact, b: &Fact, is_again: bool) -> bool {
    let quote = |fact: &Fact| fact.source.as_ref().map(|source| source.quote.clone());
    change_of(&a.value).is_none() && !is_again || quote(a) == quote(b)
}
