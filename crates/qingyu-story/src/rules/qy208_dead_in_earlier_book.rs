//! QY208: somebody who is dead at the end of an earlier book acts in this one.

use serde_json::json;

use super::claims::in_telling_order;
use super::material::target;
use super::mortality::{
    appears_as_dead, is_back, is_event_of_the_dead, is_only_planned, named, node_of, time_words, written,
};
use super::qy205_dead_in_facts::{deeds, only_places};
use super::series::{dead, is_before_death};
use super::telling::{MEMORY, the_dead_may_return};
use super::told::{correct, leave_out, source};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::earlier::{EarlierBook, EarlierDeath};
use crate::language::has_any;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::truth::{Entity, TruthStatement};
use crate::{Action, Category, Mode, OutlineNode, Severity, TimelineEvent};

/// Maximum number of places named in the text of a finding.
const PLACES: usize = 5;

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy208_dead_in_earlier_book.toml");
    Rule::new("QY208", (Severity::High, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if the_dead_may_return(material) {
        return Vec::new();
    }
    let dead = dead(material).into_iter().filter(|(position, _)| !is_back(material, *position, 0));
    dead.filter_map(|(position, (book, death))| draft(material, position, book, death)).collect()
}

fn draft(
    material: &RuleMaterial<'_>,
    position: usize,
    book: &EarlierBook,
    death: &EarlierDeath,
) -> Option<FindingDraft> {
    let card = &material.story.characters[position];
    let (events, nodes) = (events(material, position, death), nodes(material, position, death));
    let deeds = acts(material, position, death);
    if events.is_empty() && nodes.is_empty() && deeds.is_empty() {
        return None;
    }
    let truth = material.truth();
    let said: Vec<String> = deeds.iter().map(|deed| deed.evidence(truth).quote).collect();
    let titles = events.iter().map(|event| event.title.trim().to_owned());
    let planned = nodes.iter().map(|node| node.name.trim().to_owned());
    let mut draft = FindingDraft::about([handle(card), book.key().to_owned()])
        .say("name", card.name.trim())
        .say("book", &book.title)
        .say("death", &death.quote)
        .list("places", titles.chain(planned).chain(said).take(PLACES))
        .affects(card.name.trim())
        .quote(anchor(PieceKind::Character, card, "name"), card.name.trim());
    let is_dead = |name: &&String| material.character_position(name) == Some(position);
    for event in events {
        let names: Vec<&String> = event.participants.iter().filter(is_dead).collect();
        draft = draft
            .affects(event.title.trim())
            .quote(anchor(PieceKind::Event, event, "participants"), format!("{}: {}", event.title, card.name));
        draft = leave_out(draft, material, event, "remove_participants", &names).fix_says("place", event.title.trim());
    }
    for node in nodes {
        let names: Vec<&String> = node.participants.iter().filter(is_dead).collect();
        let change = target(node, json!({ "remove_participants": names }));
        draft = draft
            .affects(node.name.trim())
            .quote(anchor(PieceKind::OutlineNode, node, "participants"), format!("{}: {}", node.name, card.name));
        // A locked plan is changed by its author alone.
        if !node.locked {
            draft = draft
                .fix("leave_out", Action::Update, PieceKind::OutlineNode, change)
                .fix_says("place", node.name.trim());
        }
    }
    for deed in deeds {
        let evidence = deed.evidence(truth);
        draft = draft.quote(evidence.anchor, evidence.quote);
        if let Some(fact) = truth.asserting(deed).filter(|fact| !fact.id.trim().is_empty()) {
            if let Some(text) = source(material, fact) {
                draft = correct(draft, text).fix_says("place", text.title.trim());
                continue;
            }
            draft = draft
                .fix("take_out", Action::Delete, PieceKind::Fact, target(fact, json!({})))
                .fix_says("fact", fact.id.trim());
        }
    }
    Some(draft)
}

/// Returns the narrated events with the character that are not certainly before the death, and speak neither of the dead
/// nor of the past.
fn events<'s>(material: &RuleMaterial<'s>, position: usize, death: &EarlierDeath) -> Vec<&'s TimelineEvent> {
    let is_there = |event: &TimelineEvent| {
        let is_named = |name: &String| material.character_position(name) == Some(position);
        event.participants.iter().any(is_named) && !event.deaths.iter().any(is_named)
    };
    let is_past = |event: &TimelineEvent| {
        let texts = [&event.title, &event.description];
        is_before_death(&event.timestamp, death) || texts.into_iter().any(|text| has_any(text, MEMORY))
    };
    let is_dead = |event: &TimelineEvent| is_event_of_the_dead(material.story, position, event);
    let narrated = material.narrated().map(|(_, event)| event);
    let mut events: Vec<&TimelineEvent> =
        narrated.filter(|event| is_there(event) && !is_past(event) && !is_dead(event)).collect();
    events.sort_by_key(|event| handle(*event));
    events
}

/// Returns the planned chapters without a text in which the character takes part alive and at present.
fn nodes<'s>(material: &RuleMaterial<'s>, position: usize, death: &EarlierDeath) -> Vec<&'s OutlineNode> {
    let story = material.story;
    let is_named = |name: &String| material.character_position(name) == Some(position);
    if !story.outline_nodes.iter().any(|node| node.participants.iter().any(is_named)) {
        return Vec::new();
    }
    let written = written(material);
    let is_past = |node: usize| {
        let is_of_node = |name: &str| node_of(material, name) == Some(node);
        let mut planned = story.timeline_events.iter().filter(|event| {
            event.outline_node.as_deref().is_some_and(is_of_node) && event.participants.iter().any(is_named)
        });
        planned.any(|event| {
            !matches!(event.mode, Mode::Narrated | Mode::Planned) || is_before_death(&event.timestamp, death)
        })
    };
    let person = named(story, position);
    let planned = story.outline_nodes.iter().enumerate().filter(|(node, one)| {
        let takes_part = one.participants.iter().any(is_named);
        takes_part
            && is_only_planned(material, &written, *node)
            && !appears_as_dead(&person, &story.characters[position], one)
            && !is_past(*node)
    });
    let mut nodes: Vec<&OutlineNode> = planned.map(|(_, node)| node).collect();
    nodes.sort_by_key(|node| (node.order, handle(*node)));
    nodes
}

/// Returns the statements by which the character acts, except those certainly before the death.
fn acts<'t, 's>(material: &'t RuleMaterial<'s>, position: usize, death: &EarlierDeath) -> Vec<&'t TruthStatement<'s>> {
    let truth = material.truth();
    let who = Entity { kind: Some(PieceKind::Character), index: position };
    let is_past =
        |deed: &TruthStatement<'_>| is_before_death(time_words(material, deed.basis.times(truth.story)[0]), death);
    let found = deeds(truth, who).filter(|deed| !only_places(truth, deed) && !is_past(deed));
    let mut found: Vec<&TruthStatement<'s>> = found.collect();
    in_telling_order(truth, &mut found);
    found.dedup_by_key(|deed| deed.basis);
    found
}
