//! Clauses of world rules, matched against statements.

use super::claims::lies_in;
use crate::names::fold;
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, PredicateTerm, TruthStatement};
use crate::{Clause, WorldRule};

/// A clause with resolved names.
pub(super) struct ResolvedClause<'s> {
    pub(super) rule: &'s WorldRule,
    pub(super) clause: &'s Clause,
    pub(super) predicate: PredicateTerm,
    object: Option<Entity>,
    place: Option<Entity>,
}

/// Words for everybody.
const EVERYBODY: [&str; 9] =
    ["所有人", "任何人", "人人", "一切人", "everybody", "everyone", "anybody", "anyone", "all"];

/// Returns the clauses of the kind from all rules. Skips clauses with unresolvable names.
pub(super) fn readings<'s>(
    truth: &GroundTruth<'s>,
    clause: impl Fn(&'s WorldRule) -> Option<&'s Clause>,
) -> Vec<ResolvedClause<'s>> {
    let read = |rule: &'s WorldRule| {
        let clause = clause(rule)?;
        let word = if clause.predicate.trim().is_empty() { "is_at" } else { &clause.predicate };
        let named = |name: &Option<String>| match name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
            Some(name) => truth.names.resolve(PieceKind::Location, name).map_or_else(
                || truth.registry.known(name).map(Some),
                |place| Some(Some(Entity { kind: Some(PieceKind::Location), index: place.position })),
            ),
            None => Some(None),
        };
        let says_nothing = clause.predicate.trim().is_empty() && clause.object.is_none() && clause.place.is_none();
        let (object, place) = (named(&clause.object)?, named(&clause.place)?);
        Some(ResolvedClause { rule, clause, predicate: truth.term(word)?, object, place }).filter(|_| !says_nothing)
    };
    truth.story.world_rules().iter().filter_map(read).collect()
}

impl<'s> ResolvedClause<'s> {
    /// Returns the narrated statements certainly matching the clause.
    pub(super) fn met<'t>(&self, truth: &'t GroundTruth<'s>) -> Vec<&'t TruthStatement<'s>> {
        let all = truth.with_term(self.predicate).filter(|one| one.is_narrated());
        all.filter(|one| self.is_about(truth, one) && !self.excepts(truth, one)).collect()
    }

    fn is_about(&self, truth: &GroundTruth<'s>, one: &TruthStatement<'s>) -> bool {
        let is_stay = truth.predicate(self.predicate).is_some_and(|word| word.role == Some(PredicateRole::Place));
        let is_there = |place: Entity, region: Entity| lies_in(truth, place, region);
        let object = self.object.is_none_or(|meant| {
            one.object.is_some_and(|object| object == meant || (is_stay && is_there(object, meant)))
                || one.text().is_some_and(|text| fold(text) == fold(truth.registry.name(meant)))
        });
        let place = self.place.is_none_or(|region| {
            let stay = if is_stay { one.object } else { scene(truth, one) };
            stay.is_some_and(|place| is_there(place, region))
        });
        object && place && is_one_of(truth, one.subject, &self.clause.who, one)
    }

    /// Returns whether the clause excepts the statement or its subject.
    fn excepts(&self, truth: &GroundTruth<'s>, one: &TruthStatement<'s>) -> bool {
        let told = texts(truth, one);
        self.clause.unless.iter().map(|word| word.trim()).filter(|word| !word.is_empty()).any(|word| {
            let entity = truth.registry.known(word).or_else(|| {
                let place = truth.names.resolve(PieceKind::Location, word)?;
                Some(Entity { kind: Some(PieceKind::Location), index: place.position })
            });
            let is_named = entity.is_some_and(|entity| {
                let places = [one.object, scene(truth, one)];
                one.object == Some(entity)
                    || places.into_iter().flatten().any(|place| lies_in(truth, place, entity))
                    || holds(truth, one, entity)
            });
            is_named || is_one_of(truth, one.subject, word, one) || told.iter().any(|text| text.contains(&fold(word)))
        })
    }
}

