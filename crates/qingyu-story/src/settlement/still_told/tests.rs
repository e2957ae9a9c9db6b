use serde_json::json;

use super::*;
use crate::settlement::open_differences;

/// Returns whether the difference of a field is open after the text was edited.
#[track_caller]
fn is_open(field: &str, told: &str, quote: &str, read: &str, now: &str) -> bool {
    let mut story: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "林深"}, {"id": "c-2", "name": "周建国", "alias": ["老周"]}],
        "worldview": {"locations": [{"id": "l-1", "name": "旧港"}, {"id": "l-2", "name": "大理寺"}]},
        "timeline_events": [{"id": "e-1", "title": "抵港", "timestamp": "1926年6月7日 19:00", "location": "大理寺",
            "participants": ["林深", "周建国"]}],
        "documents": [{"id": "d-1", "title": "1", "order": 1, "text": read, "settled": {"digest": digest(read),
            "differs": [{"event": "e-1", "field": field, "told": told, "quote": quote}]}}]
    }))
    .unwrap();
    assert_eq!(open_differences(&story).len(), 1, "the text is as it was read");
    story.documents[0].text = now.into();
    !open_differences(&story).is_empty()
}

#[test]
fn a_day_is_told_otherwise_until_the_text_writes_the_planned_one() {
    let read = "六月十二号，雨。林深走进旧港。周围没有人。";
    let quote = "林深走进旧港。";
    for (now, expected) in [
        ("六月七号，雨。林深走进旧港。周围没有人。", false),
        ("六月十二号，雪。林深走进旧港。周围没有人。", true),
        ("雨。林深走进旧港。周围没有人。", true),
        ("六月七号，雨。林深走进车站。周围没有人。", false),
    ] {
        assert_eq!(is_open("timestamp", "1926年6月12日", quote, read, now), expected, "{now}");
    }
    let read = "六月七号，雨。第二天，林深走进旧港。";
    let now = "六月七号，雪。第二天，林深走进旧港。";
    assert!(
        is_open("timestamp", "1926年6月8日", "第二天，林深走进旧港。", read, now),
        "counted from a day that stands"
    );
}

#[test]
fn a_place_is_told_otherwise_until_the_text_names_the_planned_one() {
    let read = "林深到了旧港。他坐下来等人。";
    for (now, expected) in [("林深到了大理寺。他坐下来等人。", false), ("林深又到了旧港。他坐下来等人。", true)]
    {
        assert_eq!(is_open("location", "旧港", "他坐下来等人。", read, now), expected, "{now}");
    }
}

#[test]
fn somebody_is_left_out_until_the_scene_shows_them() {
    let read = "林深到了旧港。他想起周建国。";
    for (now, expected) in [
        ("林深到了旧港。周建国坐在桌边喝酒。他想起周建国。", false),
        ("林深到了旧港。老周给他倒茶。", false),
        ("林深到了旧港。雨下大了。", true),
        ("林深到了旧港。\n\n* * *\n\n周建国坐在桌边喝酒。", true),
    ] {
        assert_eq!(is_open("participants", "周建国", "林深到了旧港。", read, now), expected, "{now}");
    }
}

#[test]
fn somebody_in_another_event_of_the_scene_stays_left_out_of_the_first() {
    let read = "傍晚，周建国坐在桌边喝酒。\n亥时，林深到了旧港。\n雨停了。";
    let mut story: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "林深"}, {"id": "c-2", "name": "周建国"}],
        "timeline_events": [
            {"id": "e-1", "title": "抵港", "participants": ["林深", "周建国"]},
            {"id": "e-2", "title": "喝酒", "participants": ["周建国"]}
        ],
        "documents": [{"id": "d-1", "title": "1", "order": 1, "text": read, "settled": {
            "digest": digest(read),
            "made": [{"kind": "event", "id": "e-2", "digest": "", "quote": "周建国坐在桌边喝酒。"}],
            "differs": [{"event": "e-1", "field": "participants", "told": "周建国", "quote": "林深到了旧港。"}]
        }}]
    }))
    .unwrap();
    for (now, expected) in [
        (read.to_owned(), true),
        (read.replace("雨停了", "风停了"), true),
        (read.replace("坐在桌边喝酒", "坐在桌边喝茶"), true),
        (read.replace("旧港。", "旧港。周建国走过来坐下。"), false),
    ] {
        story.documents[0].text.clone_from(&now);
        assert_eq!(!open_differences(&story).is_empty(), expected, "{now}");
    }
}
