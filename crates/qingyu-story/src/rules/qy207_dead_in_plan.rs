//! QY207: a planned chapter, or one of its planned events, has somebody among its participants who is dead by the written
//! text.

use serde_json::json;

use super::material::target;
use super::mortality::{DeadInPlan, found};
use super::qy201_acts_after_death::is_found;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy207_dead_in_plan.toml");
    Rule::new("QY207", (Severity::High, Category::Consistency, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    // A finding of QY201 already names the outline node among its places.
    let is_told = |one: &DeadInPlan| one.events.iter().any(|event| is_found(material, one.death.character, *event));
    found(material).iter().filter(|&one| !is_told(one)).map(|one| draft(material, one)).collect()
}

fn draft(material: &RuleMaterial<'_>, one: &DeadInPlan) -> FindingDraft {
    let story = material.story;
    let (card, node) = (&story.characters[one.death.character], &story.outline_nodes[one.node]);
    let document = &story.documents[one.death.document];
    let mut draft = FindingDraft::about([handle(card), handle(node)])
        .say("name", card.name.trim())
        .say("node", node.name.trim())
        .say("chapter", document.title.trim())
        .say("death", &one.death.quote)
        .affects(card.name.trim())
        .affects(node.name.trim())
        .quote(one.death.anchor.clone(), &one.death.quote);
    if one.in_node {
        draft = draft.quote(anchor(PieceKind::OutlineNode, node, "participants"), one.name.trim());
        // A locked plan is changed by its author alone.
        if !node.locked {
            let change = target(node, json!({ "remove_participants": [one.name] }));
            draft = draft.fix("leave_out", Action::Update, PieceKind::OutlineNode, change);
        }
    }
    let mut events: Vec<&TimelineEvent> = one.events.iter().map(|event| &story.timeline_events[*event]).collect();
    events.sort_by_key(|event| handle(*event));
    for event in events {
        let dead = |name: &&String| material.is_same_character(name, &card.name);
        let participants: Vec<&String> = event.participants.iter().filter(dead).collect();
        draft = draft
            .quote(
                anchor(PieceKind::Event, event, "participants"),
                format!("{}: {}", event.title.trim(), card.name.trim()),
            )
            .affects(event.title.trim());
        if !node.locked {
            let change = target(event, json!({ "remove_participants": participants }));
            draft = draft
                .fix("leave_out_of_event", Action::Update, PieceKind::Event, change)
                .fix_says("event", event.title.trim());
        }
    }
    draft
}
