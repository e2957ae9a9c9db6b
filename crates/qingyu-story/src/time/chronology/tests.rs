use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Chronology, TravelConflict};
use crate::names::Names;
use crate::time::network::Limit;
use crate::time::{StoryCalendar, length};
use crate::{Config, Story, check};

fn story(events: &Value) -> Story {
    serde_json::from_value(json!({ "timeline_events": events })).unwrap()
}

/// The first and last second of the start of the last event on its first calendar.
fn last_start(events: &Value) -> (Option<i64>, Option<i64>) {
    let story = story(events);
    let chronology = Chronology::of(&story, &Names::of(&story), &StoryCalendar::of(&story));
    let points = chronology.event(story.timeline_events.len() - 1).unwrap();
    chronology.stretches(points.start).next().map_or((None, None), |(_, stretch)| stretch)
}

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

#[test]
fn relative_times_give_as_tight_a_stretch_as_is_known() {
    type Hours = Option<(i64, i64)>;
    let cases: &[(&str, &str, Hours)] = &[
        // The event before, the event that is told from it, and the hours of its start on story days.
        ("第3天", "三天后", Some((6 * 24, 7 * 24))),
        ("第3天", "次日清晨", Some((4 * 24 + 3, 4 * 24 + 12))),
        ("Day 3", "the next morning", Some((4 * 24 + 3, 4 * 24 + 12))),
        ("Day 3", "three days later", Some((6 * 24, 7 * 24))),
        ("第3天夜", "次日上午", Some((4 * 24 + 6, 4 * 24 + 12))),
        ("第3天 02:00", "次日上午", Some((3 * 24 + 6, 4 * 24 + 12))),
        ("Day 3, 14:00", "that night", Some((3 * 24 + 14, 3 * 24 + 30))),
        ("第3天", "一周后", Some((7 * 24, 14 * 24))),
        ("第3天", "不久", None),
        ("第3天", "约三天后", None),
        ("第3天", "三天前", None),
    ];
    for (before, told, expected) in cases {
        let found = last_start(
            &json!([{ "title": "A", "timestamp": before }, { "title": "B", "timestamp": told, "after": ["A"] }]),
        );
        let expected = expected.map(|(from, until)| (Some(from * HOUR), Some(until * HOUR)));
        match expected {
            Some(expected) => assert_eq!(found, expected, "{told} after {before}"),
            None => assert_eq!(found.1, None, "{told} after {before}"),
        }
    }
}

#[test]
fn hours_later_are_counted_from_the_minute() {
    let found = last_start(&json!([
        { "title": "A", "timestamp": "第3天 10:00" },
        { "title": "B", "timestamp": "两小时后", "after": ["A"] },
    ]));
    assert_eq!(found, (Some(3 * DAY + 11 * HOUR), Some(3 * DAY + 13 * HOUR + 60)));
}

#[test]
fn events_can_be_named() {
    for told in ["审讯三天后", "审讯的三天之后", "“审讯”三天后", "three days after 审讯", "three days after the 审讯"]
    {
        let found =
            last_start(&json!([{ "title": "审讯", "timestamp": "第3天" }, { "title": "B", "timestamp": told }]));
        assert_eq!(found, (Some(6 * DAY), Some(7 * DAY)), "{told}");
    }
    let found = last_start(
        &json!([{ "title": "Trial", "timestamp": "Day 3" }, { "title": "B", "timestamp": "the day after the Trial" }]),
    );
    assert_eq!(found, (Some(4 * DAY), Some(5 * DAY)));
    let found = last_start(
        &json!([{ "title": "Trial", "timestamp": "Day 3" }, { "title": "B", "timestamp": "two days before the Trial" }]),
    );
    assert_eq!(found, (Some(DAY), Some(2 * DAY)));
}

