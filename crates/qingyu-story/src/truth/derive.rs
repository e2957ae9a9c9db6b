//! Derives the statements of a story from facts, cards, relations and events.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::entity::{Entity, Registry};
use super::frame::{Extract, StoryFrame, positions};
use super::ground::GroundTruth;
use super::knowledge::{KnowledgeSource, KnownFact};
use super::statement::{PointSpan, PredicateTerm, StatementBasis, StatementValue, TruthStatement};
use super::timeline::{PointId, Timeline};
use crate::audience::is_everybody;
use crate::fact_time::{TimeCertainty, beginning};
use crate::names::fold_word;
use crate::predicate::{self, PredicateRole};
use crate::{Fact, Knower, Mode, PieceKind, RelationKind, Story};

impl<'s> GroundTruth<'s> {
    /// Indexes the whole story.
    pub fn of(story: &'s Story) -> Self {
        Self::with(story, &StoryFrame::of(story), None)
    }

    /// Same as [`of`](Self::of), with a prebuilt frame; of the pieces other than facts, includes only pieces in
    /// `extract`.
    pub(crate) fn with(story: &'s Story, frame: &StoryFrame, extract: Option<&Extract>) -> Self {
        let names = Arc::clone(&frame.names);
        let timeline = Timeline::new(Arc::clone(&names), frame.backbone(story));
        let registry = Registry::new(story, Arc::clone(&names));
        let mut truth = Self {
            story,
            names,
            timeline,
            registry,
            statements: Vec::with_capacity(story.facts.len() + story.timeline_events.len() * 4),
            knowledge: Vec::new(),
            by_knower: FxHashMap::default(),
            by_subject: FxHashMap::default(),
            by_object: FxHashMap::default(),
            by_term: Vec::new(),
            own_words: Vec::new(),
        };
        derive(&mut truth, frame, extract);
        truth.index();
        truth
    }
}

/// Fills the statements of `truth` from all facts, and from all other pieces or only the pieces in `extract`.
fn derive(truth: &mut GroundTruth<'_>, frame: &StoryFrame, extract: Option<&Extract>) {
    let mut words = TermTable { seen: FxHashMap::default(), by_key: FxHashMap::default() };
    facts(truth, &mut words, frame);
    cards(truth, &mut words, extract);
    relations(truth, &mut words, extract);
    events(truth, &mut words, extract);
}

/// Predicate words by spelling.
struct TermTable<'s> {
    seen: FxHashMap<&'s str, PredicateTerm>,
    by_key: FxHashMap<String, PredicateTerm>,
}

impl<'s> TermTable<'s> {
    fn term(&mut self, truth: &mut GroundTruth<'s>, word: &'s str) -> PredicateTerm {
        if let Some(known) = self.seen.get(word) {
            return *known;
        }
        let number = |index: usize| PredicateTerm(u32::try_from(index).expect("words are few"));
        let term = predicate::position(word).map(number).unwrap_or_else(|| {
            let next = number(predicate::all().len() + truth.own_words.len());
            let term = *self.by_key.entry(fold_word(word)).or_insert(next);
            match truth.own_words.get_mut(term.0 as usize - predicate::all().len()) {
                // The least spelling wins, so the choice is deterministic.
                Some(known) => *known = (*known).min(word.trim()),
                None => truth.own_words.push(word.trim()),
            }
            term
        });
        self.seen.insert(word, term);
        term
    }
}

/// Returns the inverse predicate, if the word is the reversed member of a pair.
pub(crate) fn turned(term: PredicateTerm) -> Option<PredicateTerm> {
    let word = predicate::all().get(term.0 as usize)?;
    let inverse = predicate::position(word.inverse.as_deref()?)?;
    let inverse = u32::try_from(inverse).expect("words are few");
    (inverse < term.0).then_some(PredicateTerm(inverse))
}

