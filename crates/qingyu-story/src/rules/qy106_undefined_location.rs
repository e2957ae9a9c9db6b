//! QY106: something happens at a place the world does not have.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::anchor;
use super::{Draft, Material, Rule};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy106_undefined_location.toml");
    Rule::new("QY106", (Severity::Medium, Category::Completeness, "worldview"), texts, run)
}

type Places = BTreeMap<String, (BTreeSet<String>, BTreeSet<(String, String)>)>;

fn run(material: &Material<'_>) -> Vec<Draft> {
    if material.story.locations().is_empty() {
        return Vec::new();
    }
    let mut unknown = Places::new();
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
        let draft = Draft::about([key]).say("name", &name).affects(&name).quotes(places);
        draft.fix("create", Action::Create, PieceKind::Location, json!({ "name": name }))
    };
    unknown.into_iter().map(draft).collect()
}

/// Whether the world has the place, or one that the name speaks of (`九龙酒吧二楼`).
fn is_known(material: &Material<'_>, name: &str) -> bool {
    let places = [PieceKind::Location, PieceKind::Organisation];
    let mentions = material.names.mentions(name);
    name.trim().is_empty()
        || places.iter().any(|kind| material.names.knows(*kind, name))
        || mentions.iter().flat_map(|mention| &mention.bearers).any(|named| places.contains(&named.kind))
}
