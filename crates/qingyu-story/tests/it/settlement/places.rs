//! Places that only the prose names.

use qingyu_story::{Config, Story, findings};
use serde_json::{Value, json};

/// Returns the codes found for two facts about one person, in a world with the places 旧港 and Saltmarsh.
fn found(predicate: &str, [one, other]: [Value; 2], mode: &str) -> Vec<String> {
    let fact = |id: &str, place: Value, mode: &str| {
        let mut fact = json!({"id": id, "subject": "林深", "predicate": predicate, "mode": mode});
        if predicate == "is_at" {
            fact["from"] = json!("2077-03-05 22:00");
            fact["until"] = json!("2077-03-05 23:00");
        }
        let is_card = ["旧港", "Saltmarsh", "东街"].iter().any(|card| place == *card);
        fact[if is_card { "object" } else { "value" }] = place;
        fact
    };
    let story: Story = serde_json::from_value(json!({
        "characters": [{"id": "c-1", "name": "林深"}],
        "worldview": {"locations": [
            {"id": "l-1", "name": "旧港", "description": "东海边上的城，离渔山不远"},
            {"id": "l-2", "name": "Saltmarsh", "description": "a town in Norfolk"},
            {"id": "l-3", "name": "东街"}
        ]},
        "facts": [fact("f-1", one, "narrated"), fact("f-2", other, mode)]
    }))
    .expect("it is a story");
    let found = findings(&story, &Config::default()).into_iter().filter_map(|finding| finding.issue.code);
    found.filter(|code| ["QY408", "QY409"].contains(&code.as_str())).collect()
}

#[test]
fn a_birthplace_without_a_card_contradicts_one_with_a_card() {
    for (one, other) in [
        ("旧港", "杭州"),
        ("杭州", "旧港"),
        ("杭州", "苏州"),
        ("杭州", "北京"),
        ("Saltmarsh", "Bristol"),
        ("Bristol", "Dublin"),
    ] {
        assert_eq!(found("birthplace", [json!(one), json!(other)], "narrated"), ["QY408"], "{one} {other}");
        for mode in ["lied", "dreamt", "said", "planned"] {
            assert_eq!(found("birthplace", [json!(one), json!(other)], mode), [""; 0], "{one} {other} {mode}");
        }
    }
    for (one, other) in [
        ("旧港", "海边"),
        ("旧港", "城里"),
        ("旧港", "小镇"),
        ("旧港", "旧港"),
        ("旧港", "旧港西街"),
        ("旧港", "渔山"),
        ("Saltmarsh", "the north"),
        ("Saltmarsh", "Norfolk"),
    ] {
        assert_eq!(found("birthplace", [json!(one), json!(other)], "narrated"), [""; 0], "{one} {other}");
    }
}

#[test]
fn nobody_is_in_two_streets_at_once() {
    for (one, other) in [("东街", "西街"), ("Baker Street", "Ludgate Street")] {
        assert_eq!(found("is_at", [json!(one), json!(other)], "narrated"), ["QY409"], "{one} {other}");
        assert_eq!(found("is_at", [json!(one), json!(other)], "dreamt"), [""; 0], "{one} {other}");
    }
    for (one, other) in [("东街", "茶馆"), ("旧港", "西街"), ("Saltmarsh", "Baker Street"), ("Saltmarsh", "the mill")]
    {
        assert_eq!(found("is_at", [json!(one), json!(other)], "narrated"), [""; 0], "{one} {other}");
    }
}
