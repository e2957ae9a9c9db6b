//! Laws of settlement over random stories and random readings of them.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use qingyu_story::settlement::extraction::{
    Introduced, IntroducedKind, Learns, PromiseAction, ToldEvent, ToldFact, ToldPromise,
};
use qingyu_story::settlement::{Config, Extraction, follow, recall, settle, withdraw};
use qingyu_story::{Document, Mode, Story, ids};
use serde_json::{Value, json};

use crate::arbitrary::story_with_ids;

fn name() -> impl Strategy<Value = String> + Clone {
    select(vec!["林青", "李四", "老李", "Neo", "旧港", "失窃", "阿九", "沈墨", "芯片", ""]).prop_map(str::to_owned)
}

/// Words of one of the texts below, or words that stand nowhere.
fn quote() -> impl Strategy<Value = String> + Clone {
    select(vec!["林青与李四相遇。", "阿九走了。", "沈墨三十岁。", "芯片", "别的话", ""]).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    let lines = ["林青与李四相遇。", "阿九走了。", "沈墨三十岁。", "芯片不见了。", "林青今年二十岁。", "李四死了。"];
    vec(select(lines.to_vec()), 0..5).prop_map(|lines| lines.join("\n"))
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![4 => Just(Mode::Narrated), 1 => Just(Mode::Said), 1 => Just(Mode::Dreamt)]
}

fn told_fact() -> impl Strategy<Value = ToldFact> {
    let words = select(vec!["age", "职业", "持有", "is_at", "瞳色", "心情"]).prop_map(str::to_owned);
    let value = prop_oneof![(0_i64..40).prop_map(Value::from), name().prop_map(Value::from), Just(Value::Null)];
    let learns = name().prop_map(|who| Learns { who, how: "听说".into() });
    let from = select(vec!["", "", "第3天", "2077"]).prop_map(str::to_owned);
    (
        name(),
        words,
        option::of(name()),
        value,
        mode(),
        option::of(name()),
        vec(learns, 0..2),
        quote(),
        from,
        0.0..1.0_f32,
    )
        .prop_map(|(subject, predicate, object, value, mode, by, known_by, quote, from, confidence)| ToldFact {
            subject,
            predicate,
            object,
            value,
            mode,
            by,
            known_by,
            quote,
            from,
            confidence: confidence + 0.4,
            ..ToldFact::default()
        })
}

fn extraction() -> impl Strategy<Value = Extraction> {
    let kinds = select(vec![IntroducedKind::Character, IntroducedKind::Location, IntroducedKind::Item]);
    let introduced = (kinds, name(), vec(name(), 0..2), quote()).prop_map(|(kind, name, alias, quote)| Introduced {
        kind,
        name,
        alias,
        quote,
        confidence: 1.0,
        ..Introduced::default()
    });
    let event = (name(), option::of(name()), vec(name(), 0..3), vec(name(), 0..2), option::of(name()), mode(), quote())
        .prop_map(|(title, planned, participants, deaths, location, mode, quote)| ToldEvent {
            title,
            planned,
            participants,
            deaths,
            location,
            mode,
            quote,
            confidence: 0.9,
            ..ToldEvent::default()
        });
    let action = select(vec![PromiseAction::Planted, PromiseAction::Advanced, PromiseAction::Paid]);
    let promise = (name(), action, quote()).prop_map(|(name, action, quote)| ToldPromise {
        name,
        action,
        quote,
        confidence: 0.9,
        ..ToldPromise::default()
    });
    let facts = vec(told_fact(), 0..6);
    (vec(introduced, 0..3), vec(event, 0..3), facts, vec(promise, 0..3)).prop_map(
        |(entities, events, facts, promises)| Extraction { entities, events, facts, promises, ..Extraction::default() },
    )
}

/// A story with three chapters of known titles.
fn book() -> impl Strategy<Value = Story> {
    (story_with_ids(), vec(text(), 3)).prop_map(|(mut story, texts)| {
        story.documents = texts
            .into_iter()
            .enumerate()
            .map(|(at, text)| Document {
                id: format!("d-{}", at + 1),
                title: format!("章{at}"),
                order: at as u32 + 1,
                outline_node: story.outline_nodes.get(at).map(|node| node.id.clone()),
                version: 1,
                text,
                ..Document::default()
            })
            .collect();
        ids::assign(&mut story);
        story
    })
}

/// The story without what remembers ids, and without an empty world.
fn plain(story: &Story) -> Value {
    let mut story = story.clone();
    story.last_ids.clear();
    if story.worldview.as_ref().is_some_and(|world| *world == Default::default()) {
        story.worldview = None;
    }
    json!(story)
}

