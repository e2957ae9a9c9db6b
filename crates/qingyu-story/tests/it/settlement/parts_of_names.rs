//! Statements about people who are called by a part of their name.

use qingyu_story::Story;
use qingyu_story::settlement::extract;
use serde_json::{Value, json};

#[test]
fn the_rules_read_statements_about_people_called_by_less_than_a_name() {
    let people = [
        ("沈砚秋", "女"),
        ("周建国", "男"),
        ("Eleanor Nance", "female"),
        ("Gideon Nance", "male"),
        ("John Laity", "male"),
    ];
    let characters: Vec<Value> =
        people.iter().map(|(name, gender)| json!({ "id": name, "name": name, "gender": gender })).collect();
    for (text, expected) in [
        ("Gideon was sixty-eight.", Some("Gideon Nance age 68")),
        ("Gideon Nance was sixty-eight.", Some("Gideon Nance age 68")),
        ("Mr. Laity was fifty-five.", Some("John Laity age 55")),
        ("Laity was fifty-five.", Some("John Laity age 55")),
        ("Nance was sixty-eight.", None),
        ("Mrs. Laity was fifty-five.", None),
        ("Thomas Laity was fifty-five.", None),
        ("砚秋今年二十六岁。", Some("沈砚秋 age 26")),
        ("老周今年五十岁。", Some("周建国 age 50")),
        ("沈小姐今年二十六岁。", Some("沈砚秋 age 26")),
        ("沈先生今年五十岁。", None),
    ] {
        let story: Story = serde_json::from_value(json!({
            "language": if text.is_ascii() { "en" } else { "zh" },
            "characters": characters,
            "documents": [{ "id": "d-1", "title": "1", "order": 1, "text": text }],
        }))
        .unwrap();
        let found = extract(&story, "d-1").unwrap().facts;
        let told: Vec<String> =
            found.iter().map(|fact| format!("{} {} {}", fact.subject, fact.predicate, fact.value)).collect();
        assert_eq!(told, expected.into_iter().collect::<Vec<&str>>(), "{text}");
    }
}