fn facts<'s>(truth: &mut GroundTruth<'s>, words: &mut TermTable<'s>, frame: &StoryFrame) {
    let within = predicate::all()
        .iter()
        .map(|word| matches!(word.role, Some(PredicateRole::Place | PredicateRole::Within | PredicateRole::Origin)));
    let within: Vec<bool> = within.collect();
    for (position, fact) in truth.story.facts.iter().enumerate() {
        let named = fact.object.as_deref().filter(|name| !name.trim().is_empty());
        let (word, is_inverse) = match named {
            Some(_) => own_word(truth.story, &fact.predicate),
            None => (fact.predicate.as_str(), false),
        };
        let predicate = words.term(truth, word);
        let subject = truth.registry.entity(&fact.subject);
        let is_place = within.get(predicate.0 as usize) == Some(&true);
        let object = named.map(|name| match is_place {
            true => truth.registry.place(name),
            false => truth.registry.entity(name),
        });
        let [from, until] = [&fact.from, &fact.until].map(|words| point(truth, frame, fact, words));
        let span = PointSpan { from, until };
        let told = fact.source.as_ref().and_then(|source| frame.order_of_document(truth.story, &source.document));
        let order = told.or_else(|| truth.timeline.order(span.from?));
        let by = fact.by.as_deref().map(|name| truth.registry.entity(name));
        let (subject, predicate, object) = match (turned(predicate), object) {
            (Some(inverse), Some(object)) => (object, inverse, Some(subject)),
            (None, Some(object)) if is_inverse => (object, predicate, Some(subject)),
            _ => (subject, predicate, object),
        };
        if let Some(known) = object.filter(|object| object.kind == Some(PieceKind::Fact) && fact.mode == Mode::Narrated)
        {
            let role = predicate::all().get(predicate.0 as usize).and_then(|word| word.role);
            if matches!(role, Some(PredicateRole::Knowing | PredicateRole::Learning)) {
                let basis = KnowledgeSource::Stated { position, is_news: role == Some(PredicateRole::Learning) };
                let who = KnownFact { who: subject, fact: known.index, since: span.from, told_by: None, basis };
                truth.knowledge.push(who);
            }
        }
        // Everybody is nobody whose knowledge has a beginning.
        let is_one = |knower: &Knower| !knower.who.trim().is_empty() && !is_everybody(&knower.who);
        for (index, knower) in fact.known_by.iter().enumerate().filter(|(_, knower)| is_one(knower)) {
            let who = truth.registry.entity(&knower.who);
            let since = truth.timeline.point(&knower.since);
            let told_by = knower.told_by.as_deref().filter(|name| !name.trim().is_empty());
            let told_by = told_by.map(|name| truth.registry.entity(name));
            let basis = KnowledgeSource::Listed { index };
            truth.knowledge.push(KnownFact { who, fact: position, since, told_by, basis });
        }
        let value = if object.is_some() && fact.value.is_null() {
            StatementValue::Nothing
        } else {
            StatementValue::Value(&fact.value, &fact.unit)
        };
        let basis = StatementBasis::Fact(position);
        truth.statements.push(TruthStatement {
            subject,
            predicate,
            object,
            value,
            span,
            order,
            mode: fact.mode,
            by,
            basis,
        });
    }
}

/// Returns the point of a fact's time. A day that no calendar of the story has, such as one of the moon in a book with dates,
/// is in the time of the chapter that tells it.
fn point<'s>(truth: &mut GroundTruth<'s>, frame: &StoryFrame, fact: &Fact, words: &'s str) -> Option<PointId> {
    let known = truth.timeline.point(words);
    if known.is_some() || words.trim().is_empty() {
        return known;
    }
    let document = frame.names.resolve(PieceKind::Document, &fact.source.as_ref()?.document)?;
    let story: &'s Story = truth.story;
    let chapter = story.documents[document.position].outline_node.as_deref()?;
    let begun = beginning(words, fact.mode, chapter, "");
    (begun.certainty == TimeCertainty::OfChapter).then(|| truth.timeline.point(begun.words)).flatten()
}

fn cards<'s>(truth: &mut GroundTruth<'s>, words: &mut TermTable<'s>, extract: Option<&Extract>) {
    let story = truth.story;
    for position in positions(story.characters.len(), extract.map(|extract| &extract.characters)) {
        let card = &story.characters[position];
        let subject = Entity { kind: Some(PieceKind::Character), index: position };
        let mut say = |truth: &mut GroundTruth<'s>, field, word, value, span| {
            let predicate = words.term(truth, word);
            let basis = StatementBasis::Character(position, field);
            truth.statements.push(TruthStatement { subject, predicate, value, span, ..plain(basis) });
        };
        if let Some(birth) = card.birth.as_deref().filter(|birth| !birth.trim().is_empty()) {
            say(truth, "birth", "birth", StatementValue::Text(birth), PointSpan::default());
        }
        if let Some(death) = card.death.as_deref().filter(|death| !death.trim().is_empty()) {
            let span = PointSpan { from: truth.timeline.point(death), until: None };
            say(truth, "death", "dies", StatementValue::Nothing, span);
        }
        if let Some(age) = card.age {
            say(truth, "age", "age", StatementValue::Age(age), PointSpan::default());
        }
        if !card.occupation.trim().is_empty() {
            say(truth, "occupation", "occupation", StatementValue::Text(&card.occupation), PointSpan::default());
        }
        for one in &card.traits {
            say(truth, "traits", "trait", StatementValue::Text(one), PointSpan::default());
        }
    }
    for position in positions(story.items().len(), extract.map(|extract| &extract.items)) {
        let item = &story.items()[position];
        let Some(holder) = item.holder.as_deref().filter(|holder| !holder.trim().is_empty()) else { continue };
        let object = Entity { kind: Some(PieceKind::Item), index: position };
        let subject = truth.registry.entity(holder);
        let predicate = words.term(truth, "holds");
        truth.statements.push(TruthStatement {
            subject,
            predicate,
            object: Some(object),
            ..plain(StatementBasis::Item(position))
        });
    }
}

