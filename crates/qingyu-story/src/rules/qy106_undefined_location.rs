//! QY106: an event at a place unknown to the world.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::fold;
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, Story};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy106_undefined_location.toml");
    Rule::new("QY106", (Severity::Medium, Category::Completeness, "worldview"), texts, run)
}

type LocationUses = BTreeMap<String, (BTreeSet<String>, BTreeSet<(String, String)>)>;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    // Places that chapters brought are no list of places for the plan to keep to.
    let brought = brought(material.story);
    if material.story.locations().iter().all(|place| brought.contains(place.id.as_str())) {
        return Vec::new();
    }
    let mut unknown = LocationUses::new();
    let mut note = |name: &str, anchor: String| {
        if !is_known(material, name) {
            let (spellings, places) = unknown.entry(fold(name)).or_default();
            spellings.insert(name.trim().to_owned());
            places.insert((anchor, name.trim().to_owned()));
        }
    };
    for node in &material.story.outline_nodes {
        node.location.iter().for_each(|name| note(name, anchor(PieceKind::OutlineNode, node, "location")));
    }
    for event in &material.story.timeline_events {
        event.location.iter().for_each(|name| note(name, anchor(PieceKind::Event, event, "location")));
    }
    let draft = |(key, (spellings, places)): (String, (BTreeSet<String>, _))| {
        let name = spellings.into_iter().next().unwrap_or_default();
        let draft = FindingDraft::about([key]).say("name", &name).affects(&name).quotes(places);
        draft.fix("create", Action::Create, PieceKind::Location, json!({ "name": name }))
    };
    unknown.into_iter().map(draft).collect()
}

/// Returns the ids of the places that settled chapters made.
fn brought(story: &Story) -> BTreeSet<&str> {
    let made = story.documents.iter().filter_map(|document| document.settled.as_ref()).flat_map(|record| &record.made);
    made.filter(|made| made.kind == PieceKind::Location).map(|made| made.id.as_str()).collect()
}

/// Returns whether the world has the place, or a place within the name (`九龙酒吧二楼`).
fn is_known(material: &RuleMaterial<'_>, name: &str) -> bool {
    let places = [PieceKind::Location, PieceKind::Organisation];
    let mentions = material.names.mentions(name);
    name.trim().is_empty()
        || places.iter().any(|kind| material.names.knows(*kind, name))
        || mentions.iter().flat_map(|mention| &mention.bearers).any(|named| places.contains(&named.kind))
}
