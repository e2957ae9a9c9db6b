//! QY402: a thing used or held after its holder lost the thing or gave the thing away.

use std::collections::BTreeSet;

use serde_json::json;

use super::possession::{
    begins_before, draft, given_back, later, may_be_given_back, may_be_undone, may_reach, of_thing, parted_again,
    place, thing, told_later,
};
use super::steady_chapters::SteadyChapters;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, StatementBasis, TruthStatement};
use crate::{Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy402_used_after_loss.toml");
    Rule::new("QY402", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    let mut found = BTreeSet::new();
    for parting in truth.with_role(PredicateRole::Parting).filter(|one| one.is_narrated() && !one.is_denied()) {
        let (Some(end), Some(_)) = (parting.span.from, parting.object) else { continue };
        let item = thing(parting);
        let all = later(truth, item, end).into_iter().chain(parted_again(truth, item, end));
        for late in all.filter(|one| one.subject == parting.subject) {
            let gets = of_thing(truth, item, PredicateRole::Getting).filter(|one| one.subject == parting.subject);
            // The holder on a card has the thing at the beginning, so the card explains no later holding.
            let holds = of_thing(truth, item, PredicateRole::Holding).filter(|one| {
                let is_other = one.basis != late.basis && !matches!(one.basis, StatementBasis::Item(_));
                one.subject == parting.subject && is_other && !one.span.is_moment()
            });
            let given = given_back(truth, parting);
            if may_be_undone(truth, (parting, late), gets.chain(holds).chain(given)) {
                continue;
            }
            drafts.push(has_again(truth, parting, late));
            found.insert((parting.basis, late.basis));
        }
    }
    drafts.extend(within_chapters(material));
    drafts.extend(given_again(material, &found));
    drafts.extend(held_again(material, &found));
    drafts
}

/// Returns the drafts for things that somebody gives away twice in the order of telling, unless the times say otherwise,
/// without a word of how they came back. `found` are the pairs that are found by their times.
fn given_again(material: &RuleMaterial<'_>, found: &BTreeSet<(StatementBasis, StatementBasis)>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for index in 0..material.story.items().len() {
        let item = Entity { kind: Some(PieceKind::Item), index };
        let of_role = |role| {
            let is_change = move |one: &&TruthStatement<'_>| {
                let is_fact = matches!(one.basis, StatementBasis::Fact(_));
                is_fact && one.object == Some(item) && one.number().is_none() && !one.span.is_moment()
            };
            of_thing(truth, item, role).filter(is_change)
        };
        let given: Vec<_> = of_role(PredicateRole::Parting).collect();
        if given.len() < 2 {
            continue;
        }
        let got: Vec<_> = of_role(PredicateRole::Getting).chain(of_role(PredicateRole::Holding)).collect();
        let mut told: Vec<_> = given.iter().filter_map(|one| Some((place(truth, one)?, *one))).collect();
        told.sort_by_key(|(place, one)| (*place, one.basis));
        for (at, (first, parting)) in told.iter().enumerate() {
            let again = told[at..].iter().find(|(place, one)| place > first && one.subject == parting.subject);
            let Some((last, late)) = again else { continue };
            let lies_between = |one: &TruthStatement<'_>, place: Option<(u32, u32)>| {
                let is_told_between = place.is_none_or(|place| place > *first && place <= *last);
                is_told_between || begins_before(truth, parting, one) && begins_before(truth, one, late)
            };
            let own = got.iter().filter(|one| one.subject == parting.subject);
            let others = given.iter().filter(|one| may_be_given_back(truth, parting, one));
            let is_back = own.chain(others).any(|one| lies_between(one, place(truth, one)));
            if is_back || begins_before(truth, late, parting) || found.contains(&(parting.basis, late.basis)) {
                continue;
            }
            drafts.push(has_again(truth, parting, late));
        }
    }
    drafts
}

/// Returns the drafts for things that somebody lost or gave away in one chapter and has in a later one, without a word of how they
/// came back. `found` are the pairs that are found by their times.
fn held_again(material: &RuleMaterial<'_>, found: &BTreeSet<(StatementBasis, StatementBasis)>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut chapters = None;
    let mut drafts = Vec::new();
    for parting in truth.with_role(PredicateRole::Parting).filter(|one| one.is_narrated() && !one.is_denied()) {
        if parting.object.is_none() || parting.order.is_none() {
            continue;
        }
        let item = thing(parting);
        let gets = of_thing(truth, item, PredicateRole::Getting).filter(|one| one.subject == parting.subject);
        let undoing: Vec<_> = gets.chain(given_back(truth, parting)).collect();
        let chapters = chapters.get_or_insert_with(|| SteadyChapters::of(material));
        let roles = [PredicateRole::Holding, PredicateRole::Use];
        let is_own = |one: &TruthStatement<'_>| one.subject == parting.subject;
        let late = told_later(truth, chapters, parting, &roles, is_own, &undoing);
        let late = late.filter(|late| !found.contains(&(parting.basis, late.basis)));
        drafts.extend(late.map(|late| {
            let severity = severity_in_later_chapter(truth, (parting, late), &undoing);
            has_again(truth, parting, late).with_severity(severity)
        }));
    }
    drafts
}

