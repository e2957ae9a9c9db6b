//! QY608: facts say of two that they are what excludes each other.

use std::collections::BTreeMap;

use super::claims::{contradiction, in_telling_order, take_out};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::truth::{Basis, Entity, Span, Statement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy608_kinship_in_facts.toml");
    Rule::new("QY608", (Severity::High, Category::Consistency, "relation"), texts, run)
}

/// What two cannot be to each other at once.
const EXCLUSIVE: [(&str, &str); 5] = [
    ("parent_of", "sibling_of"),
    ("parent_of", "married_to"),
    ("sibling_of", "married_to"),
    ("friend_of", "enemy_of"),
    ("ally_of", "enemy_of"),
];

fn run(material: &Material<'_>) -> Vec<Draft> {
    let truth = material.truth();
    let words = ["parent_of", "sibling_of", "married_to", "friend_of", "enemy_of", "ally_of"];
    let mut pairs: BTreeMap<(Entity, Entity), Vec<(&str, &Statement<'_>)>> = BTreeMap::new();
    for word in words {
        let said = truth.term(word).into_iter().flat_map(|term| truth.with_term(term));
        for one in said.filter(|one| one.is_narrated() && !one.is_denied()) {
            let is_character = |entity: Entity| entity.kind == Some(PieceKind::Character);
            if let Some(object) = one.object.filter(|object| is_character(*object) && is_character(one.subject)) {
                let key = (one.subject.min(object), one.subject.max(object));
                pairs.entry(key).or_default().push((word, one));
            }
        }
    }
    let mut drafts = Vec::new();
    for said in pairs.into_values().filter(|said| said.iter().any(|(_, one)| is_fact(one))) {
        let of = |word: &str| {
            let mut all: Vec<_> = said.iter().filter(|(other, _)| *other == word).map(|(_, one)| *one).collect();
            in_telling_order(truth, &mut all);
            all
        };
        // Parents are parents for ever.
        let parents = of("parent_of");
        let turned = parents.iter().find(|one| one.subject != parents[0].subject).map(|other| (parents[0], *other));
        let clash = EXCLUSIVE.into_iter().filter_map(|(one, other)| {
            let others = of(other);
            let hold = |first: &Statement<'_>, second: &Statement<'_>| hold_together(material, first.span, second.span);
            of(one).into_iter().find_map(|first| Some((first, *others.iter().find(|second| hold(first, second))?)))
        });
        let clashes = turned.into_iter().chain(clash).filter(|(first, second)| is_fact(first) || is_fact(second));
        for (first, second) in clashes {
            let draft = contradiction(truth, (first, second))
                .say("one", truth.registry.name(first.subject))
                .say("other", first.object.map(|object| truth.registry.name(object)).unwrap_or_default());
            drafts.push(take_out(truth, draft, [second, first]));
        }
    }
    drafts
}

fn is_fact(one: &Statement<'_>) -> bool {
    matches!(one.basis, Basis::Fact(_))
}

/// Whether both hold throughout, or certainly share a moment.
fn hold_together(material: &Material<'_>, a: Span, b: Span) -> bool {
    let timeline = &material.truth().timeline;
    a.is_open() && b.is_open() || a.overlaps(b, timeline, |one, other| timeline.is_same(one, other))
}
