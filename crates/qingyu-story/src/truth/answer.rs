//! Queries the ground truth: facts as of a time, with their knowers and source sentences.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::derive::turned;
use super::statement::{PointSpan, StatementBasis, StatementValue};
use super::{Clock, Entity, GroundTruth, Time, TruthStatement};
use crate::chapters::ChapterLookupError;
use crate::fact_time::TimeCertainty;
use crate::holdings::{Holdings, order_of_text};
use crate::piece::PieceKind;
use crate::predicate::{Predicate, PredicateRole};
use crate::settlement::told_events;
use crate::telling::{Telling, Tellings};
use crate::time::{Moment, chronology};
use crate::{Evidence, Mode, TimelineEvent};

/// Kinship by birth, which holds whenever both live.
pub(super) const KINSHIP: [&str; 3] = ["parent_of", "child_of", "sibling_of"];

/// A question. What is left out is not restricted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The name or id of the character, place, thing, organisation, event or fact that it is about, on either side.
    pub about: Option<String>,
    /// The predicate, under any of its names.
    pub predicate: Option<String>,
    /// As of when: an event, a time in the story's words, or an outline node or document, for what has been told by
    /// its end; chapters also by their number, such as `chapter:2` or `第2章`.
    pub as_of: Option<String>,
}

/// Something that is so, or is said to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The id of the fact; none if it follows from a card, a relation or an event.
    pub fact: Option<String>,
    /// Who or what it is about.
    pub subject: String,
    /// The predicate, by its name in the vocabulary if it is there.
    pub predicate: String,
    /// What is on the other side.
    pub object: Option<String>,
    /// The value, if there is one.
    pub value: Value,
    /// The unit of the value.
    pub unit: String,
    /// How it is told. What is not narrated or told in a flashback is not certain to be so.
    pub mode: Mode,
    /// Who says so, if somebody does.
    pub by: Option<String>,
    /// Whether it certainly holds as of then; otherwise its beginning is not known.
    pub certain: bool,
    /// Who knows it by then.
    pub known_by: Vec<KnownBy>,
    /// The sentence that says so, and where it stands.
    pub says: Evidence,
    /// Further sentences and pieces that say the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Evidence>,
    /// Whether the text tells it, or it is only planned.
    #[serde(default)]
    pub telling: Telling,
    /// Whether it holds as of then by the time of an event that no text tells: the plan alone says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub planned_time: bool,
    /// Of something that is over: until when it held, as it is written, empty if nobody says; none for what holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_since: Option<String>,
}

/// Somebody who knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct KnownBy {
    /// Who.
    pub who: String,
    /// Since when, as it is written; empty if unknown.
    pub since: String,
    /// How they came to know.
    pub how: String,
}

/// A word of a question unknown to the story.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownWord {
    /// No piece has the name.
    #[error("nothing in the story is called '{0}'")]
    About(String),
    /// No statement has the predicate.
    #[error("no fact of the story has the predicate '{0}'")]
    Predicate(String),
    /// No event, time, outline node or document matches.
    #[error(
        "'{0}' is no event, time, outline node or document of the story; chapters are named like chapter:2, 'chapter 2', 第2章 or by their titles"
    )]
    AsOf(String),
    /// Several chapters match.
    #[error(transparent)]
    Chapter(ChapterLookupError),
}

impl UnknownWord {
    /// Returns the field name of the question and the unknown word.
    pub fn part(&self) -> (&'static str, &str) {
        match self {
            Self::About(word) => ("about", word),
            Self::Predicate(word) => ("predicate", word),
            Self::AsOf(word) => ("as_of", word),
            Self::Chapter(chapter) => ("as_of", chapter.given()),
        }
    }
}

/// Selects the statements that answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Statements that hold.
    Holds,
    /// Statements that held before and are over.
    Over,
}

impl<'s> GroundTruth<'s> {
    /// Returns the statements matching subject, predicate and value.
    ///
    /// As of a time, statements which certainly begin later or are certainly over are omitted, as are values certainly
    /// replaced by newer values. As of an outline node, statements told later are omitted too. A thing is only with the holder
    /// told last, as of a time of the story with the last one by then, and no longer at a place from which the text took it.
    /// What a card or a relation says without a time is certain from the beginning of the book on; the holder and the age on
    /// a card are not those before it. Retracted statements are never returned.
    ///
    /// Fails if the story does not know a word of the question.
    pub fn ask(&self, question: &Question) -> Result<Vec<Answer>, UnknownWord> {
        self.answers(question, Standing::Holds)
    }

