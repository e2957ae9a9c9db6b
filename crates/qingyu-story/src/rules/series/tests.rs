//! Books against the ends of earlier books.

use serde_json::{Value, json};

use super::earlier_book;
use crate::check::{Config, check};
use crate::{EarlierBook, EarlierKind, Story};

fn end(story: &Value) -> EarlierBook {
    let story: Story = serde_json::from_value(story.clone()).unwrap();
    earlier_book("潮声", EarlierKind::Volume, "十年", &story)
}

/// The codes of the findings about earlier books.
fn codes(story: &Value, earlier: &[Value]) -> Vec<String> {
    let story: Story = serde_json::from_value(story.clone()).unwrap();
    let earlier: Vec<EarlierBook> = earlier.iter().map(end).collect();
    let config = Config { earlier: earlier.into(), ..Config::default() };
    let found = check(&story, &config).into_iter().filter_map(|issue| issue.code);
    found.filter(|code| ["QY208", "QY318", "QY609"].contains(&code.as_str())).collect()
}

/// A fact with the sentence that tells it.
fn told(subject: &str, predicate: &str, object: &str, quote: &str) -> Value {
    json!({
        "characters": [{"id": "c-1", "name": "老周"}, {"id": "c-2", "name": "林青"}, {"id": "c-3", "name": "赵明"}],
        "documents": [{"id": "d-1", "title": "第一章", "order": 1, "text": quote}],
        "facts": [{
            "id": "f-1", "subject": subject, "predicate": predicate, "object": object,
            "source": {"document": "d-1", "version": 0, "quote": quote},
        }],
    })
}

#[test]
fn the_end_of_a_book_is_what_holds_there() {
    let book = end(&json!({
        "language": "zh",
        "worldview": {
            "rules": [{"id": "w-1", "name": "潮规", "statement": "退潮时不得出海。", "limit": "渔船除外"}],
            "items": [{"id": "i-1", "name": "铜钥匙"}],
            "ladders": [{"id": "ladder-1", "name": "境界", "steps": [{"name": "炼气"}, {"name": "筑基"}]}],
        },
        "characters": [
            {"id": "c-1", "name": " 老周 ", "birth": "2012"},
            {"id": "c-2", "name": "林青", "occupation": "船医"},
            {"id": "c-3", "name": ""},
        ],
        "character_relations": [
            {"id": "r-1", "from": "林青", "to": "老周", "type": "student_of"},
            {"id": "r-2", "from": "林青", "to": "老周", "type": "enemy", "since": "第一章", "until": "第二章"},
        ],
        "outline_nodes": [{"id": "o-1", "name": "第三十章", "order": 30}],
        "documents": [{"id": "d-1", "title": "第三十章", "order": 30, "outline_node": "o-1", "text": "老周死了。"}],
        "promises": [
            {"id": "promise-1", "name": "信", "description": "信还没有拆开"},
            {"id": "promise-2", "name": "灯", "paid": ["第三十章"]},
        ],
        "facts": [
            {"id": "f-1", "subject": "老周", "predicate": "dies", "value": true, "from": "2077-03-05",
                "source": {"document": "d-1", "version": 0, "quote": "老周死了。"}},
            {"id": "f-2", "subject": "林青", "predicate": "瞳色", "value": "黑"},
            {"id": "f-3", "subject": "林青", "predicate": "职位", "value": "学徒", "until": "第2天"},
            {"id": "f-4", "subject": "林青", "predicate": "瞳色", "value": "蓝", "mode": "said"},
        ],
    }));
    let [zhou, lin] = book.people.as_slice() else { panic!("{:?}", book.people) };
    let death = zhou.death.as_ref().unwrap();
    assert_eq!((zhou.name.as_str(), zhou.birth.as_str(), zhou.state.len()), ("老周", "2012", 0));
    assert_eq!([&death.quote, &death.chapter, &death.when], ["老周死了。", "第三十章", "2077-03-05"]);
    assert_eq!((lin.state.clone(), lin.death.clone()), (vec!["林青 瞳色 黑".to_owned()], None));
    assert_eq!(book.ties.len(), 1, "{:?}", book.ties);
    assert_eq!(book.rules[0].text, "退潮时不得出海。 渔船除外");
    assert_eq!((book.ladders[0].text.as_str(), book.settings[0].name.as_str()), ("炼气 < 筑基", "铜钥匙"));
    let promises: Vec<&str> = book.promises.iter().map(|promise| promise.name.as_str()).collect();
    assert_eq!(promises, ["信"]);
}

