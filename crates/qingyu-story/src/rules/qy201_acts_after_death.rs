//! QY201: a character takes part in an event after death.

use serde_json::json;

use super::claims::in_telling_order;
use super::material::target;
use super::mortality::is_event_of_the_dead;
use super::telling::{deaths, may_be_back, the_dead_may_return};
use super::told::{leave_out, teller};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::phrase::in_brackets;
use crate::piece::PieceKind;
use crate::truth::{Entity, GroundTruth, PointId, StatementBasis, TruthStatement};
use crate::{Action, Category, Character, Language, OutlineNode, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy201_acts_after_death.toml");
    Rule::new("QY201", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if the_dead_may_return(material) {
        return Vec::new();
    }
    let mut drafts = Vec::new();
    for position in material.cast().filter(|one| is_mortal(material, *one)) {
        for late in material.attendance().events(position) {
            let event = &material.story.timeline_events[*late];
            let card = &material.story.characters[position];
            let death = death_before(material, position, *late);
            if let Some(death) = death.filter(|_| !is_event_of_the_dead(material.story, position, event)) {
                drafts.push(draft(material, card, event, death));
            }
        }
    }
    drafts
}

/// Returns whether the rule finds that the character takes part in the event after death, in a world without returns.
pub(super) fn is_found(material: &RuleMaterial<'_>, position: usize, late: usize) -> bool {
    is_mortal(material, position)
        && material.cast().any(|one| one == position)
        && material.attendance().events(position).contains(&late)
        && death_before(material, position, late).is_some()
        && !is_event_of_the_dead(material.story, position, &material.story.timeline_events[late])
}

/// Returns whether anything states the character's death.
fn is_mortal(material: &RuleMaterial<'_>, position: usize) -> bool {
    let who = Entity { kind: Some(PieceKind::Character), index: position };
    material.story.characters[position].death.is_some() || deaths(material.truth(), who).next().is_some()
}

/// Returns the evidence of the character's death certainly before the event, without a revival.
fn death_before(material: &RuleMaterial<'_>, position: usize, late: usize) -> Option<(String, String)> {
    let truth = material.truth();
    let who = Entity { kind: Some(PieceKind::Character), index: position };
    let then = truth.timeline.of_event(late);
    let is_final = |death| !may_be_back(truth, who, death, then);
    let card = &material.story.characters[position];
    let deaths = material.deaths.get(&position).into_iter().flatten();
    let earlier = deaths.filter(|early| {
        let point = truth.timeline.of_event(**early);
        (material.attendance().is_after_event(**early, late) || truth.timeline.is_before(point, then))
            && is_final(Some(point))
    });
    let mut events: Vec<&TimelineEvent> = earlier.map(|early| &material.story.timeline_events[*early]).collect();
    events.sort_by_key(|event| handle(*event));
    if let Some(event) = events.first() {
        let when = when(event, material.story.language);
        return Some((anchor(PieceKind::Event, *event, "deaths"), format!("{}{when}: {}", event.title, card.name)));
    }
    let is_disputed = is_disputed(material, position);
    let is_of_card = |one: &TruthStatement<'_>| matches!(one.basis, StatementBasis::Character(..));
    let told = deaths_told(truth, who, then).filter(|(_, one)| !(is_disputed && is_of_card(one)));
    let mut told: Vec<_> = told.filter(|(death, _)| is_final(Some(*death))).map(|(_, one)| one).collect();
    in_telling_order(truth, &mut told);
    if let Some(death) = told.first() {
        let evidence = death.evidence(truth);
        return Some((evidence.anchor, evidence.quote));
    }
    let is_certain = !is_disputed && material.attendance().is_after_card(position, late) && is_final(None);
    is_certain.then(|| (anchor(PieceKind::Character, card, "death"), card.death.clone().unwrap_or_default()))
}

/// Returns the time of the event as a remark; empty if it has none.
fn when(event: &TimelineEvent, language: Language) -> String {
    if event.timestamp.is_empty() { String::new() } else { in_brackets(&event.timestamp, language) }
}

/// Returns whether an event tells the death later than the card has it: a disagreement of its own (QY308).
fn is_disputed(material: &RuleMaterial<'_>, position: usize) -> bool {
    let date = material.story.characters[position].death.as_deref();
    let timeline = &material.truth().timeline;
    let Some(date) = date.and_then(|date| timeline.moment_of(date)) else { return false };
    let mut events = material.deaths.get(&position).into_iter().flatten();
    events.any(|event| timeline.moment(timeline.of_event(*event)).is_some_and(|moment| date.is_before(moment)))
}

/// Returns the deaths by facts and cards certainly before `then`.
fn deaths_told<'t, 's>(
    truth: &'t GroundTruth<'s>,
    who: Entity,
    then: PointId,
) -> impl Iterator<Item = (PointId, &'t TruthStatement<'s>)> {
    let told = deaths(truth, who).filter(|(_, one)| !matches!(one.basis, StatementBasis::Event(..)));
    told.filter(move |(death, _)| truth.timeline.is_before(*death, then))
}

fn draft(
    material: &RuleMaterial<'_>,
    card: &Character,
    event: &TimelineEvent,
    death: (String, String),
) -> FindingDraft {
    let dead = |name: &&String| material.is_same_character(name, &card.name);
    let participants: Vec<&String> = event.participants.iter().filter(dead).collect();
    let when = when(event, material.story.language);
    let draft = FindingDraft::about([handle(card), handle(event)])
        .say("name", card.name.trim())
        .say("event", event.title.trim())
        .say("death", &death.1)
        .affects(card.name.trim())
        .affects(event.title.trim())
        .quotes([death])
        .quote(anchor(PieceKind::Event, event, "participants"), format!("{}{when}: {}", event.title, card.name));
    let draft = leave_out(draft, material, event, "remove_participants", &participants);
    let Some(node) = plan(material, event) else { return draft };
    let planned: Vec<&String> = node.participants.iter().filter(dead).collect();
    let Some(name) = planned.first() else { return draft };
    let draft =
        draft.quote(anchor(PieceKind::OutlineNode, node, "participants"), name.trim()).affects(node.name.trim());
    // A locked plan is changed by its author alone.
    if node.locked {
        return draft;
    }
    let change = target(node, json!({ "remove_participants": planned }));
    draft.fix("leave_out_of_plan", Action::Update, PieceKind::OutlineNode, change).fix_says("node", node.name.trim())
}

/// Returns the outline node that an event is planned for, if no text tells it.
fn plan<'s>(material: &RuleMaterial<'s>, event: &TimelineEvent) -> Option<&'s OutlineNode> {
    let node = material.outline_node(event.outline_node.as_deref()?)?;
    teller(material, event).is_none().then_some(node)
}