    /// Same as [`ask`](Self::ask), of the statements with the standing.
    pub(super) fn answers(&self, question: &Question, standing: Standing) -> Result<Vec<Answer>, UnknownWord> {
        let about = question.about.as_deref().map(|name| {
            let found = self.registry_lookup(name);
            if found.is_empty() { Err(UnknownWord::About(name.to_owned())) } else { Ok(found) }
        });
        let about = about.transpose()?;
        let predicate = question.predicate.as_deref();
        let predicate =
            predicate.map(|name| self.term(name).ok_or_else(|| UnknownWord::Predicate(name.to_owned()))).transpose()?;
        // Statements about two pieces are indexed by the first word of an inverse pair, statements about a value by
        // their own.
        let inverse = predicate.and_then(turned);
        let as_of = question.as_of.as_deref().filter(|words| !words.trim().is_empty());
        let clock = self.clock();
        let now = as_of.map(|words| time_of(&clock, words)).transpose()?;
        let asked = |statement: &&TruthStatement<'s>| {
            let touches = |entity: &Entity| statement.subject == *entity || statement.object == Some(*entity);
            about.as_ref().is_none_or(|about| about.iter().any(touches))
                && predicate.is_none_or(|wanted| [Some(wanted), inverse].contains(&Some(statement.predicate)))
                && statement.mode != Mode::Retconned
        };
        let tellings = Tellings::with(self.story, Arc::clone(&self.names));
        let is_told = |at: usize| now.as_ref().is_none_or(|now| self.may_hold(&clock, self.of_fact(at), now));
        let (ended, handed_on) = match &now {
            Some(time) if time.order().is_none() => self.passed_on(&clock, time),
            _ => {
                let order = |at: usize| order_of_text(self.story, &self.names, at).filter(|_| is_told(at));
                let holdings = Holdings::of(self.story, &self.names, order);
                (holdings.ended.into_keys().collect(), holdings.handed_on)
            }
        };
        let is_ended = |statement: &TruthStatement<'s>| {
            let role = self.predicate(statement.predicate).and_then(|word| word.role);
            let is_state = matches!(role, Some(PredicateRole::Holding | PredicateRole::Place));
            is_state
                && match statement.basis {
                    StatementBasis::Fact(position) => ended.contains(&position),
                    StatementBasis::Item(position) => handed_on.contains(&position),
                    _ => false,
                }
        };
        let beginning = now.as_ref().and_then(|_| self.beginning());
        let is_before_book = now.as_ref().zip(beginning.as_ref()).is_some_and(|(now, first)| now.is_before(first));
        let is_in_book =
            now.as_ref().is_some_and(|now| now.order().is_some() || beginning.is_some()) && !is_before_book;
        let view = TruthView { truth: self, clock: &clock, now, is_in_book, tellings, told: told_events(self.story) };
        // `A is B's parent` and `B is A's child` are two relations with the same meaning.
        let relation = |statement: &TruthStatement<'s>| {
            let TruthStatement { subject, predicate, object, span, .. } = *statement;
            matches!(statement.basis, StatementBasis::Relation(_))
                .then_some((subject, predicate, object, span.from, span.until))
        };
        let holds = |statement: &TruthStatement<'s>| {
            !is_ended(statement) && view.may_hold(statement) && !view.is_replaced(statement)
        };
        let is_wanted = |statement: &&TruthStatement<'s>| match standing {
            Standing::Holds => holds(statement),
            Standing::Over => view.is_over(statement) && !holds(statement),
        };
        let is_of_beginning = |statement: &TruthStatement<'s>| {
            matches!(statement.basis, StatementBasis::Item(_) | StatementBasis::Character(_, "age"))
        };
        let wanted = self.statements.iter().filter(asked).filter(is_wanted);
        let wanted = wanted.filter(|statement| !(is_before_book && is_of_beginning(statement)));
        let answer = |statement: &TruthStatement<'s>| {
            let [_, until] = statement.basis.times(self.story);
            let over_since = (standing == Standing::Over).then(|| until.to_owned());
            Answer { over_since, ..view.answer(statement) }
        };
        let mut told: Vec<_> = wanted.map(|statement| (relation(statement), answer(statement))).collect();
        told.sort_by_cached_key(|(_, answer)| {
            let other = answer.object.clone().unwrap_or_else(|| answer.value.to_string());
            (answer.subject.clone(), answer.predicate.clone(), other, answer.says.anchor.clone())
        });
        // Sorted, so the returned relation does not depend on the order of the relations.
        let mut related = HashSet::new();
        told.retain(|(relation, _)| relation.is_none_or(|relation| related.insert(relation)));
        Ok(told.into_iter().map(|(_, answer)| answer).collect())
    }

    /// Returns the beginning of the book, if known.
    fn beginning(&self) -> Option<Moment> {
        let era = chronology::era_of(self.story);
        let time = |event: usize| self.timeline.moment(self.timeline.of_event(event)).cloned();
        chronology::beginning(self.story, &self.names, era, time).map(|begun| begun.moment)
    }

    /// Returns whether a statement has no beginning because it always holds: a birth, or kinship by birth.
    fn is_timeless(&self, statement: &TruthStatement<'s>) -> bool {
        let is_always = |word: &Predicate| word.immutable || KINSHIP.contains(&word.name.as_str());
        statement.span.from.is_none() && self.predicate(statement.predicate).is_some_and(is_always)
    }

    /// Returns whether a statement may hold at `now`; one with a guessed year may have begun in an earlier one.
    fn may_hold(&self, clock: &Clock, statement: &TruthStatement<'s>, now: &Time) -> bool {
        let may_begin_earlier = || {
            let span = PointSpan { from: None, ..statement.span };
            self.time_certainty(statement) == TimeCertainty::GuessedYear
                && clock.may_hold(&TruthStatement { span, ..statement.clone() }, now)
        };
        clock.may_hold(statement, now) || may_begin_earlier()
    }

    /// Returns the positions of the facts by which somebody holds a thing that somebody else certainly holds or gets since,
    /// or that is certainly lost, given away or destroyed since, up to `now`, a time of the story, and of the things that are
    /// then no longer with the holder on their card.
    fn passed_on(&self, clock: &Clock, now: &Time) -> (FxHashSet<usize>, FxHashSet<usize>) {
        let mut holdings: FxHashMap<Entity, Vec<(&TruthStatement<'s>, usize)>> = FxHashMap::default();
        for statement in self.statements.iter().filter(|one| one.is_narrated() && one.number().is_none()) {
            let role = self.predicate(statement.predicate).and_then(|word| word.role);
            let is_begun = statement.span.from.is_some_and(|from| clock.is_reached(from, now));
            if let (Some(PredicateRole::Holding | PredicateRole::Getting), StatementBasis::Fact(position)) =
                (role, statement.basis)
                && let Some(thing) = statement.object.filter(|_| is_begun)
            {
                holdings.entry(thing).or_default().push((statement, position));
            }
        }
        let losses = self.losses(clock, now);
        let losses_of = |thing: &Entity| losses.get(thing).into_iter().flatten();
        let mut passed = FxHashSet::default();
        for (thing, holders) in &holdings {
            for (held, position) in holders {
                let is_passed =
                    holders.iter().any(|(since, _)| since.subject != held.subject && self.comes_first(held, since));
                let is_gone = |loss: &Loss<'_, 's>| loss.is_of(held.subject) && self.comes_first(held, loss.told);
                if is_passed || losses_of(thing).any(is_gone) {
                    passed.insert(*position);
                }
            }
        }
        let of_cards = self.statements.iter().filter_map(|one| match (one.basis, one.object) {
            (StatementBasis::Item(position), Some(thing)) => Some((position, thing, one.subject)),
            _ => None,
        });
        let is_handed_on = |(_, thing, card): &(usize, Entity, Entity)| {
            let holders = || holdings.get(thing).into_iter().flatten().map(|(held, _)| *held);
            let is_back =
                |gone: &TruthStatement<'s>| holders().any(|back| back.subject == *card && self.comes_first(gone, back));
            holders().any(|held| held.subject != *card && !is_back(held))
                || losses_of(thing).any(|loss| loss.is_of(*card) && !is_back(loss.told))
        };
        let handed_on = of_cards.filter(is_handed_on).map(|(position, ..)| position).collect();
        (passed, handed_on)
    }

    /// Returns when things are lost, given away or destroyed up to `now`.
    fn losses(&self, clock: &Clock, now: &Time) -> FxHashMap<Entity, Vec<Loss<'_, 's>>> {
        let is_thing = |one: &Entity| one.kind == Some(PieceKind::Item);
        let mut losses: FxHashMap<Entity, Vec<Loss<'_, 's>>> = FxHashMap::default();
        for one in self.statements.iter().filter(|one| one.is_narrated() && !one.is_denied() && one.number().is_none())
        {
            let by = match self.predicate(one.predicate).and_then(|word| word.role) {
                Some(PredicateRole::Parting) => one.object.is_some().then_some(one.subject),
                Some(PredicateRole::Destruction) => None,
                _ => continue,
            };
            let thing = one.object.filter(is_thing).or_else(|| Some(one.subject).filter(is_thing));
            let is_begun = one.span.from.is_some_and(|from| clock.is_reached(from, now));
            if let Some(thing) = thing.filter(|_| is_begun) {
                losses.entry(thing).or_default().push(Loss { told: one, by: by.filter(|by| *by != thing) });
            }
        }
        losses
    }

    /// Returns the pieces matching a name, and the stranger with the name.
    pub(super) fn registry_lookup(&self, name: &str) -> Vec<Entity> {
        let fact = self.fact(name).map(|index| Entity { kind: Some(PieceKind::Fact), index });
        let named = self.names.meant(crate::part::ENTITIES, name).into_iter();
        let named = named.map(|named| Entity { kind: Some(named.kind), index: named.position });
        fact.into_iter().chain(named).chain(self.registry.stranger(name)).collect()
    }
}

