use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::{contradictions, in_order};
use crate::rules::RuleMaterial;
use crate::truth::{GroundTruth, TruthStatement};
use crate::{Fact, Story};

/// Days, minutes, stretches, events with a date and without, and what says nothing.
const TIMES: [&str; 17] = [
    "",
    "",
    "第1天",
    "第2天",
    "第3天",
    "第5天",
    "第2天 08:00",
    "第2天 20:00",
    "委托",
    "追踪",
    "对峙",
    "落水",
    "尾声",
    "余波",
    "某年冬",
    "2077年",
    "2077-03-05",
];

/// With and without a date, most of them in one order.
const ONE_AFTER_THE_OTHER: [&str; 6] = ["第1天", "委托", "追踪", "对峙", "落水", "尾声"];

fn story(facts: Vec<Fact>) -> Story {
    let mut story: Story = serde_json::from_value(json!({
        "timeline_events": [
            {"id": "e-1", "title": "委托", "timestamp": "第2天"},
            {"id": "e-2", "title": "追踪", "after": ["委托"]},
            {"id": "e-3", "title": "对峙", "after": ["追踪"]},
            {"id": "e-4", "title": "落水", "after": ["对峙"]},
            {"id": "e-5", "title": "尾声", "timestamp": "第5天"},
            {"id": "e-6", "title": "余波", "timestamp": "2077-03-06", "after": ["对峙"]}
        ]
    }))
    .unwrap();
    story.facts = facts;
    story
}

fn fact(times: &'static [&'static str]) -> impl Strategy<Value = Fact> {
    (select(times), select(times), select(&["黑", "蓝"][..])).prop_map(|(from, until, colour)| Fact {
        subject: "林青".into(),
        predicate: "hair".into(),
        value: colour.into(),
        from: from.into(),
        until: until.into(),
        ..Fact::default()
    })
}

/// The statements of the facts, without those of the events.
fn coloured<'t, 's>(truth: &'t GroundTruth<'s>) -> Vec<&'t TruthStatement<'s>> {
    truth.statements.iter().filter(|one| one.text().is_some()).collect()
}

/// All orders of so many.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
    let shorter = orders(last);
    let inserted = |order: &Vec<usize>, at: usize| {
        let mut order = order.clone();
        order.insert(at, last);
        order
    };
    shorter.iter().flat_map(|order| (0..count).map(move |at| inserted(order, at))).collect()
}

proptest! {
    /// Many are compared along their time lines, and nothing is missed by that.
    #[test]
    fn many_contradict_each_other_as_each_pair_does(facts in vec(fact(&TIMES), 25..60)) {
        let story = story(facts);
        let material = RuleMaterial::of(&story);
        let truth = material.truth();
        let statements = coloured(truth);
        prop_assume!(statements.len() > 24);
        let is_same = |one, other| truth.timeline.is_same(one, other);
        let differ = |one: &TruthStatement<'_>, other: &TruthStatement<'_>| one.text() != other.text();
        let number = |wanted: &TruthStatement<'_>| statements.iter().position(|one| std::ptr::eq(*one, wanted));
        let pairs = contradictions(truth, &statements, is_same, differ);
        let mut found: Vec<_> = pairs.into_iter().map(|(first, second)| (number(second), number(first))).collect();
        found.sort();
        let first = |second: usize| {
            let earlier = (0..second).find(|first| {
                let (first, second) = (statements[*first], statements[second]);
                first.span.overlaps(second.span, &truth.timeline, is_same) && differ(first, second)
            });
            earlier.map(|first| (Some(second), Some(first)))
        };
        prop_assert_eq!(found, (0..statements.len()).filter_map(first).collect::<Vec<_>>());
    }

    /// What stands in one order is put into it, whatever order it comes in.
    #[test]
    fn whatever_has_one_order_is_put_into_it(facts in vec(fact(&ONE_AFTER_THE_OTHER), 1..4)) {
        let story = story(facts);
        let material = RuleMaterial::of(&story);
        let truth = material.truth();
        let statements = coloured(truth);
        let is_before = |pair: &[usize]| {
            let begins = [pair[0], pair[1]].map(|number| statements[number].span.from);
            matches!(begins, [Some(one), Some(other)] if truth.timeline.is_before(one, other))
        };
        let begin = statements.iter().all(|one| one.span.from.is_some());
        let orders = orders(statements.len());
        let wanted = orders.iter().find(|order| begin && order.windows(2).all(is_before));
        let found = in_order(truth, statements.clone());
        let found = found.map(|found| found.into_iter().map(std::ptr::from_ref).collect::<Vec<_>>());
        let wanted = wanted.map(|order| order.iter().map(|number| std::ptr::from_ref(statements[*number])).collect::<Vec<_>>());
        prop_assert_eq!(found, wanted);
    }
}
