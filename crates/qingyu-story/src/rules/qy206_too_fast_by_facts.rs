//! QY206: by facts, a character travels faster than possible in the world.

use super::claims::{contradiction, question, rests_on_guess, take_out};
use super::journeys::{TravelLengths, way, ways};
use super::telling::LEAPS;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::has_any;
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::time::Moment;
use crate::truth::{GroundTruth, StatementBasis, TruthStatement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy206_too_fast_by_facts.toml");
    Rule::new("QY206", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

/// A character's presence at a place by a fact or an event: beginning, certain end, and statement.
struct FactStop<'t, 's> {
    place: usize,
    first: &'t Moment,
    last: &'t Moment,
    said: &'t TruthStatement<'s>,
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let places = truth.with_role(PredicateRole::Place).filter_map(|one| one.object);
    let places = places.filter(|place| place.kind == Some(PieceKind::Location)).map(|place| place.index);
    let ways = ways(material, &places.collect());
    if ways.is_empty() {
        return Vec::new();
    }
    let mut drafts = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        let is_stay = truth.predicate(term).is_some_and(|word| word.role == Some(PredicateRole::Place));
        let has_fact = || group.iter().any(|index| matches!(truth.statements[*index].basis, StatementBasis::Fact(_)));
        if !is_stay || subject.kind != Some(PieceKind::Character) || !has_fact() {
            continue;
        }
        let stops = stops(truth, group);
        for (index, second) in stops.iter().enumerate() {
            let first = stops[..index].iter().rev().take(BEFORE).find(|first| {
                let is_fact = [first.said, second.said].iter().any(|one| matches!(one.basis, StatementBasis::Fact(_)));
                let is_same = |a, b| truth.timeline.is_same(a, b);
                // Simultaneous statements are checked by QY409.
                is_fact
                    && !first.said.span.overlaps(second.said.span, &truth.timeline, is_same)
                    && is_too_soon(&ways, first, second)
                    && is_too_soon(&ways, second, first)
                    && !leaps(truth, [first.said, second.said])
            });
            drafts.extend(first.map(|first| draft(material, &ways, first, second)));
        }
    }
    drafts
}

/// The number of preceding stops compared with each stop.
const BEFORE: usize = 4;

/// Returns the narrated stops of a group, sorted by time.
fn stops<'t, 's>(truth: &'t GroundTruth<'s>, group: &[usize]) -> Vec<FactStop<'t, 's>> {
    let statements = group.iter().map(|index| &truth.statements[*index]);
    let stop = |said: &'t TruthStatement<'s>| {
        let place = said.object.filter(|place| place.kind == Some(PieceKind::Location))?.index;
        let first = truth.timeline.moment(said.span.from?)?;
        let last = said.span.until.and_then(|until| truth.timeline.moment(until)).unwrap_or(first);
        Some(FactStop { place, first, last, said })
    };
    let told = statements.filter(|said| said.is_narrated() && !said.is_denied());
    let mut stops: Vec<FactStop<'t, 's>> = told.filter_map(stop).collect();
    stops.sort_by_key(|stop| (stop.first.bounds(), stop.said.basis.key(truth.story)));
    stops
}

/// Returns whether the time between the end of the first stop and the beginning of the second is certainly shorter than
/// the travel time.
fn is_too_soon(ways: &TravelLengths<'_>, first: &FactStop<'_, '_>, second: &FactStop<'_, '_>) -> bool {
    let (from, to) = (first.place, second.place);
    // An upper bound of the gap: the end of a moment is exclusive.
    let gap = second.first.bounds().1 - first.last.bounds().0;
    from != to
        && first.last.is_comparable(second.first)
        && way(ways, from, to).is_some_and(|(takes, _)| gap <= takes.least - takes.slack / 2)
}

/// Returns whether the sentence or event of a stop mentions instant travel.
fn leaps(truth: &GroundTruth<'_>, said: [&TruthStatement<'_>; 2]) -> bool {
    said.into_iter().any(|one| {
        let event = one.span.from.and_then(|from| truth.timeline.event(from));
        let event = event.map(|event| &truth.story.timeline_events[event]);
        let told = event.map(|event| format!("{} {}", event.title, event.description)).unwrap_or_default();
        has_any(&told, LEAPS) || has_any(truth.quote(one), LEAPS)
    })
}

fn draft<'s>(
    material: &RuleMaterial<'s>,
    ways: &TravelLengths<'_>,
    first: &FactStop<'_, 's>,
    second: &FactStop<'_, 's>,
) -> FindingDraft {
    let truth = material.truth();
    let name = |place: usize| material.story.locations()[place].name.trim();
    let takes = way(ways, first.place, second.place).map_or("", |(_, takes)| takes);
    let [this, that] = [first, second].map(|stop| stop.said.evidence(truth).quote);
    let draft = contradiction(truth, (first.said, second.said))
        .list("names", [truth.registry.name(first.said.subject).to_owned()])
        .say("here", name(first.place))
        .say("there", name(second.place))
        .say("takes", takes)
        .say("this_time", this)
        .say("that_time", that);
    let pair = (first.said, second.said);
    match rests_on_guess(truth, pair) {
        true => question(truth, draft, "take_out", pair),
        false => take_out(truth, draft, [second.said, first.said]),
    }
}
