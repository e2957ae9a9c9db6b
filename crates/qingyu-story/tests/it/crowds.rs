//! Very many statements about one thing, which are compared along their time line and not each with each.

use proptest::prelude::*;
use qingyu_story::check::check;
use qingyu_story::{Config, Story};
use serde_json::{Value, json};

/// From when and until when somebody is somewhere, as days; the end may be left out.
type Stay = (u32, Option<u32>, usize);

const PLACES: [&str; 3] = ["雁回山", "铁壁关", "沙渡镇"];

/// How often statements of those stays contradict an earlier one.
fn clashes(stays: &[(usize, Stay)]) -> usize {
    let fact = |(number, (from, until, place)): &(usize, Stay)| -> Value {
        json!({
            "id": format!("f-{number:02}"),
            "subject": "林青",
            "predicate": "is_at",
            "object": PLACES[*place],
            "from": format!("第{from}天"),
            "until": until.map(|until| format!("第{until}天")).unwrap_or_default(),
        })
    };
    let place = |(number, name): (usize, &&str)| json!({ "id": format!("l-{number}"), "name": name });
    let story = json!({
        "characters": [{ "id": "c-1", "name": "林青" }],
        "worldview": { "locations": PLACES.iter().enumerate().map(place).collect::<Vec<_>>() },
        "facts": stays.iter().map(fact).collect::<Vec<_>>(),
    });
    let story: Story = serde_json::from_value(story).expect("a story");
    let found = check(&story, &Config::default());
    found.iter().filter(|issue| issue.code.as_deref() == Some("QY409")).count()
}

fn stay() -> impl Strategy<Value = Stay> {
    let until = prop_oneof![2 => Just(None), 1 => (0..4_u32).prop_map(Some)];
    (1..90_u32, until, 0..PLACES.len()).prop_map(|(from, lasts, place)| (from, lasts.map(|days| from + days), place))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn a_crowd_of_statements_contradicts_itself_where_two_of_it_do(stays in prop::collection::vec(stay(), 25..36)) {
        let stays: Vec<(usize, Stay)> = stays.into_iter().enumerate().collect();
        let alone = (0..stays.len())
            .filter(|later| (0..*later).any(|earlier| clashes(&[stays[earlier], stays[*later]]) > 0))
            .count();
        prop_assert_eq!(clashes(&stays), alone);
    }
}
