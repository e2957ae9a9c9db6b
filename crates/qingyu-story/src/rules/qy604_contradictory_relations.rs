//! QY604: two incompatible relations of one pair.

use std::collections::BTreeMap;

use serde_json::json;

use super::kinds::{kind_name, kind_shown};
use super::kinship::{is_unbounded, shown};
use super::material::relation_target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, CharacterRelation, RelationKind, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy604_contradictory_relations.toml");
    Rule::new("QY604", (Severity::Medium, Category::Consistency, "relation"), texts, run)
}

/// Mutually exclusive kinds. Rivals may be friends and lovers enemies: common in fiction.
const EXCLUSIVE: [(RelationKind, RelationKind); 4] = [
    (RelationKind::Friend, RelationKind::Enemy),
    (RelationKind::Ally, RelationKind::Enemy),
    (RelationKind::Sibling, RelationKind::ParentOf),
    (RelationKind::Sibling, RelationKind::ChildOf),
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut pairs: BTreeMap<(usize, usize), Vec<&CharacterRelation>> = BTreeMap::new();
    for relation in &material.story.character_relations {
        let ends = (material.character_position(&relation.from), material.character_position(&relation.to));
        if let (Some(from), Some(to)) = ends
            && from != to
        {
            pairs.entry((from.min(to), from.max(to))).or_default().push(relation);
        }
    }
    let mut drafts = Vec::new();
    for ((low, high), relations) in pairs {
        for (first, second) in EXCLUSIVE {
            let of = |kind| relations.iter().copied().filter(move |relation| relation.kind == kind).collect::<Vec<_>>();
            let (first, second) = (of(first), of(second));
            let together = |one: &&CharacterRelation, all: &[&CharacterRelation]| {
                all.iter().any(|other| hold_together(material, one, other))
            };
            let (clashing, others): (Vec<_>, Vec<_>) = (
                first.iter().copied().filter(|one| together(one, &second)).collect(),
                second.iter().copied().filter(|one| together(one, &first)).collect(),
            );
            if !clashing.is_empty() {
                drafts.push(draft(material, [low, high], &clashing, &others));
            }
        }
    }
    drafts
}

/// Returns whether both relations are unbounded, or both have a beginning and an end and overlap in the outline.
fn hold_together(material: &RuleMaterial<'_>, a: &CharacterRelation, b: &CharacterRelation) -> bool {
    let order = |name: &Option<String>| {
        let node = name.as_deref().and_then(|name| material.outline_node(name));
        node.map(|node| node.order).filter(|order| *order > 0)
    };
    let span = |one: &CharacterRelation| order(&one.since).zip(order(&one.until));
    match (span(a), span(b)) {
        (Some((a_first, a_last)), Some((b_first, b_last))) => a_first < b_last && b_first < a_last,
        _ => is_unbounded(a) && is_unbounded(b),
    }
}

fn draft(
    material: &RuleMaterial<'_>,
    people: [usize; 2],
    first: &[&CharacterRelation],
    second: &[&CharacterRelation],
) -> FindingDraft {
    let mut cards = people.map(|position| &material.story.characters[position]);
    cards.sort_by_key(|card| handle(*card));
    let strength = |relations: &[&CharacterRelation]| relations.iter().map(|one| one.strength).fold(0.0, f64::max);
    let weaker = if strength(first) < strength(second) { first } else { second };
    let mut draft =
        FindingDraft::about([kind_name(first[0].kind), kind_name(second[0].kind), handle(cards[0]), handle(cards[1])])
            .say("one", cards[0].name.trim())
            .say("other", cards[1].name.trim())
            .say("first", kind_shown(first[0].kind, material.story.language))
            .say("second", kind_shown(second[0].kind, material.story.language))
            .affects(cards[0].name.trim())
            .affects(cards[1].name.trim());
    for relation in first.iter().chain(second) {
        draft = draft.quote(anchor(PieceKind::Relation, *relation, "type"), shown(relation, material.story));
    }
    let mut weaker = weaker.to_vec();
    weaker.sort_by_key(|relation| handle(*relation));
    for relation in weaker {
        let parameters = relation_target(relation, json!({}));
        draft = draft
            .fix("delete", Action::Delete, PieceKind::Relation, parameters)
            .fix_says("relation", shown(relation, material.story));
    }
    draft
}
