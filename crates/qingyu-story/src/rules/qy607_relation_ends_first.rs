//! QY607: a relation that ends before it begins.

use serde_json::json;

use super::kinds::kind_name;
use super::kinship::shown;
use super::material::{anchor, handle, relation_target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, CharacterRelation, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy607_relation_ends_first.toml");
    Rule::new("QY607", (Severity::Medium, Category::Consistency, "relation"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    material.story.character_relations.iter().filter_map(|relation| draft(material, relation)).collect()
}

fn draft(material: &Material<'_>, relation: &CharacterRelation) -> Option<Draft> {
    let since = material.outline_node(relation.since.as_deref()?)?;
    let until = material.outline_node(relation.until.as_deref()?)?;
    if until.order == 0 || since.order <= until.order {
        return None;
    }
    let swapped = relation_target(relation, json!({ "since": relation.until, "until": relation.since }));
    let draft = Draft::about([handle(relation), kind_name(relation.kind)])
        .say("relation", shown(relation))
        .say("since", since.name.trim())
        .say("until", until.name.trim())
        .affects(relation.from.trim())
        .affects(relation.to.trim())
        .quote(anchor(PieceKind::Relation, relation, "since"), since.name.trim())
        .quote(anchor(PieceKind::Relation, relation, "until"), until.name.trim());
    Some(draft.fix("swap", Action::Update, PieceKind::Relation, swapped))
}
