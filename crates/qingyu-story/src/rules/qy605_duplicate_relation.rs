//! QY605: a duplicate relation.

use std::collections::BTreeMap;

use serde_json::json;

use super::kinds::kind_name;
use super::kinship::{is_unbounded, shown};
use super::material::relation_target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, CharacterRelation, Severity, Story};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy605_duplicate_relation.toml");
    Rule::new("QY605", (Severity::Low, Category::Consistency, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut same: BTreeMap<(usize, usize, String, String), Vec<&CharacterRelation>> = BTreeMap::new();
    for relation in material.story.character_relations.iter().filter(|relation| is_unbounded(relation)) {
        let ends = (material.character_position(&relation.from), material.character_position(&relation.to));
        if let (Some(from), Some(to)) = ends {
            let kind = (kind_name(relation.kind), fold(&relation.own_kind));
            same.entry((from, to, kind.0, kind.1)).or_default().push(relation);
        }
    }
    same.into_values()
        .filter(|relations| relations.len() > 1)
        .map(|relations| draft(relations, material.story))
        .collect()
}

fn draft(mut relations: Vec<&CharacterRelation>, story: &Story) -> FindingDraft {
    let told = |relation: &CharacterRelation| relation.description.chars().count();
    relations.sort_by_key(|one| (std::cmp::Reverse(told(one)), handle(*one), one.description.clone()));
    let first = relations[0];
    let mut ends = [first.from.trim(), first.to.trim()].map(str::to_owned);
    ends.sort();
    let mut draft =
        FindingDraft::about(relations.iter().map(|one| handle(*one)).min().into_iter().chain([kind_name(first.kind)]))
            .say("relation", shown(first, story))
            .say("count", relations.len().to_string())
            .affects(first.from.trim())
            .affects(first.to.trim());
    for relation in &relations {
        draft = draft.quote(
            anchor(PieceKind::Relation, *relation, "type"),
            format!("{}: {}", shown(relation, story), relation.description),
        );
    }
    for relation in relations.iter().skip(1).filter(|relation| !relation.id.trim().is_empty()) {
        draft = draft
            .fix("delete", Action::Delete, PieceKind::Relation, relation_target(relation, json!({})))
            .fix_says("id", relation.id.trim());
    }
    draft
}