/// Returns whether a character matches a name, an occupation, a trait or an organisation. The words for everybody, and
/// an empty word, match characters only.
fn is_one_of<'s>(truth: &GroundTruth<'s>, who: Entity, word: &str, one: &TruthStatement<'s>) -> bool {
    let word = fold(word);
    let is_mind = matches!(who.kind, Some(PieceKind::Character | PieceKind::Organisation));
    if word.is_empty() || EVERYBODY.contains(&word.as_str()) {
        return who.kind == Some(PieceKind::Character);
    }
    let meant = truth.registry.known(&word);
    if meant == Some(who) || (!is_mind && fold(truth.registry.name(who)) == word) {
        return true;
    }
    let is_over = |other: &TruthStatement<'s>| {
        other.span.until.zip(one.span.from).is_some_and(|(until, now)| truth.timeline.is_before(until, now))
    };
    let holds = |other: &&TruthStatement<'s>| other.is_narrated() && !other.is_denied() && !is_over(other);
    let belongs = truth.of_role_by(who, PredicateRole::Membership).filter(holds);
    let mut described = ["occupation", "trait", "rank", "species"]
        .into_iter()
        .filter_map(|word| truth.term(word))
        .flat_map(|term| truth.about(who, term))
        .filter(holds);
    belongs.filter_map(|one| one.object).any(|one| Some(one) == meant || fold(truth.registry.name(one)) == word)
        || described.any(|one| one.text().is_some_and(|text| words(text).any(|part| part == word)))
}

/// Splits a card's field into words at commas.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(['、', '，', ',', ';', '；', '/', '|']).map(fold)
}

/// Returns the event of a statement, or the event starting its period.
fn event(truth: &GroundTruth<'_>, one: &TruthStatement<'_>) -> Option<usize> {
    truth.timeline.event(one.span.from?)
}

/// Returns the place of a statement's event.
fn scene(truth: &GroundTruth<'_>, one: &TruthStatement<'_>) -> Option<Entity> {
    let event = event(truth, one)?;
    let name = truth.story.timeline_events[event].location.as_deref()?;
    let place = truth.names.resolve(PieceKind::Location, name);
    place.map(|place| Entity { kind: Some(PieceKind::Location), index: place.position })
}

/// Returns whether the subject may have the thing at the time.
fn holds(truth: &GroundTruth<'_>, one: &TruthStatement<'_>, thing: Entity) -> bool {
    let is_over = |held: &TruthStatement<'_>| {
        held.span.until.zip(one.span.from).is_some_and(|(until, now)| truth.timeline.is_before(until, now))
    };
    let has = [PredicateRole::Holding, PredicateRole::Getting, PredicateRole::Use]
        .into_iter()
        .flat_map(|role| truth.of_role_by(one.subject, role));
    has.into_iter().any(|held| held.object == Some(thing) && !held.is_denied() && !is_over(held))
}

/// Returns the texts about a statement: its sentence, its times, and its event.
fn texts(truth: &GroundTruth<'_>, one: &TruthStatement<'_>) -> Vec<String> {
    let fact = truth.asserting(one);
    let own = fact.into_iter().flat_map(|fact| {
        [fact.from.as_str(), fact.unit.as_str(), fact.source.as_ref().map_or("", |source| source.quote.as_str())]
    });
    let event = event(truth, one).map(|event| &truth.story.timeline_events[event]);
    let event =
        event.into_iter().flat_map(|event| [&event.title, &event.description, &event.timestamp].map(String::as_str));
    own.chain(event).map(fold).collect()
}

/// Returns the clause as one line.
pub(super) fn shown(clause: &Clause) -> String {
    let parts =
        [Some(clause.who.as_str()), Some(clause.predicate.as_str()), clause.object.as_deref(), clause.place.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
