//! QY601: two characters, each the parent, mentor or employer of the other.

use std::collections::BTreeMap;

use serde_json::json;

use super::kinds::kind_name;
use super::kinship::{DirectedRelation, directed, is_unbounded, of_one, shown};
use super::material::relation_target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, RelationKind, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy601_both_directions.toml");
    Rule::new("QY601", (Severity::High, Category::Consistency, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut pairs: BTreeMap<(String, usize, usize), Vec<DirectedRelation<'_>>> = BTreeMap::new();
    // Parenthood is permanent; mentors and employers may change during the story.
    for relation in
        directed(material).into_iter().filter(|one| one.kind == RelationKind::ParentOf || is_unbounded(one.relation))
    {
        let (low, high) = (relation.above.min(relation.below), relation.above.max(relation.below));
        pairs.entry((kind_name(relation.kind), low, high)).or_default().push(relation);
    }
    let contradicts =
        |relations: &Vec<DirectedRelation<'_>>| relations.iter().any(|one| one.above != relations[0].above);
    pairs.into_values().filter(contradicts).map(|relations| draft(material, &relations)).collect()
}

fn draft(material: &RuleMaterial<'_>, relations: &[DirectedRelation<'_>]) -> FindingDraft {
    let card = |position: usize| &material.story.characters[position];
    let mut people = [card(relations[0].above), card(relations[0].below)];
    people.sort_by_key(|card| handle(*card));
    // The more frequent direction remains; of equals, the smallest id.
    let weight = |one: &DirectedRelation<'_>| relations.iter().filter(|other| other.above == one.above).count();
    let least = |one: &DirectedRelation<'_>| {
        relations.iter().filter(|other| other.above == one.above).map(|other| handle(other.relation)).min()
    };
    let kept = relations.iter().min_by_key(|one| (std::cmp::Reverse(weight(one)), least(one)));
    let kept = kept.expect("a contradiction has relations").above;
    let mut draft = FindingDraft::about([kind_name(relations[0].kind), handle(people[0]), handle(people[1])])
        .say("first", people[0].name.trim())
        .say("second", people[1].name.trim())
        .say("kind", of_one(relations[0].kind, "", material.story))
        .affects(people[0].name.trim())
        .affects(people[1].name.trim());
    for one in relations {
        draft = draft.quote(anchor(PieceKind::Relation, one.relation, "type"), shown(one.relation, material.story));
    }
    let mut wrong: Vec<&DirectedRelation<'_>> = relations.iter().filter(|one| one.above != kept).collect();
    wrong.sort_by_key(|one| handle(one.relation));
    for one in wrong {
        let parameters = relation_target(one.relation, json!({}));
        draft = draft
            .fix("delete", Action::Delete, PieceKind::Relation, parameters)
            .fix_says("relation", shown(one.relation, material.story));
    }
    draft
}