fn relations<'s>(truth: &mut GroundTruth<'s>, words: &mut TermTable<'s>, extract: Option<&Extract>) {
    let story = truth.story;
    for position in positions(story.character_relations.len(), extract.map(|extract| &extract.relations)) {
        let relation = &story.character_relations[position];
        let subject = truth.registry.entity(&relation.from);
        let object = truth.registry.entity(&relation.to);
        let mut end = |name: &'s Option<String>| name.as_deref().and_then(|name| truth.timeline.point(name));
        let span = PointSpan { from: end(&relation.since), until: end(&relation.until) };
        let order = span.from.and_then(|from| truth.timeline.order(from));
        let own = Some(relation.own_kind.as_str()).filter(|word| !word.trim().is_empty());
        // An own kind replaces mere acquaintance, and is added to any other kind.
        let is_said = own.is_none() || relation.kind != RelationKind::Knows;
        let kind: Option<&'s str> = is_said.then(|| relation_word(relation.kind));
        for word in kind.into_iter().chain(own) {
            let (word, is_inverse) = own_word(story, word);
            let predicate = words.term(truth, word);
            let (subject, predicate, object) = match turned(predicate) {
                Some(inverse) => (object, inverse, subject),
                None if is_inverse => (object, predicate, subject),
                None => (subject, predicate, object),
            };
            let basis = StatementBasis::Relation(position);
            let object = Some(object);
            truth.statements.push(TruthStatement { subject, predicate, object, span, order, ..plain(basis) });
        }
    }
}

/// Returns the first name of an author's own kind of relation, and whether the word is its inverse; other words unchanged.
fn own_word<'s>(story: &'s Story, word: &'s str) -> (&'s str, bool) {
    story.own_relation_kind(word).map_or((word, false), |(kind, is_inverse)| (kind.name.as_str(), is_inverse))
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

fn events<'s>(truth: &mut GroundTruth<'s>, words: &mut TermTable<'s>, extract: Option<&Extract>) {
    let story = truth.story;
    let [is_at, takes_part, dies] = ["is_at", "takes_part", "dies"].map(|word| words.term(truth, word));
    for position in positions(story.timeline_events.len(), extract.map(|extract| &extract.events)) {
        let event = &story.timeline_events[position];
        let point = truth.timeline.of_event(position);
        let moment = PointSpan { from: Some(point), until: Some(point) };
        let order = event.outline_node.as_deref().and_then(|name| truth.timeline.order_of_node(name));
        let place = event.location.as_deref().filter(|name| !name.trim().is_empty());
        let place = place.map(|name| truth.registry.place(name));
        let itself = Entity { kind: Some(PieceKind::Event), index: position };
        let told = |field| TruthStatement {
            span: moment,
            order,
            mode: event.mode,
            ..plain(StatementBasis::Event(position, field))
        };
        for name in &event.participants {
            let subject = truth.registry.entity(name);
            let part = TruthStatement { subject, predicate: takes_part, object: Some(itself), ..told("participants") };
            truth.statements.push(part);
            if let Some(place) = place {
                let there = TruthStatement { subject, predicate: is_at, object: Some(place), ..told("location") };
                truth.statements.push(there);
            }
        }
        for name in &event.deaths {
            let subject = truth.registry.entity(name);
            let span = PointSpan { until: None, ..moment };
            truth.statements.push(TruthStatement { subject, predicate: dies, span, ..told("deaths") });
        }
    }
}

/// Returns a narrated statement without content.
fn plain<'s>(basis: StatementBasis) -> TruthStatement<'s> {
    TruthStatement {
        subject: Entity { kind: None, index: 0 },
        predicate: PredicateTerm(0),
        object: None,
        value: StatementValue::Nothing,
        span: PointSpan::default(),
        order: None,
        mode: Mode::Narrated,
        by: None,
        basis,
    }
}
