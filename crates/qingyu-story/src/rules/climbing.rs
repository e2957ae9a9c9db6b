//! Places on ladders, in certain order.

use rustc_hash::FxHashMap;

use super::RuleMaterial;
use crate::Ladder;
use crate::ladder::standing::LadderPlace;
use crate::panel::change_of;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, PredicateTerm, TruthStatement};

/// The places of one character on one ladder, from the first to the last.
pub(super) struct Climb<'t, 's> {
    pub(super) ladder: &'s Ladder,
    pub(super) subject: Entity,
    pub(super) rungs: Vec<Rung<'t, 's>>,
}

/// A place on a ladder, with its statement.
#[derive(Clone, Copy)]
pub(super) struct Rung<'t, 's> {
    pub(super) statement: &'t TruthStatement<'s>,
    pub(super) standing: LadderPlace,
}

/// Returns all climbs with certain order. Statements without a time or a chapter are ignored.
pub(super) fn climbs<'t, 's>(material: &'t RuleMaterial<'s>) -> Vec<Climb<'t, 's>> {
    let truth = material.truth();
    let mut climbs = Vec::new();
    let ladders = material.story.ladders();
    if ladders.is_empty() {
        return climbs;
    }
    // Many subjects share few words, and a ladder's names are folded for each comparison.
    let mut by_term: FxHashMap<PredicateTerm, Option<&'s Ladder>> = FxHashMap::default();
    for (subject, term, group) in truth.by_subject() {
        let find = || ladders.iter().find(|ladder| ladder.is_called(truth.word(term)));
        let Some(ladder) = *by_term.entry(term).or_insert_with(find) else { continue };
        if !truth.registry.is_clear(subject) {
            continue;
        }
        let statements = group.iter().map(|index| &truth.statements[*index]).filter(|one| one.is_narrated());
        let placed = statements.filter(|one| is_placed(one) && truth.ladder_place(ladder, one).is_some()).collect();
        let Some(ordered) = ordered(truth, placed) else { continue };
        let rung = |statement| Some(Rung { statement, standing: truth.ladder_place(ladder, statement)? });
        climbs.push(Climb { ladder, subject, rungs: ordered.into_iter().filter_map(rung).collect() });
    }
    climbs
}

/// Returns whether a statement has a time or a chapter.
pub(super) fn is_placed(statement: &TruthStatement<'_>) -> bool {
    statement.span.from.is_some() || statement.order.is_some()
}

/// Sorts statements by [`GroundTruth::begins_earlier`]. Of equal values at one time, the first is kept; returns `None`
/// if the order of two different values is not certain.
pub(super) fn ordered<'t, 's>(
    truth: &GroundTruth<'s>,
    mut statements: Vec<&'t TruthStatement<'s>>,
) -> Option<Vec<&'t TruthStatement<'s>>> {
    let timeline = &truth.timeline;
    let point = |one: &TruthStatement<'s>| one.span.from.and_then(|from| timeline.place(from));
    let line = statements.first().and_then(|one| point(one)).map(|(line, ..)| line);
    let is_one_line = line.is_some() && statements.iter().all(|one| point(one).map(|(line, ..)| line) == line);
    let start = |one: &TruthStatement<'s>| truth.sentence_of(one).map_or(0, |(_, start)| start);
    let key = |one: &TruthStatement<'s>| one.basis.key(truth.story);
    match is_one_line {
        true => statements.sort_by_key(|one| (point(one), start(one), key(one))),
        false => {
            let order = |one: &TruthStatement<'s>| one.span.from.and_then(|from| timeline.order(from)).or(one.order);
            statements.sort_by_key(|one| (order(one), start(one), key(one)));
        }
    }
    let mut sorted: Vec<&'t TruthStatement<'s>> = Vec::with_capacity(statements.len());
    for next in statements {
        match sorted.last() {
            Some(last) if !truth.begins_earlier(last, next) => {
                let values = [*last, next].map(|one| truth.asserting(one).map(|fact| &fact.value));
                let is_change = values[1].is_some_and(|value| change_of(value).is_some());
                if values[0] != values[1] || is_change {
                    return None;
                }
            }
            _ => sorted.push(next),
        }
    }
    Some(sorted)
}

/// Returns whether a statement with one of the roles may explain a change between two statements about its subject: it is
/// not certainly earlier than the first, and not certainly later than the second.
pub(super) fn may_explain<'s>(
    truth: &GroundTruth<'s>,
    subject: Entity,
    roles: &[PredicateRole],
    (first, second): (&TruthStatement<'s>, &TruthStatement<'s>),
) -> bool {
    let told = roles.iter().flat_map(|role| truth.of_role_by(subject, *role));
    told.filter(|one| !one.is_denied())
        .any(|one| !truth.begins_earlier(one, first) && !truth.begins_earlier(second, one))
}

/// Returns a place on a ladder in the words of its fact.
pub(super) fn shown<'s>(truth: &GroundTruth<'s>, rung: Rung<'_, 's>) -> String {
    rung.statement.shown(truth)
}

/// Returns the beginning of a statement in words for another fact: its time, or the chapter of its sentence.
pub(super) fn beginning<'s>(truth: &GroundTruth<'s>, statement: &TruthStatement<'s>) -> String {
    let fact = truth.asserting(statement);
    let from = fact.map_or("", |fact| fact.from.trim());
    let document = fact.and_then(|fact| fact.source.as_ref()).map_or("", |source| source.document.trim());
    if from.is_empty() { document.to_owned() } else { from.to_owned() }
}
