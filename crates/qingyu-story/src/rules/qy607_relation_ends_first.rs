//! QY607: a relation ending before its beginning.

use serde_json::json;

use super::kinds::kind_name;
use super::kinship::shown;
use super::material::relation_target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, CharacterRelation, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy607_relation_ends_first.toml");
    Rule::new("QY607", (Severity::Medium, Category::Consistency, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    material.story.character_relations.iter().filter_map(|relation| draft(material, relation)).collect()
}

fn draft(material: &RuleMaterial<'_>, relation: &CharacterRelation) -> Option<FindingDraft> {
    let since = material.outline_node(relation.since.as_deref()?)?;
    let until = material.outline_node(relation.until.as_deref()?)?;
    if until.order == 0 || since.order <= until.order {
        return None;
    }
    let swapped = relation_target(relation, json!({ "since": relation.until, "until": relation.since }));
    let draft = FindingDraft::about([handle(relation), kind_name(relation.kind)])
        .say("relation", shown(relation, material.story))
        .say("since", since.name.trim())
        .say("until", until.name.trim())
        .affects(relation.from.trim())
        .affects(relation.to.trim())
        .quote(anchor(PieceKind::Relation, relation, "since"), since.name.trim())
        .quote(anchor(PieceKind::Relation, relation, "until"), until.name.trim());
    Some(draft.fix("swap", Action::Update, PieceKind::Relation, swapped))
}