/// Returns the drafts for things given away and held again in the text of one chapter, without a word of how they came back.
/// Unless both are at one time, or on one day, the order of telling decides, with a low severity.
fn within_chapters(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let timeline = &truth.timeline;
    let is_told = |one: &&TruthStatement<'_>| one.is_narrated() && !one.is_denied();
    let mut drafts = Vec::new();
    for parting in truth.with_role(PredicateRole::Parting).filter(is_told) {
        let (Some(item), Some((chapter, start))) = (parting.object, truth.sentence_of(parting)) else { continue };
        let of_role = move |role| {
            of_thing(truth, item, role).filter_map(move |one| {
                let (document, at) = truth.sentence_of(one)?;
                (document == chapter && at > start).then_some((at, one))
            })
        };
        let is_same_time = |one: &TruthStatement<'_>| one.span.from == parting.span.from;
        let times = |one: &TruthStatement<'_>| one.span.from.zip(parting.span.from);
        let fits = |one: &TruthStatement<'_>| {
            let is_after = times(one).is_some_and(|(from, end)| {
                timeline.is_ordered_by_telling(from, end) && !one.span.ends_by(end, timeline)
            });
            is_same_time(one) || is_after
        };
        let held = [PredicateRole::Holding, PredicateRole::Use].into_iter().flat_map(of_role);
        let held = held.filter(|(_, one)| one.subject == parting.subject && fits(one));
        let Some((late_at, late)) = held.min_by_key(|(at, _)| *at) else { continue };
        let gets = of_role(PredicateRole::Getting).filter(|(_, one)| one.subject == parting.subject);
        let given = of_role(PredicateRole::Parting)
            .filter(|(_, one)| one.basis != parting.basis && may_reach(truth, one, parting.subject));
        if gets.chain(given).any(|(at, _)| at < late_at) {
            continue;
        }
        let draft = has_again(truth, parting, late);
        let is_sure = is_same_time(late) || times(late).is_some_and(|(from, end)| timeline.is_same_day(from, end));
        drafts.push(if is_sure { draft } else { draft.with_severity(Severity::Low) });
    }
    drafts
}

/// Returns the draft of a thing that its giver still has or gives away at `late`, with a fix telling how it came back.
fn has_again<'s>(truth: &GroundTruth<'s>, parting: &TruthStatement<'s>, late: &TruthStatement<'s>) -> FindingDraft {
    let (subject, object) = (truth.registry.name(parting.subject), truth.registry.name(thing(parting)));
    let regain = json!({ "subject": subject, "predicate": "gets", "object": object });
    draft(truth, (parting, late), ("regain", regain))
}

/// Returns the severity of a use or holding at `late`, told in a later chapter than the parting: high if the times confirm the
/// order and nothing of `undoing` is dated between, medium for a use without a time, which is where its chapter is.
fn severity_in_later_chapter(
    truth: &GroundTruth<'_>,
    (parting, late): (&TruthStatement<'_>, &TruthStatement<'_>),
    undoing: &[&TruthStatement<'_>],
) -> Severity {
    let is_dated_between =
        |one: &&TruthStatement<'_>| begins_before(truth, one, late) && !begins_before(truth, one, parting);
    let is_use = || of_thing(truth, thing(parting), PredicateRole::Use).any(|one| one.basis == late.basis);
    if begins_before(truth, parting, late) && !undoing.iter().any(is_dated_between) {
        Severity::High
    } else if late.span.from.is_none() && is_use() {
        Severity::Medium
    } else {
        Severity::Low
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Config, Severity, Story, findings};

    /// Returns the severities of the findings about a thing given away in one chapter, used at the start of the next one and
    /// given back at its end; `use_from` and `back_from` are the times of the use and of the return.
    fn found(use_from: &str, back_from: &str) -> Vec<Severity> {
        let source = |document: &str, start: u32| json!({ "document": document, "quote": "雨。", "start": start });
        let document = |order: u32| {
            json!({ "id": format!("d-{order}"), "title": format!("第{order}章"), "order": order,
                "outline_node": format!("o-{order}"), "text": "雨。雨。雨。", "settled": {} })
        };
        let story: Story = serde_json::from_value(json!({
            "characters": [{ "id": "c-1", "name": "林青" }, { "id": "c-2", "name": "沈蕙" }],
            "worldview": { "items": [{ "id": "i-1", "name": "怀表" }] },
            "outline_nodes": [{ "id": "o-2", "order": 2, "name": "第2章" }, { "id": "o-3", "order": 3, "name": "第3章" }],
            "documents": [document(2), document(3)],
            "facts": [
                { "id": "f-1", "subject": "林青", "predicate": "交出", "object": "怀表", "from": "1926-06-12",
                    "source": source("d-2", 0) },
                { "id": "f-2", "subject": "沈蕙", "predicate": "得到", "object": "怀表", "from": "1926-06-12",
                    "source": source("d-2", 0) },
                { "id": "f-3", "subject": "林青", "predicate": "使用", "object": "怀表", "from": use_from,
                    "source": source("d-3", 0) },
                { "id": "f-4", "subject": "沈蕙", "predicate": "交出", "object": "怀表", "from": back_from,
                    "source": source("d-3", 4) },
                { "id": "f-5", "subject": "林青", "predicate": "得到", "object": "怀表", "from": back_from,
                    "source": source("d-3", 4) }
            ]
        }))
        .unwrap();
        let found = findings(&story, &Config::default()).into_iter();
        let found = found.filter(|one| one.issue.code.as_deref() == Some("QY402"));
        found.map(|one| one.issue.severity).collect()
    }

    #[test]
    fn a_use_before_the_return_of_one_chapter_is_decided_by_the_order_of_telling() {
        for (use_from, back_from, expected) in [
            ("1926-06-14", "1926-06-14", Severity::High),
            ("1926-06-14", "", Severity::High),
            ("", "1926-06-14", Severity::Medium),
            ("", "", Severity::Medium),
        ] {
            assert_eq!(found(use_from, back_from), [expected], "{use_from} / {back_from}");
        }
        assert_eq!(found("1926-06-10", "1926-06-14"), [], "a memory of the time before");
    }
}