#[test]
fn without_a_certain_reference_nothing_is_known() {
    let two = json!([
        { "title": "A", "timestamp": "第3天" },
        { "title": "B", "timestamp": "第9天" },
        { "title": "C", "timestamp": "三天后", "after": ["A", "B"] },
    ]);
    assert_eq!(last_start(&two), (Some(9 * DAY), None));
    let none = json!([{ "title": "A", "timestamp": "第3天" }, { "title": "C", "timestamp": "三天后" }]);
    assert_eq!(last_start(&none), (None, None));
    let dreamt = json!([{ "title": "A", "timestamp": "第3天", "mode": "dreamt" }, { "title": "C", "timestamp": "三天后", "after": ["A"] }]);
    assert_eq!(last_start(&dreamt), (None, None));
}

#[test]
fn order_follows_from_chains_through_undated_events() {
    let story = story(&json!([
        { "title": "A", "timestamp": "2077-03-05", "duration": "2小时" },
        { "title": "B", "after": ["A"] },
        { "title": "C", "after": ["B"] },
        { "title": "D", "timestamp": "2077-03-10" },
        { "title": "E", "timestamp": "两天后", "after": ["A"] },
        { "title": "F", "after": ["C"], "mode": "said" },
    ]));
    let chronology = Chronology::of(&story, &Names::of(&story), &StoryCalendar::of(&story));
    let before = |a, b| chronology.is_over_before(a, b);
    assert!(before(0, 1) && before(0, 2) && before(1, 2) && before(0, 3) && before(4, 3));
    assert!(!before(2, 3) && !before(3, 2) && !before(2, 0) && !before(2, 5) && !before(1, 1));
    let (a, e) = (chronology.event(0).unwrap(), chronology.event(4).unwrap());
    assert_eq!(chronology.most(a.end, a.start).map(|most| -most.seconds()), Some(2 * HOUR));
    assert_eq!(chronology.most(a.start, e.start).map(Limit::seconds), Some(3 * DAY + 2 * HOUR));
}

#[test]
fn a_contradiction_quotes_every_statement_of_its_chain() {
    let story = story(&json!([
        { "id": "e-1", "title": "B", "timestamp": "2077-03-05" },
        { "id": "e-2", "title": "A", "timestamp": "March 6, 2077", "description": "Two days later, it rains.", "after": ["B"] },
    ]));
    let found = check(&story, &Config::default());
    let issue = found.iter().find(|issue| issue.code.as_deref() == Some("QY311")).expect("two days are not one");
    let quotes: Vec<(&str, &str)> =
        issue.evidence.iter().map(|evidence| (evidence.anchor.as_str(), evidence.quote.as_str())).collect();
    let expected = [
        ("timeline_events/e-1/timestamp", "2077-03-05"),
        ("timeline_events/e-2/description", "Two days later"),
        ("timeline_events/e-2/timestamp", "March 6, 2077"),
    ];
    assert_eq!(quotes, expected);
}

#[test]
fn nobody_travels_faster_than_the_world_allows() {
    let story: Story = serde_json::from_value(json!({
        "characters": [{ "name": "林青" }, { "name": "老周" }],
        "worldview": { "locations": [{ "name": "旧港" }, { "name": "北城" }] },
        "timeline_events": [
            { "title": "接头", "timestamp": "第3天 10:00", "location": "旧港", "participants": ["林青", "老周"] },
            { "title": "会面", "timestamp": "两小时后", "after": ["接头"], "location": "北城", "participants": ["林青"] },
            { "title": "返回", "timestamp": "第9天", "after": ["会面"], "location": "旧港", "participants": ["林青"] },
            { "title": "收网", "timestamp": "第5天", "location": "北城", "participants": ["老周"] },
        ],
    }))
    .unwrap();
    let names = Names::of(&story);
    let chronology = Chronology::of(&story, &names, &StoryCalendar::of(&story));
    let hurries = |takes: &str| {
        let travel = BTreeMap::from([((0, 1), length(takes).unwrap())]);
        chronology.hurries(&story, &names, &travel)
    };
    assert_eq!(hurries("2小时"), []);
    assert_eq!(hurries("一天"), [TravelConflict { character: 0, first: 0, second: 1 }]);
    let both =
        [TravelConflict { character: 0, first: 0, second: 1 }, TravelConflict { character: 1, first: 0, second: 3 }];
    assert_eq!(hurries("4天"), both);
}
