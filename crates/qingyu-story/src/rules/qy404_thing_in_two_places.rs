//! QY404: a thing in two places at the same time.

use super::claims::{are_apart, contradiction, contradictions, fix_span, narrated};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::TruthStatement;
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy404_thing_in_two_places.toml");
    Rule::new("QY404", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for (thing, term, group) in truth.by_subject() {
        let is_place = truth.predicate(term).is_some_and(|word| word.role == Some(PredicateRole::Place));
        if !is_place || thing.kind != Some(PieceKind::Item) {
            continue;
        }
        let stays: Vec<_> = narrated(truth, group).into_iter().filter(|one| !one.is_denied()).collect();
        let apart = |a: &TruthStatement<'_>, b: &TruthStatement<'_>| match (a.object, b.object) {
            (Some(here), Some(there)) => are_apart(material, here, there, true),
            _ => false,
        };
        let is_same = |a, b| truth.timeline.is_same(a, b);
        for pair in contradictions(truth, &stays, is_same, apart) {
            let draft = contradiction(truth, pair).say("here", pair.0.shown(truth)).say("there", pair.1.shown(truth));
            drafts.push(fix_span(truth, draft, pair));
        }
    }
    drafts
}
