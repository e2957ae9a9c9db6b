//! The statements of a story: those of its facts, and those that follow from cards, relations and events.

use rustc_hash::FxHashMap;

use super::frame::{Extract, Frame, positions};
use super::knowledge::{Acquaintance, Knowledge};
use super::statement::Given;
use super::{Basis, Entity, GroundTruth, Span, Statement, Term};
use crate::predicate::{self, Role};
use crate::{Mode, PieceKind, RelationKind};

/// Fills the statements of `truth`: those of all facts, and those of all other pieces or of those in `extract`.
pub(super) fn derive(truth: &mut GroundTruth<'_>, frame: &Frame, extract: Option<&Extract>) {
    let mut words = Words { seen: FxHashMap::default(), by_key: FxHashMap::default() };
    facts(truth, &mut words, frame);
    cards(truth, &mut words, extract);
    relations(truth, &mut words, extract);
    events(truth, &mut words, extract);
}

/// Words by their spelling.
struct Words<'s> {
    seen: FxHashMap<&'s str, Term>,
    by_key: FxHashMap<String, Term>,
}

impl<'s> Words<'s> {
    fn term(&mut self, truth: &mut GroundTruth<'s>, word: &'s str) -> Term {
        if let Some(known) = self.seen.get(word) {
            return *known;
        }
        let number = |index: usize| Term(u32::try_from(index).expect("words are few"));
        let term = predicate::position(word).map(number).unwrap_or_else(|| {
            let next = number(predicate::all().len() + truth.own_words.len());
            let term = *self.by_key.entry(predicate::key(word)).or_insert(next);
            match truth.own_words.get_mut(term.0 as usize - predicate::all().len()) {
                // Of several spellings always the same one.
                Some(known) => *known = (*known).min(word.trim()),
                None => truth.own_words.push(word.trim()),
            }
            term
        });
        self.seen.insert(word, term);
        term
    }
}

/// Whether the word is the one of two inverse words that is turned round.
pub(crate) fn turned(term: Term) -> Option<Term> {
    let word = predicate::all().get(term.0 as usize)?;
    let inverse = predicate::position(word.inverse.as_deref()?)?;
    let inverse = u32::try_from(inverse).expect("words are few");
    (inverse < term.0).then_some(Term(inverse))
}

fn facts<'s>(truth: &mut GroundTruth<'s>, words: &mut Words<'s>, frame: &Frame) {
    let within =
        predicate::all().iter().map(|word| matches!(word.role, Some(Role::Place | Role::Within | Role::Origin)));
    let within: Vec<bool> = within.collect();
    for (position, fact) in truth.story.facts.iter().enumerate() {
        let predicate = words.term(truth, &fact.predicate);
        let subject = truth.registry.entity(&fact.subject);
        let is_place = within.get(predicate.0 as usize) == Some(&true);
        let named = fact.object.as_deref().filter(|name| !name.trim().is_empty());
        let object = named.map(|name| match is_place {
            true => truth.registry.place(name),
            false => truth.registry.entity(name),
        });
        let span = Span { from: truth.timeline.point(&fact.from), until: truth.timeline.point(&fact.until) };
        let told = fact.source.as_ref().and_then(|source| frame.order_of_document(truth.story, &source.document));
        let order = told.or_else(|| truth.timeline.order(span.from?));
        let by = fact.by.as_deref().map(|name| truth.registry.entity(name));
        let (subject, predicate, object) = match (turned(predicate), object) {
            (Some(inverse), Some(object)) => (object, inverse, Some(subject)),
            _ => (subject, predicate, object),
        };
        if let Some(known) = object.filter(|object| object.kind == Some(PieceKind::Fact) && fact.mode == Mode::Narrated)
        {
            let role = predicate::all().get(predicate.0 as usize).and_then(|word| word.role);
            if matches!(role, Some(Role::Knowing | Role::Learning)) {
                let basis = Acquaintance::Stated { position, is_news: role == Some(Role::Learning) };
                let who = Knowledge { who: subject, fact: known.index, since: span.from, told_by: None, basis };
                truth.knowledge.push(who);
            }
        }
        for (index, knower) in fact.known_by.iter().enumerate().filter(|(_, knower)| !knower.who.trim().is_empty()) {
            let who = truth.registry.entity(&knower.who);
            let since = truth.timeline.point(&knower.since);
            let told_by = knower.told_by.as_deref().filter(|name| !name.trim().is_empty());
            let told_by = told_by.map(|name| truth.registry.entity(name));
            let basis = Acquaintance::Listed { index };
            truth.knowledge.push(Knowledge { who, fact: position, since, told_by, basis });
        }
        let value = if object.is_some() && fact.value.is_null() {
            Given::Nothing
        } else {
            Given::Value(&fact.value, &fact.unit)
        };
        let basis = Basis::Fact(position);
        truth.statements.push(Statement { subject, predicate, object, value, span, order, mode: fact.mode, by, basis });
    }
}

