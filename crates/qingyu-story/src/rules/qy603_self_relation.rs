//! QY603: a relation of a character to itself.

use serde_json::json;

use super::kinds::kind_name;
use super::kinship::shown;
use super::material::relation_target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy603_self_relation.toml");
    Rule::new("QY603", (Severity::Medium, Category::Rationality, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let relations = material.story.character_relations.iter();
    let to_self = relations.filter(|relation| {
        !relation.from.trim().is_empty() && material.is_same_character(&relation.from, &relation.to)
    });
    let draft = |relation: &crate::CharacterRelation| {
        FindingDraft::about([handle(relation), kind_name(relation.kind)])
            .say("name", relation.from.trim())
            .say("relation", shown(relation, material.story))
            .affects(relation.from.trim())
            .quote(anchor(PieceKind::Relation, relation, "to"), shown(relation, material.story))
            .fix("delete", Action::Delete, PieceKind::Relation, relation_target(relation, json!({})))
    };
    to_self.map(draft).collect()
}