/// The statement that a thing is lost, given away or destroyed.
struct Loss<'t, 's> {
    told: &'t TruthStatement<'s>,
    /// The person who loses it; `None` if it is gone for everybody.
    by: Option<Entity>,
}

impl Loss<'_, '_> {
    fn is_of(&self, holder: Entity) -> bool {
        self.by.is_none_or(|by| by == holder)
    }
}

/// Returns the time that the words of a question mean.
pub(super) fn time_of(clock: &Clock, words: &str) -> Result<Time, UnknownWord> {
    let time = clock.read(words).map_err(UnknownWord::Chapter)?;
    time.ok_or_else(|| UnknownWord::AsOf(words.to_owned()))
}

struct TruthView<'t, 's> {
    truth: &'t GroundTruth<'s>,
    clock: &'t Clock,
    /// The time of the query; `None` for all times.
    now: Option<Time>,
    /// Whether the time of the query is certainly not before the book.
    is_in_book: bool,
    tellings: Tellings<'s>,
    /// The events as the texts tell them, by position.
    told: Vec<Cow<'s, TimelineEvent>>,
}

impl<'s> TruthView<'_, 's> {
    fn may_hold(&self, statement: &TruthStatement<'s>) -> bool {
        self.now.as_ref().is_none_or(|now| self.truth.may_hold(self.clock, statement, now))
    }

    /// Returns whether a statement is of a state that has begun and may be over: narrated, and of more than one moment.
    fn is_over(&self, statement: &TruthStatement<'s>) -> bool {
        let span = PointSpan { until: None, ..statement.span };
        statement.is_narrated()
            && !statement.span.is_moment()
            && self.may_hold(&TruthStatement { span, ..statement.clone() })
    }

    /// Returns whether another narrated value of the same predicate, certainly begun since, holds now.
    fn is_replaced(&self, statement: &TruthStatement<'s>) -> bool {
        let is_single = self.truth.predicate(statement.predicate).is_some_and(|predicate| predicate.single);
        let (Some(from), Some(now), true) = (statement.span.from, &self.now, is_single) else { return false };
        let replaces = |other: &TruthStatement<'s>| {
            let begun = other.span.from.filter(|begun| self.clock.is_reached(*begun, now));
            other.is_narrated() && begun.is_some_and(|begun| self.clock.is_before(from, begun))
        };
        self.truth.about(statement.subject, statement.predicate).any(replaces)
    }

    /// Returns whether a statement certainly holds at the time of the query.
    fn is_certain(&self, statement: &TruthStatement<'s>) -> bool {
        let Some(now) = &self.now else { return true };
        let is_of_beginning = || {
            let is_of_card = match statement.basis {
                StatementBasis::Character(_, field) => field != "death",
                StatementBasis::Item(_) | StatementBasis::Relation(_) => true,
                StatementBasis::Fact(_) | StatementBasis::Event(..) => false,
            };
            let [since, _] = statement.basis.times(self.truth.story);
            is_of_card && since.trim().is_empty()
        };
        statement.span.from.is_some_and(|from| self.clock.is_reached(from, now))
            || self.truth.is_timeless(statement)
            || self.is_in_book && is_of_beginning()
    }

    fn answer(&self, statement: &TruthStatement<'s>) -> Answer {
        let truth = self.truth;
        let name = |entity: Entity| truth.registry.name(entity).to_owned();
        let fact = truth.asserting(statement);
        let (value, unit) = match statement.value {
            StatementValue::Nothing => (Value::Null, ""),
            StatementValue::Text(text) => (text.into(), ""),
            StatementValue::Value(value, unit) => (value.clone(), unit),
            StatementValue::Age(age) => (age.into(), ""),
        };
        let knows = |knower: &&'s crate::Knower| {
            let since = truth.timeline.known(&knower.since);
            since.zip(self.now.as_ref()).is_none_or(|(since, now)| !self.clock.is_later(since, now))
        };
        let known_by = fact.into_iter().flat_map(|fact| fact.known_by.iter().filter(knows)).map(|knower| KnownBy {
            who: truth.name_of(&knower.who),
            since: knower.since.clone(),
            how: knower.how.clone(),
        });
        let mut known_by: Vec<KnownBy> = known_by.collect();
        known_by.sort();
        let telling = match statement.basis {
            StatementBasis::Fact(position) => self.tellings.fact(&truth.story.facts[position]),
            StatementBasis::Event(position, field) => {
                self.tellings.event_field(&truth.story.timeline_events[position], field)
            }
            StatementBasis::Character(..) | StatementBasis::Item(_) | StatementBasis::Relation(_) => Telling::Noted,
        };
        let says = match (statement.basis, telling) {
            // A time that was only planned is not told.
            (StatementBasis::Event(position, _), Telling::Told { .. }) => {
                statement.evidence_at(truth, [self.told[position].timestamp.trim(), ""])
            }
            _ => statement.evidence(truth),
        };
        // The time of the question, and the bounds of the statement that are compared with it.
        let events = self.now.as_ref().and_then(Time::event).into_iter();
        let bounds = [statement.span.from, statement.span.until].into_iter().flatten();
        let mut events = events.chain(bounds.filter_map(|point| truth.timeline.event(point)));
        let is_planned = |event: usize| {
            self.tellings.event_field(&truth.story.timeline_events[event], "timestamp") == Telling::Planned
        };
        let is_compared = self.now.as_ref().is_some_and(|now| now.order().is_none());
        let planned_time = is_compared && events.any(is_planned);
        Answer {
            fact: fact.map(|fact| fact.id.clone()),
            subject: name(statement.subject),
            predicate: truth.word(statement.predicate).to_owned(),
            object: statement.object.map(name),
            value,
            unit: unit.to_owned(),
            mode: statement.mode,
            by: statement.by.map(name),
            certain: self.is_certain(statement),
            known_by,
            says,
            also: Vec::new(),
            telling,
            planned_time,
            over_since: None,
        }
    }
}

impl GroundTruth<'_> {
    /// Returns the full name of the matching character, with the given name as fallback.
    pub(super) fn name_of(&self, name: &str) -> String {
        let known = crate::part::MINDS.iter().find_map(|kind| self.names.resolve(*kind, name));
        known.map_or_else(|| name.trim().to_owned(), |named| named.name.clone())
    }
}
