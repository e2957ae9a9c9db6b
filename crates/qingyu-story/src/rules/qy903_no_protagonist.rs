//! QY903: a cast without a protagonist.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::placeholder::is_unwritten;
use crate::{Action, Category, OutlineNode, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy903_no_protagonist.toml");
    Rule::new("QY903", (Severity::High, Category::Completeness, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let cast = &material.story.characters;
    // Only minor characters and an empty outline indicate an imported manuscript, with roles not yet assigned.
    let has_roles = cast.iter().any(|card| card.role_type != RoleType::Minor);
    let is_planned = |node: &OutlineNode| !node.participants.is_empty() || !is_unwritten(&node.description);
    let is_read = !has_roles && !material.story.outline_nodes.iter().any(is_planned);
    if cast.is_empty() || is_read || cast.iter().any(|card| card.role_type == RoleType::Protagonist) {
        return Vec::new();
    }
    let appearances = material.appearances();
    let mut by_appearance: Vec<usize> =
        (0..cast.len()).filter(|position| !cast[*position].name.trim().is_empty()).collect();
    by_appearance.sort_by_key(|position| {
        let card = &cast[*position];
        let is_other_side = card.role_type == RoleType::Antagonist;
        (is_other_side, std::cmp::Reverse(appearances.get(position).copied().unwrap_or_default()), handle(card))
    });
    let mut draft = FindingDraft::about(["protagonist"]);
    for position in &by_appearance {
        let card = &cast[*position];
        draft = draft.quote(anchor(PieceKind::Character, card, "role_type"), card.name.trim());
    }
    let Some(most) = by_appearance.first().map(|position| &cast[*position]) else { return Vec::new() };
    let parameters = target(most, json!({ "role_type": RoleType::Protagonist }));
    let draft = draft.say("name", most.name.trim()).affects(most.name.trim());
    vec![draft.fix("raise", Action::Update, PieceKind::Character, parameters)]
}
