//! QY602: a directed relation stated from one side only.

use std::collections::BTreeSet;

use serde_json::json;

use super::kinds::kind_name;
use super::kinship::{directed, of_one, shown};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy602_one_sided_relation.toml");
    Rule::new("QY602", (Severity::Low, Category::Completeness, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let all = directed(material);
    let from_above =
        |relation: &crate::CharacterRelation, above: usize| material.character_position(&relation.from) == Some(above);
    let told: BTreeSet<(String, usize, usize, bool)> = all
        .iter()
        .map(|one| (kind_name(one.kind), one.above, one.below, from_above(one.relation, one.above)))
        .collect();
    // An author stating all relations from one side does so on purpose.
    let is_kept_twice = |(kind, above, below, downwards): &(String, usize, usize, bool)| {
        told.contains(&(kind.clone(), *above, *below, !downwards))
    };
    if !told.iter().any(is_kept_twice) {
        return Vec::new();
    }
    let mut drafts = Vec::new();
    for one in &all {
        let downwards = from_above(one.relation, one.above);
        if told.contains(&(kind_name(one.kind), one.above, one.below, !downwards)) {
            continue;
        }
        let (from, to) = (one.relation.from.trim(), one.relation.to.trim());
        let inverse = one.relation.kind.inverse();
        let parameters = json!({
            "from": to, "to": from, "type": inverse, "strength": one.relation.strength,
            "since": one.relation.since, "until": one.relation.until,
        });
        let cards = &material.story.characters;
        drafts.push(
            FindingDraft::about([kind_name(one.relation.kind), handle(&cards[one.above]), handle(&cards[one.below])])
                .say("from", from)
                .say("to", to)
                .say("kind", of_one(one.relation.kind, from, material.story))
                .say("inverse", of_one(inverse, to, material.story))
                .affects(from)
                .affects(to)
                .quote(anchor(PieceKind::Relation, one.relation, "type"), shown(one.relation, material.story))
                .fix("add", Action::Create, PieceKind::Relation, parameters),
        );
    }
    drafts
}