#[test]
fn an_event_counts_as_the_text_tells_it() {
    let book = |differs: Value| {
        end(&json!({
            "characters": [{"id": "c-1", "name": "老周"}],
            "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1}],
            "timeline_events": [
                {"id": "e-1", "title": "沉船", "outline_node": "o-1", "participants": ["老周"], "deaths": ["老周"]},
            ],
            "documents": [{
                "id": "d-1", "title": "第一章", "order": 1, "outline_node": "o-1", "text": "船沉了，老周游上了岸。",
                "settled": {"differs": differs},
            }],
        }))
    };
    assert!(book(json!([])).people[0].death.is_some());
    let told = json!([{"event": "e-1", "field": "deaths", "told": "老周", "quote": "老周游上了岸"}]);
    assert_eq!(book(told).people[0].death, None);
}

#[test]
fn the_last_place_told_is_where_somebody_is_at_the_end() {
    let book = end(&json!({
        "language": "zh",
        "characters": [{"id": "c-1", "name": "林青"}],
        "worldview": {"locations": [{"id": "l-1", "name": "旧港"}, {"id": "l-2", "name": "京城"}]},
        "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1}, {"id": "o-2", "name": "第二章", "order": 2}],
        "documents": [
            {"id": "d-1", "title": "第一章", "order": 1, "outline_node": "o-1", "text": "林青在旧港。"},
            {"id": "d-2", "title": "第二章", "order": 2, "outline_node": "o-2", "text": "林青在京城。"},
        ],
        "facts": [
            {"id": "f-1", "subject": "林青", "predicate": "is_at", "object": "京城", "from": "第30天",
                "source": {"document": "d-2", "version": 0, "quote": "林青在京城。"}},
            {"id": "f-2", "subject": "林青", "predicate": "is_at", "object": "旧港", "from": "第1天",
                "source": {"document": "d-1", "version": 0, "quote": "林青在旧港。"}},
        ],
    }));
    let [state] = book.people[0].state.as_slice() else { panic!("{:?}", book.people[0].state) };
    assert!(state.contains("京城"), "{state}");
}

#[test]
fn somebody_who_came_back_in_a_later_volume_may_act() {
    let card = json!([{"id": "c-1", "name": "老周"}]);
    let dies =
        json!({"characters": card, "facts": [{"id": "f-1", "subject": "老周", "predicate": "dies", "value": true}]});
    let back =
        json!({"characters": card, "facts": [{"id": "f-1", "subject": "老周", "predicate": "revives", "value": true}]});
    let now =
        json!({"characters": card, "timeline_events": [{"id": "e-1", "title": "谈判", "participants": ["老周"]}]});
    assert_eq!(codes(&now, std::slice::from_ref(&dies)), ["QY208"]);
    assert_eq!(codes(&now, &[dies.clone(), back.clone()]), [""; 0]);
    assert_eq!(codes(&now, &[back, dies.clone()]), ["QY208"], "the later volume decides");
    let returns = json!({"worldview": {"rules": [{"id": "w-1", "name": "还魂", "statement": "死者可以复活"}]}});
    assert_eq!(codes(&now, &[dies.clone(), returns]), [""; 0], "a later volume lets the dead return");
    let mut with_rule = now;
    let rule = json!({"id": "w-1", "name": "还魂", "statement": "死者可以复活"});
    with_rule["worldview"] = json!({"rules": [rule]});
    assert_eq!(codes(&with_rule, &[dies]), [""; 0], "in this world the dead may return");
}

