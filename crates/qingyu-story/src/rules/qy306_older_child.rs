//! QY306: a child older than the parent.

use std::collections::BTreeMap;

use serde_json::json;

use super::claims::doubt_fact;
use super::kinship::{directed, shown};
use super::material::relation_target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::truth::{Entity, StatementBasis, TruthStatement};
use crate::{Action, Category, Character, CharacterRelation, RelationKind, Severity, Story, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy306_older_child.toml");
    Rule::new("QY306", (Severity::High, Category::Consistency, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut pairs: BTreeMap<(usize, usize), Vec<&CharacterRelation>> = BTreeMap::new();
    for relation in directed(material).into_iter().filter(|relation| relation.kind == RelationKind::ParentOf) {
        pairs.entry((relation.above, relation.below)).or_default().push(relation.relation);
    }
    let truth = material.truth();
    let told = truth.term("parent_of").into_iter().flat_map(|term| truth.with_term(term));
    let mut by_facts: BTreeMap<(usize, usize), Vec<&TruthStatement<'_>>> = BTreeMap::new();
    for one in told.filter(|one| one.is_narrated() && !one.is_denied() && matches!(one.basis, StatementBasis::Fact(_)))
    {
        let is_character = |entity: &Entity| entity.kind == Some(PieceKind::Character);
        if let Some(child) = one.object.filter(is_character).filter(|_| is_character(&one.subject)) {
            by_facts.entry((one.subject.index, child.index)).or_default().push(one);
            pairs.entry((one.subject.index, child.index)).or_default();
        }
    }
    let cards = &material.story.characters;
    let draft = |(pair, relations): ((usize, usize), Vec<&CharacterRelation>)| {
        let mut draft = draft(&cards[pair.0], &cards[pair.1], &relations, material.story)?;
        for one in by_facts.get(&pair).into_iter().flatten() {
            let evidence = one.evidence(truth);
            draft = draft.quote(evidence.anchor, evidence.quote);
            draft = doubt_fact(draft, "untrue", truth.asserting(one));
        }
        Some(draft)
    };
    pairs.into_iter().filter_map(draft).collect()
}

fn draft(
    parent: &Character,
    child: &Character,
    relations: &[&CharacterRelation],
    story: &Story,
) -> Option<FindingDraft> {
    let field = if born_first(child, parent)? { "birth" } else { "age" };
    let value = |card: &Character| match field {
        "birth" => card.birth.clone().unwrap_or_default().trim().to_owned(),
        _ => card.age.unwrap_or_default().to_string(),
    };
    let mut draft = FindingDraft::about([handle(parent), handle(child)])
        .say("parent", parent.name.trim())
        .say("child", child.name.trim())
        .say("kind", RelationKind::ParentOf.of_one(parent.is_male(), story.language))
        .say("of_parent", value(parent))
        .say("of_child", value(child))
        .affects(parent.name.trim())
        .affects(child.name.trim())
        .quote(anchor(PieceKind::Character, parent, field), value(parent))
        .quote(anchor(PieceKind::Character, child, field), value(child));
    for relation in relations {
        let turned = relation_target(relation, json!({ "type": relation.kind.inverse() }));
        draft = draft.quote(anchor(PieceKind::Relation, *relation, "type"), shown(relation, story));
        if !relation.id.trim().is_empty() {
            draft = draft.fix("turn", Action::Update, PieceKind::Relation, turned);
        }
    }
    Some(draft)
}

/// Returns whether the child was certainly born before the parent: `true` by births, `false` by ages as a fallback,
/// `None` without a contradiction.
fn born_first(child: &Character, parent: &Character) -> Option<bool> {
    let birth = |card: &Character| card.birth.as_deref().and_then(|birth| time::parse(birth).moment());
    match (birth(child), birth(parent)) {
        (Some(child), Some(parent)) if child.is_comparable(&parent) => child.is_before(&parent).then_some(true),
        _ => (child.age? > parent.age?).then_some(false),
    }
}
