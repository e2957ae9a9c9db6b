//! QY202: a character dies in two events, or one death is told in two ways.

use std::collections::BTreeSet;

use serde_json::json;

use super::claims::{StatementPair, doubt_fact};
use super::death_tellings::told_otherwise;
use super::material::target;
use super::telling::{deaths, may_be_back, tells_dying, the_dead_may_return};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::truth::{Entity, GroundTruth, PointId, StatementBasis, TruthStatement};
use crate::{Action, Category, Character, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy202_dies_twice.toml");
    Rule::new("QY202", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if the_dead_may_return(material) {
        return Vec::new();
    }
    let truth = material.truth();
    let mut drafts = Vec::new();
    for position in material.cast() {
        let who = Entity { kind: Some(PieceKind::Character), index: position };
        let events = material.deaths.get(&position).filter(|events| events.len() > 1);
        let is_back = |events: &BTreeSet<usize>| {
            let points = || events.iter().map(|event| truth.timeline.of_event(*event));
            points().any(|early| points().any(|late| early != late && may_be_back(truth, who, Some(early), late)))
        };
        match events {
            Some(events) if !is_back(events) => drafts.push(draft(material, position, events)),
            _ => {
                let card = &material.story.characters[position];
                let twice = told_twice(material, who).map(|pair| draft_of_facts(truth, card, pair));
                // The truth about a death may come out later.
                let otherwise = || {
                    let pair = told_otherwise(material, who)?;
                    Some(draft_of_facts(truth, card, pair).with_severity(Severity::Medium))
                };
                drafts.extend(twice.or_else(otherwise));
            }
        }
    }
    drafts
}

/// Returns a death by a fact and another death certainly before or after it.
fn told_twice<'t, 's>(material: &'t RuleMaterial<'s>, who: Entity) -> Option<StatementPair<'t, 's>> {
    let truth = material.truth();
    let mut told: Vec<_> =
        deaths(truth, who).filter(|(_, one)| !matches!(one.basis, StatementBasis::Character(..))).collect();
    told.sort_by_key(|(_, one)| one.basis.key(truth.story));
    let is_twice = |(early, first): &(PointId, &TruthStatement<'_>),
                    (late, second): &(PointId, &TruthStatement<'_>)| {
        let are_events = matches!((first.basis, second.basis), (StatementBasis::Event(..), StatementBasis::Event(..)));
        !are_events
            && !is_mention(truth, second)
            && truth.timeline.is_before(*early, *late)
            && !may_be_back(truth, who, Some(*early), *late)
    };
    told.iter().find_map(|first| Some((first.1, told.iter().find(|second| is_twice(first, second))?.1)))
}

fn draft_of_facts<'s>(truth: &GroundTruth<'s>, card: &Character, pair: StatementPair<'_, 's>) -> FindingDraft {
    let (one, other) = (pair.0.evidence(truth), pair.1.evidence(truth));
    let draft = FindingDraft::about([handle(card)])
        .say("name", card.name.trim())
        .list("events", [one.quote.clone(), other.quote.clone()])
        .affects(card.name.trim())
        .quotes([(one.anchor, one.quote), (other.anchor, other.quote)]);
    let fact = truth.asserting(pair.1).or_else(|| truth.asserting(pair.0));
    doubt_fact(draft, "untrue", fact)
}

/// Returns whether a fact read in a chapter only mentions a death: its sentence describes an earlier death.
fn is_mention(truth: &GroundTruth<'_>, statement: &TruthStatement<'_>) -> bool {
    let quote = truth.quote(statement);
    !quote.trim().is_empty() && !tells_dying(quote)
}

fn draft(material: &RuleMaterial<'_>, character: usize, events: &BTreeSet<usize>) -> FindingDraft {
    let card = &material.story.characters[character];
    let mut ordered: Vec<(usize, &TimelineEvent)> =
        events.iter().map(|position| (*position, &material.story.timeline_events[*position])).collect();
    // The first death counts: certainly without an earlier death, then by smallest id.
    ordered.sort_by_key(|(position, event)| {
        (
            events.iter().filter(|other| material.is_earlier(**other, *position)).count(),
            handle(*event),
            event.description.clone(),
        )
    });
    let mut draft = FindingDraft::about([handle(card)])
        .say("name", card.name.trim())
        .list("events", ordered.iter().map(|(_, event)| event.title.trim().to_owned()))
        .affects(card.name.trim());
    for (_, event) in &ordered {
        draft = draft.affects(event.title.trim()).quote(anchor(PieceKind::Event, *event, "deaths"), card.name.trim());
    }
    for (_, event) in ordered.iter().skip(1) {
        let is_they = |name: &&String| material.is_same_character(name, &card.name);
        let deaths: Vec<&String> = event.deaths.iter().filter(is_they).collect();
        draft = draft
            .fix("survive", Action::Update, PieceKind::Event, target(*event, json!({ "remove_deaths": deaths })))
            .fix_says("event", event.title.trim());
    }
    draft
}