fn cards<'s>(truth: &mut GroundTruth<'s>, words: &mut Words<'s>, extract: Option<&Extract>) {
    let story = truth.story;
    for position in positions(story.characters.len(), extract.map(|extract| &extract.characters)) {
        let card = &story.characters[position];
        let subject = Entity { kind: Some(PieceKind::Character), index: position };
        let mut say = |truth: &mut GroundTruth<'s>, field, word, value, span| {
            let predicate = words.term(truth, word);
            let basis = Basis::Character(position, field);
            truth.statements.push(Statement { subject, predicate, value, span, ..plain(basis) });
        };
        if let Some(birth) = card.birth.as_deref().filter(|birth| !birth.trim().is_empty()) {
            say(truth, "birth", "birth", Given::Text(birth), Span::default());
        }
        if let Some(death) = card.death.as_deref().filter(|death| !death.trim().is_empty()) {
            let span = Span { from: truth.timeline.point(death), until: None };
            say(truth, "death", "dies", Given::Nothing, span);
        }
        if let Some(age) = card.age {
            say(truth, "age", "age", Given::Age(age), Span::default());
        }
        if !card.occupation.trim().is_empty() {
            say(truth, "occupation", "occupation", Given::Text(&card.occupation), Span::default());
        }
        for one in &card.traits {
            say(truth, "traits", "trait", Given::Text(one), Span::default());
        }
    }
    for position in positions(story.items().len(), extract.map(|extract| &extract.items)) {
        let item = &story.items()[position];
        let Some(holder) = item.holder.as_deref().filter(|holder| !holder.trim().is_empty()) else { continue };
        let object = Entity { kind: Some(PieceKind::Item), index: position };
        let subject = truth.registry.entity(holder);
        let predicate = words.term(truth, "holds");
        truth.statements.push(Statement { subject, predicate, object: Some(object), ..plain(Basis::Item(position)) });
    }
}

fn relations<'s>(truth: &mut GroundTruth<'s>, words: &mut Words<'s>, extract: Option<&Extract>) {
    let story = truth.story;
    for position in positions(story.character_relations.len(), extract.map(|extract| &extract.relations)) {
        let relation = &story.character_relations[position];
        let predicate = words.term(truth, relation_word(relation.kind));
        let subject = truth.registry.entity(&relation.from);
        let object = truth.registry.entity(&relation.to);
        let mut end = |name: &'s Option<String>| name.as_deref().and_then(|name| truth.timeline.point(name));
        let span = Span { from: end(&relation.since), until: end(&relation.until) };
        let order = span.from.and_then(|from| truth.timeline.order(from));
        let (subject, predicate, object) = match turned(predicate) {
            Some(inverse) => (object, inverse, subject),
            None => (subject, predicate, object),
        };
        let basis = Basis::Relation(position);
        truth.statements.push(Statement { subject, predicate, object: Some(object), span, order, ..plain(basis) });
    }
}

fn relation_word(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Knows => "acquainted_with",
        RelationKind::Friend => "friend_of",
        RelationKind::Enemy => "enemy_of",
        RelationKind::Family => "family_of",
        RelationKind::Lover => "lover_of",
        RelationKind::Rival => "rival_of",
        RelationKind::Ally => "ally_of",
        RelationKind::Sibling => "sibling_of",
        RelationKind::ParentOf => "parent_of",
        RelationKind::ChildOf => "child_of",
        RelationKind::MentorOf => "mentor_of",
        RelationKind::StudentOf => "student_of",
        RelationKind::EmployerOf => "employer_of",
        RelationKind::EmployeeOf => "employee_of",
    }
}

fn events<'s>(truth: &mut GroundTruth<'s>, words: &mut Words<'s>, extract: Option<&Extract>) {
    let story = truth.story;
    let [is_at, takes_part, dies] = ["is_at", "takes_part", "dies"].map(|word| words.term(truth, word));
    for position in positions(story.timeline_events.len(), extract.map(|extract| &extract.events)) {
        let event = &story.timeline_events[position];
        let point = truth.timeline.of_event(position);
        let moment = Span { from: Some(point), until: Some(point) };
        let order = event.outline_node.as_deref().and_then(|name| truth.timeline.order_of_node(name));
        let place = event.location.as_deref().filter(|name| !name.trim().is_empty());
        let place = place.map(|name| truth.registry.place(name));
        let itself = Entity { kind: Some(PieceKind::Event), index: position };
        let told = |field| Statement { span: moment, order, mode: event.mode, ..plain(Basis::Event(position, field)) };
        for name in &event.participants {
            let subject = truth.registry.entity(name);
            let part = Statement { subject, predicate: takes_part, object: Some(itself), ..told("participants") };
            truth.statements.push(part);
            if let Some(place) = place {
                let there = Statement { subject, predicate: is_at, object: Some(place), ..told("location") };
                truth.statements.push(there);
            }
        }
        for name in &event.deaths {
            let subject = truth.registry.entity(name);
            let span = Span { until: None, ..moment };
            truth.statements.push(Statement { subject, predicate: dies, span, ..told("deaths") });
        }
    }
}

/// A narrated statement about nothing yet.
fn plain<'s>(basis: Basis) -> Statement<'s> {
    Statement {
        subject: Entity { kind: None, index: 0 },
        predicate: Term(0),
        object: None,
        value: Given::Nothing,
        span: Span::default(),
        order: None,
        mode: Mode::Narrated,
        by: None,
        basis,
    }
}
