//! QY904: a protagonist absent from the outline.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy904_absent_protagonist.toml");
    Rule::new("QY904", (Severity::High, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if material.story.outline_nodes.is_empty() {
        return Vec::new();
    }
    let participants = material.story.outline_nodes.iter().flat_map(|node| &node.participants);
    let named: Vec<usize> = participants
        .flat_map(|name| material.names.find(PieceKind::Character, name))
        .map(|named| named.position)
        .collect();
    let in_prose = |position: usize| {
        let prose = material.passages.iter().filter(|passage| passage.kind == PieceKind::OutlineNode);
        prose
            .flat_map(|passage| &passage.mentions)
            .any(|(kind, one, _)| *kind == PieceKind::Character && *one == position)
    };
    // `主角` in the text refers to the only protagonist.
    let is_only = material.story.characters.iter().filter(|card| card.role_type == RoleType::Protagonist).count() == 1;
    let by_part = is_only
        && material.story.outline_nodes.iter().any(|node| {
            let text = format!("{} {}", node.description, node.participants.join(" "));
            ["主角", "主人公", "protagonist"].iter().any(|word| text.contains(word))
        });
    let cast = material.story.characters.iter().enumerate();
    let absent = cast.filter(|(position, card)| {
        let is_meant = card.role_type == RoleType::Protagonist && !card.name.trim().is_empty();
        is_meant && !by_part && !named.contains(position) && !in_prose(*position)
    });
    absent.map(|(_, card)| draft(material, card)).collect()
}

fn draft(material: &RuleMaterial<'_>, card: &Character) -> FindingDraft {
    let draft = FindingDraft::about([handle(card)])
        .say("name", card.name.trim())
        .affects(card.name.trim())
        .quote(anchor(PieceKind::Character, card, "role_type"), card.name.trim());
    let nodes = material.story.outline_nodes.iter();
    let Some(first) = nodes.min_by_key(|node| (node.order, handle(*node), node.description.clone())) else {
        return draft;
    };
    let parameters = target(first, json!({ "add_participants": [card.name.trim()] }));
    draft.fix("bring_in", Action::Update, PieceKind::OutlineNode, parameters).fix_says("node", first.name.trim())
}
