//! QY606: a cycle of parents.

use serde_json::json;

use super::graph::cycles;
use super::kinship::{directed, shown};
use super::material::relation_target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, RelationKind, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy606_ancestor_cycle.toml");
    Rule::new("QY606", (Severity::High, Category::Rationality, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut children = vec![Vec::new(); material.story.characters.len()];
    for one in directed(material).into_iter().filter(|one| one.kind == RelationKind::ParentOf) {
        children[one.above].push(one.below);
    }
    let keys: Vec<String> = material.story.characters.iter().map(handle).collect();
    // Two mutual parents are reported by QY601.
    let circles = cycles(&children, &keys).into_iter().filter(|circle| circle.len() > 2);
    circles.map(|circle| draft(material, &circle)).collect()
}

fn draft(material: &RuleMaterial<'_>, circle: &[usize]) -> FindingDraft {
    let cards: Vec<_> = circle.iter().map(|position| &material.story.characters[*position]).collect();
    let mut draft = FindingDraft::about(cards.iter().map(|card| handle(*card)))
        .list("names", cards.iter().map(|card| card.name.trim().to_owned()));
    for card in &cards {
        draft = draft.affects(card.name.trim());
    }
    let mut links = directed(material);
    links
        .retain(|one| one.kind == RelationKind::ParentOf && circle.contains(&one.above) && circle.contains(&one.below));
    for one in &links {
        draft = draft.quote(anchor(PieceKind::Relation, one.relation, "type"), shown(one.relation, material.story));
    }
    let (last, first) = (circle[circle.len() - 1], circle[0]);
    links.retain(|one| one.above == last && one.below == first);
    links.sort_by_key(|one| handle(one.relation));
    for one in links {
        let parameters = relation_target(one.relation, json!({}));
        draft = draft
            .fix("delete", Action::Delete, PieceKind::Relation, parameters)
            .fix_says("relation", shown(one.relation, material.story));
    }
    draft
}