#[test]
fn a_new_title_of_the_earlier_book_leaves_the_ids_of_findings() {
    let now: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "老周"}],
        "timeline_events": [{"id": "e-1", "title": "谈判", "participants": ["老周"]}],
    }))
    .unwrap();
    let dies = json!({
        "characters": [{"id": "c-1", "name": "老周"}],
        "facts": [{"id": "f-1", "subject": "老周", "predicate": "dies", "value": true}],
    });
    let ids = |title: &str, id: &str| {
        let book = EarlierBook { id: id.into(), title: title.into(), ..end(&dies) };
        let config = Config { earlier: vec![book].into(), ..Config::default() };
        let found = check(&now, &config).into_iter().filter(|issue| issue.code.as_deref() == Some("QY208"));
        found.map(|issue| issue.id).collect::<Vec<_>>()
    };
    let known = ids("潮声", "p-1");
    assert_eq!(known.len(), 1);
    assert_eq!(ids("潮声（修订）", "p-1"), known);
    assert_ne!(ids("潮声", "p-2"), known, "another book");
}

#[test]
fn canon_without_a_stretch_of_time_is_not_the_past() {
    let now: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "老周", "birth": "2013"}],
        "timeline_events": [{"id": "e-1", "title": "谈判", "participants": ["老周"]}],
    }))
    .unwrap();
    let dies = json!({
        "characters": [{"id": "c-1", "name": "老周", "birth": "2012"}],
        "facts": [{"id": "f-1", "subject": "老周", "predicate": "dies", "value": true}],
    });
    let found = |gap: &str| {
        let book = EarlierBook { kind: EarlierKind::Canon, gap: gap.into(), ..end(&dies) };
        let config = Config { earlier: vec![book].into(), ..Config::default() };
        let found = check(&now, &config).into_iter().filter_map(|issue| issue.code);
        let mut found: Vec<String> = found.filter(|code| ["QY208", "QY318"].contains(&code.as_str())).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(found(""), ["QY318"], "the dead of the original may live in a book that begins earlier");
    assert_eq!(found("十年"), ["QY208", "QY318"]);
}

#[test]
fn only_dates_tell_that_something_was_before_a_death() {
    let now = |time: &str| {
        json!({
            "characters": [{"id": "c-1", "name": "老周"}],
            "timeline_events": [{"id": "e-1", "title": "谈判", "timestamp": time, "participants": ["老周"]}],
        })
    };
    let dies = |time: &str| {
        let fact = json!({"id": "f-1", "subject": "老周", "predicate": "dies", "value": true, "from": time});
        json!({"characters": [{"id": "c-1", "name": "老周"}], "facts": [fact]})
    };
    assert_eq!(codes(&now("2070-01-01"), &[dies("2077-03-05")]), [""; 0]);
    assert_eq!(codes(&now("2080-01-01"), &[dies("2077-03-05")]), ["QY208"]);
    assert_eq!(codes(&now("第5天"), &[dies("第9天")]), ["QY208"], "each book counts its own days");
    assert_eq!(codes(&now("2070-01-01"), &[dies("")]), ["QY208"]);
}

#[test]
fn two_fathers_are_two_but_a_foster_father_is_none() {
    let before = told("老周", "parent_of", "林青", "老周是林青的父亲。");
    let now = told("赵明", "parent_of", "林青", "赵明是林青的父亲。");
    assert_eq!(codes(&now, std::slice::from_ref(&before)), ["QY609"]);
    for (quote, because) in [
        ("赵明是林青的养父。", "a foster father"),
        ("赵明是林青的母亲。", "the mother"),
        ("赵明带大了林青。", "no word for a father"),
    ] {
        let now = told("赵明", "parent_of", "林青", quote);
        assert_eq!(codes(&now, std::slice::from_ref(&before)), [""; 0], "{because}");
    }
    let turned = told("林青", "parent_of", "老周", "老周是林青的儿子。");
    assert_eq!(codes(&turned, &[before]), ["QY609"], "parent and child are turned round");
}
