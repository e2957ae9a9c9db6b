//! QY306: a child older than the parent.

use std::collections::BTreeMap;

use serde_json::json;

use super::kinship::{directed, shown};
use super::material::{anchor, handle, relation_target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, CharacterRelation, RelationKind, Severity, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy306_older_child.toml");
    Rule::new("QY306", (Severity::High, Category::Consistency, "relation"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut pairs: BTreeMap<(usize, usize), Vec<&CharacterRelation>> = BTreeMap::new();
    for relation in directed(material).into_iter().filter(|relation| relation.kind == RelationKind::ParentOf) {
        pairs.entry((relation.above, relation.below)).or_default().push(relation.relation);
    }
    let cards = &material.story.characters;
    let drafts =
        pairs.into_iter().filter_map(|((above, below), relations)| draft(&cards[above], &cards[below], &relations));
    drafts.collect()
}

fn draft(parent: &Character, child: &Character, relations: &[&CharacterRelation]) -> Option<Draft> {
    let field = if born_first(child, parent)? { "birth" } else { "age" };
    let value = |card: &Character| match field {
        "birth" => card.birth.clone().unwrap_or_default().trim().to_owned(),
        _ => card.age.unwrap_or_default().to_string(),
    };
    let mut draft = Draft::about([handle(parent), handle(child)])
        .say("parent", parent.name.trim())
        .say("child", child.name.trim())
        .say("of_parent", value(parent))
        .say("of_child", value(child))
        .affects(parent.name.trim())
        .affects(child.name.trim())
        .quote(anchor(PieceKind::Character, parent, field), value(parent))
        .quote(anchor(PieceKind::Character, child, field), value(child));
    for relation in relations {
        let turned = relation_target(relation, json!({ "type": relation.kind.inverse() }));
        draft = draft.quote(anchor(PieceKind::Relation, *relation, "type"), shown(relation));
        if !relation.id.trim().is_empty() {
            draft = draft.fix("turn", Action::Update, PieceKind::Relation, turned);
        }
    }
    Some(draft)
}

/// Whether the child was certainly born before the parent: by the births (`true`), or, if these do not tell, by the ages
/// (`false`). `None` if nothing contradicts.
fn born_first(child: &Character, parent: &Character) -> Option<bool> {
    let birth = |card: &Character| card.birth.as_deref().and_then(|birth| time::parse(birth).moment());
    match (birth(child), birth(parent)) {
        (Some(child), Some(parent)) if child.is_comparable(&parent) => child.is_before(&parent).then_some(true),
        _ => (child.age? > parent.age?).then_some(false),
    }
}
