//! QY103: an important character never appears.

use std::collections::BTreeSet;

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, OutlineNode, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy103_unused_character.toml");
    Rule::new("QY103", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if material.story.outline_nodes.is_empty() {
        return Vec::new();
    }
    let appearances = material.appearances();
    let cast = material.story.characters.iter().enumerate();
    let mut unused: Vec<(usize, &Character)> = cast
        .filter(|(position, card)| {
            let carries = matches!(card.role_type, RoleType::Antagonist | RoleType::Supporting);
            carries && !card.name.trim().is_empty() && !appearances.contains_key(position)
        })
        .collect();
    // A character in the written chapters counts as appearing, regardless of the outline. The texts are searched only
    // while a character is missing.
    for document in material.story.documents.iter().filter(|document| document.order > 0) {
        if unused.is_empty() {
            break;
        }
        let mentions = material.names.mentions(&document.text);
        let in_part = material.names.mentions_in_part_beside(&document.text, &mentions);
        let named: BTreeSet<usize> = mentions
            .iter()
            .flat_map(|mention| &mention.bearers)
            .filter(|named| named.kind == PieceKind::Character)
            .map(|named| named.position)
            .chain(in_part.into_iter().map(|(_, position)| position))
            .collect();
        unused.retain(|(position, _)| !named.contains(position));
    }
    unused.into_iter().map(|(_, card)| draft(material, card)).collect()
}

fn draft(material: &RuleMaterial<'_>, card: &Character) -> FindingDraft {
    let draft = FindingDraft::about([handle(card)])
        .say("name", card.name.trim())
        .affects(card.name.trim())
        .quote(anchor(PieceKind::Character, card, "name"), card.name.trim());
    let Some(node) = best_node(material, card) else { return draft };
    draft
        .affects(node.name.trim())
        .fix(
            "bring_in",
            Action::Update,
            PieceKind::OutlineNode,
            target(node, json!({ "add_participants": [card.name.trim()] })),
        )
        .fix_says("node", node.name.trim())
}

/// Returns the node with most of the character's related characters; of several, the earliest.
fn best_node<'s>(material: &RuleMaterial<'s>, card: &Character) -> Option<&'s OutlineNode> {
    let relations = material.story.character_relations.iter().filter_map(|relation| {
        if material.is_same_character(&relation.from, &card.name) {
            Some(&relation.to)
        } else {
            material.is_same_character(&relation.to, &card.name).then_some(&relation.from)
        }
    });
    let known: Vec<&String> = relations.collect();
    let familiar = |node: &OutlineNode| {
        let is_known = |name: &&String| known.iter().any(|other| material.is_same_character(other, name));
        node.participants.iter().filter(is_known).count()
    };
    material.story.outline_nodes.iter().min_by_key(|node| {
        (
            std::cmp::Reverse(familiar(node)),
            node.participants.len(),
            node.order,
            handle(*node),
            node.description.clone(),
        )
    })
}
