//! QY403: a thing used or held after destruction.

use serde_json::json;

use super::possession::{draft, held_later, later, may_be_undone, of_thing, parted_again, thing, told_later};
use super::steady_chapters::SteadyChapters;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::has_any;
use crate::predicate::PredicateRole;
use crate::truth::{GroundTruth, TruthStatement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy403_used_after_destruction.toml");
    Rule::new("QY403", (Severity::High, Category::Consistency, "plot"), texts, run)
}

/// Words for remains of a thing.
const PARTS: &[&str] = &[
    "残",
    "碎片",
    "灰烬",
    "断柄",
    "余烬",
    "废墟",
    "shard",
    "shards",
    "remains",
    "ashes",
    "fragment",
    "fragments",
    "splinter",
    "splinters",
    "pieces",
    "ruin",
    "ruins",
    "stump",
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    let mut chapters = None;
    for destruction in truth.with_role(PredicateRole::Destruction).filter(|one| one.is_narrated() && !one.is_denied()) {
        let item = thing(destruction);
        if let Some(late) = told_again(material, destruction, &mut chapters) {
            drafts.push(whole_again(truth, destruction, late).with_severity(Severity::Low));
        }
        let Some(end) = destruction.span.from else { continue };
        let all = later(truth, item, end).into_iter().chain(parted_again(truth, item, end));
        for late in all.chain(held_later(truth, item, end)) {
            if has_any(truth.quote(late), PARTS) {
                continue;
            }
            let repairs = of_thing(truth, item, PredicateRole::Repair);
            if !truth.registry.is_clear(item) || may_be_undone(truth, (destruction, late), repairs) {
                continue;
            }
            drafts.push(whole_again(truth, destruction, late));
        }
    }
    drafts
}

/// Returns the draft for a destroyed thing that is used, held or given away later, with a fix inserting its repair.
fn whole_again<'s>(
    truth: &GroundTruth<'s>,
    destruction: &TruthStatement<'s>,
    late: &TruthStatement<'s>,
) -> FindingDraft {
    let name = truth.registry.name(thing(destruction));
    let repair = json!({ "subject": name, "predicate": "repaired", "value": true });
    draft(truth, (destruction, late), ("repair", repair))
}

/// Returns the first statement of a later chapter with the destroyed thing whole again, unless both statements have a time.
fn told_again<'t, 's>(
    material: &'t RuleMaterial<'s>,
    destruction: &TruthStatement<'s>,
    chapters: &mut Option<SteadyChapters>,
) -> Option<&'t TruthStatement<'s>> {
    let truth = material.truth();
    destruction.order?;
    let repairs: Vec<_> = of_thing(truth, thing(destruction), PredicateRole::Repair).collect();
    let chapters = chapters.get_or_insert_with(|| SteadyChapters::of(material));
    let roles = [PredicateRole::Holding, PredicateRole::Use, PredicateRole::Parting];
    let is_whole = |one: &TruthStatement<'s>| !has_any(truth.quote(one), PARTS);
    let late = told_later(truth, chapters, destruction, &roles, is_whole, &repairs);
    late.filter(|late| destruction.span.from.is_none() || late.span.from.is_none())
}