fn put(story: &mut Story, document: &str, extraction: &Extraction) -> qingyu_story::settlement::Settlement {
    settle(story, document, extraction, Config::default()).expect("the document is there")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn settling_twice_is_settling_once(mut story in book(), readings in vec(extraction(), 3), again in any::<Index>()) {
        for (at, reading) in readings.iter().enumerate() {
            put(&mut story, &format!("d-{}", at + 1), reading);
        }
        let at = again.index(3);
        put(&mut story, &format!("d-{}", at + 1), &readings[at]);
        let once = story.clone();
        let settlement = put(&mut story, &format!("d-{}", at + 1), &readings[at]);
        prop_assert_eq!(plain(&story), plain(&once), "{:#?}", settlement.change);
    }

    #[test]
    fn what_is_recalled_is_what_was_settled(mut story in book(), mut readings in vec(extraction(), 2)) {
        // A new card that is called as another makes names mean something else than they did.
        readings.iter_mut().for_each(|reading| reading.entities.clear());
        put(&mut story, "d-1", &readings[0]);
        put(&mut story, "d-2", &readings[1]);
        let reading = recall(&story, "d-2").unwrap();
        // The rules may add what the reading left out.
        prop_assume!(reading.facts.len() <= story.documents[1].settled.as_ref().unwrap().made.len()
            + story.documents[1].settled.as_ref().unwrap().retold.len());
        let ids = |story: &Story| -> Vec<String> { story.documents[1].settled.as_ref().unwrap().made.iter().map(|made| made.id.clone()).collect() };
        let before = ids(&story);
        // Names that several pieces bear are asked about.
        prop_assume!(put(&mut story, "d-2", &reading).questions.is_empty());
        let after = ids(&story);
        prop_assert!(before.iter().all(|id| after.contains(id)), "{:?} {:?}", before, after);
    }

    #[test]
    fn a_settlement_is_one_change_that_can_be_taken_back(mut story in book(), readings in vec(extraction(), 3)) {
        put(&mut story, "d-1", &readings[0]);
        put(&mut story, "d-2", &readings[1]);
        let before = story.clone();
        let settlement = put(&mut story, "d-1", &readings[2]);
        let after = story.clone();
        settlement.change.inverse().apply(&mut story).unwrap();
        prop_assert_eq!(plain(&story), plain(&before));
        settlement.change.apply(&mut story).unwrap();
        prop_assert_eq!(plain(&story), plain(&after));
    }

    #[test]
    fn settling_and_withdrawing_leaves_nothing(mut story in book(), first in extraction(), second in extraction()) {
        let before = story.clone();
        put(&mut story, "d-1", &first);
        prop_assume!(put(&mut story, "d-1", &second).kept.is_empty());
        let kept = withdraw(&mut story, "d-1").unwrap();
        prop_assume!(kept.is_empty());
        prop_assert_eq!(plain(&story), plain(&before));
    }

    #[test]
    fn withdrawing_all_chapters_in_any_order_leaves_nothing(mut story in book(), readings in vec(extraction(), 3), first in any::<Index>()) {
        let before = story.clone();
        for (at, reading) in readings.iter().enumerate() {
            put(&mut story, &format!("d-{}", at + 1), reading);
        }
        let mut stays = false;
        for step in 0..3 {
            let kept = withdraw(&mut story, &format!("d-{}", (first.index(3) + step) % 3 + 1)).unwrap();
            stays |= kept.iter().any(|kept| !matches!(kept.why, qingyu_story::settlement::Stays::Retold { .. }));
        }
        prop_assume!(!stays);
        let count = |story: &Story| [story.facts.len(), story.characters.len(), story.timeline_events.len(), story.promises.len()];
        prop_assert_eq!(count(&story), count(&before));
    }

    #[test]
    fn an_edit_and_back_is_no_edit(mut story in book(), readings in vec(extraction(), 3), other in text()) {
        for (at, reading) in readings.iter().enumerate() {
            put(&mut story, &format!("d-{}", at + 1), reading);
        }
        let before = story.clone();
        let mut kept = false;
        for text in [other, before.documents[0].text.clone()] {
            let old = story.documents[0].clone();
            story.documents[0].text = text;
            let new = story.documents[0].clone();
            let following = follow(&mut story, &old, Some(&new));
            kept |= !following.kept.is_empty();
        }
        prop_assume!(!kept);
        let sorted = |story: &Story| {
            let mut story = story.clone();
            for document in &mut story.documents {
                if let Some(record) = &mut document.settled {
                    record.made.sort_by(|a, b| a.id.cmp(&b.id));
                    record.added.sort_by(|a, b| (&a.id, &a.field, a.entry.to_string()).cmp(&(&b.id, &b.field, b.entry.to_string())));
                }
            }
            for promise in &mut story.promises {
                [&mut promise.planted, &mut promise.advanced, &mut promise.paid].into_iter().for_each(|list| list.sort());
            }
            for event in &mut story.timeline_events {
                [&mut event.participants, &mut event.deaths].into_iter().for_each(|list| list.sort());
            }
            story.facts.iter_mut().for_each(|fact| fact.known_by.sort_by(|a, b| a.who.cmp(&b.who)));
            story
        };
        let (mut story, mut before) = (sorted(&story), sorted(&before));
        // The digest of a piece sees the order of its lists.
        for document in story.documents.iter_mut().chain(&mut before.documents) {
            document.settled.iter_mut().flat_map(|record| &mut record.made).for_each(|made| made.digest.clear());
        }
        prop_assert_eq!(plain(&story), plain(&before));
    }
}
