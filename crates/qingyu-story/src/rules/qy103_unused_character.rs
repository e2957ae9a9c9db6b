//! QY103: a character that carries a line never appears.

use std::collections::BTreeSet;

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, OutlineNode, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy103_unused_character.toml");
    Rule::new("QY103", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
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
    // Whoever stands in the chapters as they are written appears, whatever the outline says. The texts are only searched
    // as long as somebody is missing.
    for document in material.story.documents.iter().filter(|document| document.order > 0) {
        if unused.is_empty() {
            break;
        }
        let mentions = material.names.mentions(&document.text);
        let named: BTreeSet<usize> = mentions
            .iter()
            .flat_map(|mention| &mention.bearers)
            .filter(|named| named.kind == PieceKind::Character)
            .map(|named| named.position)
            .collect();
        unused.retain(|(position, _)| !named.contains(position));
    }
    unused.into_iter().map(|(_, card)| draft(material, card)).collect()
}

fn draft(material: &Material<'_>, card: &Character) -> Draft {
    let draft = Draft::about([handle(card)])
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

/// The node where most of those appear whom the character has to do with; the earliest of several.
fn best_node<'s>(material: &Material<'s>, card: &Character) -> Option<&'s OutlineNode> {
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
